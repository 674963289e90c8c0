import { build } from './built-proxy.ts'
import type { ProxyConfig } from './options.ts'
import type { ProxyApp, StartedProxy } from './proxy-app.ts'
import { type ProxyEnvironment, readSetupWithWarnings } from './proxy-setup.ts'

export type { ProxyApp, StartedProxy } from './proxy-app.ts'

/**
 * Creates a proxy to mount on an existing server, and starts to sync immediately. Options given in code override the
 * environment. Rejects with OptionsError for an invalid option.
 */
export async function createApp(config: ProxyConfig = {}, environment: ProxyEnvironment = {}): Promise<ProxyApp> {
  const { proxy, facade } = build(await readSetupWithWarnings(config, environment))
  proxy.startSync()
  return facade
}

/**
 * Creates a proxy and starts listening. Rejects with OptionsError for an invalid option, or with an error if the port
 * is taken.
 */
export async function start(config: ProxyConfig = {}, environment: ProxyEnvironment = {}): Promise<StartedProxy> {
  const setup = await readSetupWithWarnings(config, environment)
  const { proxy, facade } = build(setup)
  try {
    const { port } = await proxy.listen()
    return { ...facade, port, shutdownDelay: setup.options.shutdownDelay }
  } catch (error) {
    await proxy.close()
    throw error
  }
}
