import { build } from './built-proxy.ts'
import type { StartedProxy } from './proxy-app.ts'
import { type ProxyEnvironment, readSetupWithWarnings } from './proxy-setup.ts'
import { getFlagSet, openProxyTelemetry } from './proxy-telemetry.ts'

/**
 * Starts the proxy of a process of its own, and sends telemetry if the options name an OpenTelemetry collector. The
 * library does not, because it would have to install the OpenTelemetry packages. Rejects with OptionsError for an
 * invalid option, or with an error if the port is taken.
 */
export async function startProxyProcess(environment: ProxyEnvironment): Promise<StartedProxy> {
  const setup = await readSetupWithWarnings({}, environment)
  const { options } = setup
  const telemetry = await openProxyTelemetry({ ...setup, getSeries: () => proxy.series })
  const { tracer, decisions } = telemetry
  const { proxy, facade } = build(setup, { tracer, decisions, flagSet: getFlagSet(options) })
  const close = async () => {
    await proxy.close()
    await telemetry.close()
  }
  try {
    const { port } = await proxy.listen()
    telemetry.start()
    return { ...facade, close, port, shutdownDelay: options.shutdownDelay }
  } catch (error) {
    await close()
    throw error
  }
}
