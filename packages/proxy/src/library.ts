import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from '@burgee/kit/log/logger'
import { withReadableBody } from './http/unread-body.ts'
import type { ProxyConfig } from './options.ts'
import { type BurgeeProxy, createProxy, type ProxyDeps } from './proxy.ts'
import { type ProxyEnvironment, type ProxySetup, readProxySetup, warnOfServiceLinks } from './proxy-setup.ts'
import { getFlagSet, openProxyTelemetry } from './proxy-telemetry.ts'
import { connectHttp } from './upstream/connection.ts'

/** Proxy that is embedded in the user's process. */
export interface ProxyApp {
  /**
   * Request handler for any HTTP server: `http.createServer(app.handler)` or `express.use(app.handler)`, before or
   * after a JSON body parser. Answers every request. Unknown routes get 404.
   */
  readonly handler: (request: IncomingMessage, response: ServerResponse) => void
  /** Returns true once the proxy has a configuration. */
  readonly isReady: () => boolean
  /** Logger of the proxy: the custom logger or, if there is none, a logger that writes to standard output. */
  readonly logger: Logger
  /**
   * Reloads client keys, the upstream token and server tokens from options and environment, and applies them
   * immediately. Throws OptionsError if any secret is invalid; all current secrets then remain in use.
   */
  reloadSecrets(): void
  /** Reports the proxy as not ready, and sends `Connection: close` with every reply. Requests are still answered. */
  drain(): void
  close(): Promise<void>
}

/** Proxy that listens on its own port. */
export interface StartedProxy extends ProxyApp {
  readonly port: number
  /** Configured time between `drain` and `close`, in seconds. */
  readonly shutdownDelay: number
}

/**
 * Creates a proxy to mount on an existing server, and starts to sync immediately. Options given in code override the
 * environment. Rejects with OptionsError for an invalid option.
 */
export async function createApp(config: ProxyConfig = {}, environment: ProxyEnvironment = {}): Promise<ProxyApp> {
  const { proxy, facade } = build(await readSetup(config, environment))
  proxy.startSync()
  return facade
}

/**
 * Creates a proxy and starts listening. Sends telemetry if the options name an OpenTelemetry collector. Rejects with
 * OptionsError for an invalid option, or with an error if the port is taken.
 */
export async function start(config: ProxyConfig = {}, environment: ProxyEnvironment = {}): Promise<StartedProxy> {
  const setup = await readSetup(config, environment)
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

async function readSetup(config: ProxyConfig, environment: ProxyEnvironment): Promise<ProxySetup> {
  const setup = await readProxySetup(config, environment)
  warnOfServiceLinks(setup.logger, environment)
  return setup
}

function build(setup: ProxySetup, observers: Pick<ProxyDeps, 'tracer' | 'decisions' | 'flagSet'> = {}) {
  const { plugins, readSecrets, ...common } = setup
  const connection = connectHttp({ ...common, strategyNames: plugins.strategies.map(({ name }) => name) })
  const proxy: BurgeeProxy = createProxy({ ...common, ...observers, plugins, connection })
  const facade: ProxyApp = {
    handler: (request, response) => proxy.app.routing(withReadableBody(request), response),
    isReady: proxy.isReady,
    logger: setup.logger,
    reloadSecrets: () => {
      readSecrets()
      proxy.refresh()
      setup.logger.warn('Reloaded client keys and tokens')
    },
    drain: proxy.drain,
    close: proxy.close,
  }
  return { proxy, facade }
}
