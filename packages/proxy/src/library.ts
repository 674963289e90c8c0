import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Logger } from '@burgee/kit/log/logger'
import { unread } from './http/unread-body.ts'
import type { ProxyConfig } from './options.ts'
import { type BurgeeProxy, createProxy } from './proxy.ts'
import { type ProxyEnvironment, readProxySetup, warnOfServiceLinks } from './proxy-setup.ts'
import { connectHttp } from './upstream/connection.ts'

/** A proxy inside the user's own process. */
export interface ProxyApp {
  /**
   * Answers requests of any HTTP server: `http.createServer(app.handler)`, or `express.use(app.handler)`, before or
   * behind a JSON body parser. It answers every request, with 404 where it knows no route.
   */
  readonly handler: (request: IncomingMessage, response: ServerResponse) => void
  /** True once there is a configuration to answer from. */
  readonly isReady: () => boolean
  /** What the proxy logs through: the custom logger, or lines on standard output. */
  readonly logger: Logger
  /** Replaces client keys, upstream token and server tokens by what options and environment now say, and uses them at once. */
  reloadSecrets(): void
  /** Not ready any more, and every reply is the last of its connection; it goes on to answer. */
  drain(): void
  close(): Promise<void>
}

/** A proxy with a port of its own. */
export interface StartedProxy extends ProxyApp {
  readonly port: number
  /** Seconds between `drain` and `close` that the options ask for. */
  readonly shutdownDelay: number
}

/**
 * Makes a proxy to mount on a server of the caller's; it begins to synchronise at once.
 * Options come from code, completed by the environment. Rejects with OptionsError for a bad option.
 */
export async function createApp(config: ProxyConfig = {}, environment: ProxyEnvironment = {}): Promise<ProxyApp> {
  const { proxy, facade } = await build(config, environment)
  proxy.startSync()
  return facade
}

/** Makes a proxy and listens. Rejects with OptionsError for a bad option, and when the port is taken. */
export async function start(config: ProxyConfig = {}, environment: ProxyEnvironment = {}): Promise<StartedProxy> {
  const { proxy, facade, shutdownDelay } = await build(config, environment)
  try {
    const { port } = await proxy.listen()
    return { ...facade, port, shutdownDelay }
  } catch (error) {
    await proxy.close()
    throw error
  }
}

async function build(config: ProxyConfig, environment: ProxyEnvironment) {
  const setup = await readProxySetup(config, environment)
  warnOfServiceLinks(setup.logger, environment)
  const { plugins, readSecrets, ...common } = setup
  const connection = connectHttp({ ...common, strategyNames: plugins.strategies.map(({ name }) => name) })
  const proxy: BurgeeProxy = createProxy({ ...common, plugins, connection })
  const facade: ProxyApp = {
    handler: (request, response) => proxy.app.routing(unread(request), response),
    isReady: proxy.isReady,
    logger: setup.logger,
    reloadSecrets: () => {
      readSecrets()
      proxy.refresh()
      setup.logger.warn('Client keys and tokens were read again')
    },
    drain: proxy.drain,
    close: proxy.close,
  }
  return { proxy, facade, shutdownDelay: setup.options.shutdownDelay }
}
