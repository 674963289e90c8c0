import type { IncomingMessage, ServerResponse } from 'node:http'
import { createLogger, type Logger, type LogLevel } from '@burgee/kit/logger'
import { secretsOf } from '@burgee/kit/options'
import { connectHttp } from './connection.ts'
import { loadOptions, PROXY_OPTIONS, type ProxyConfig, type ProxyOptions } from './options.ts'
import { loadPlugins } from './plugins.ts'
import { type BurgeeProxy, createProxy } from './proxy.ts'
import { unread } from './replay.ts'
import { Secrets } from './secrets.ts'

/** A proxy within a process of its user's. */
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
  close(): Promise<void>
}

/** A proxy with a port of its own. */
export interface StartedProxy extends ProxyApp {
  readonly port: number
}

/** Where options come from besides code. */
export interface ProxyEnvironment {
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly argv?: readonly string[]
}

/**
 * Makes a proxy to mount on a server of the caller's; it begins to synchronise at once.
 * Options come from code, completed by the environment. Rejects with OptionsError for a bad option.
 */
export async function createApp(config: ProxyConfig = {}, environment: ProxyEnvironment = {}): Promise<ProxyApp> {
  const { proxy, facade } = await build(config, environment)
  await proxy.app.ready()
  proxy.run()
  return facade
}

/** Makes a proxy and listens. Rejects with OptionsError for a bad option, and when the port is taken. */
export async function start(config: ProxyConfig = {}, environment: ProxyEnvironment = {}): Promise<StartedProxy> {
  const { proxy, facade } = await build(config, environment)
  try {
    const { port } = await proxy.listen()
    return { ...facade, port }
  } catch (error) {
    await proxy.close()
    throw error
  }
}

async function build(config: ProxyConfig, { env = process.env, argv = [] }: ProxyEnvironment) {
  const options = loadOptions(config, env, argv)
  const secrets = new Secrets(options)
  const clock = Date.now
  const random = Math.random
  const logger = loggerOf(options, secrets, clock)
  const plugins = await loadPlugins(options.customStrategies, options.expCustomEnrichers)
  const strategyNames = plugins.strategies.map(({ name }) => name)
  const connection = connectHttp({ options, secrets, logger, clock, random, strategyNames })
  const proxy: BurgeeProxy = createProxy({ options, secrets, plugins, connection, logger, clock, random })
  const facade: ProxyApp = {
    handler: (request, response) => proxy.app.routing(unread(request), response),
    isReady: proxy.isReady,
    logger,
    reloadSecrets: () => {
      secrets.replace(loadOptions(config, env, argv))
      proxy.refresh()
      logger.warn('Client keys and tokens were read again')
    },
    close: proxy.close,
  }
  return { proxy, facade }
}

/** The custom logger, or lines on standard output without the secrets. */
function loggerOf(options: ProxyOptions, secrets: Secrets, clock: () => number): Logger {
  const write = (line: string) => void process.stdout.write(line)
  const hidden = () => [...secretsOf(PROXY_OPTIONS, options), ...secretsOf(PROXY_OPTIONS, secrets.current)]
  return options.logger === undefined
    ? createLogger({ level: options.logLevel, json: options.useJsonLogger, secrets: hidden, write, clock })
    : guarded(options.logger)
}

/** A logger that throws must not end the work that it tells of. */
function guarded(logger: Logger): Logger {
  const guard =
    (level: LogLevel): Logger[LogLevel] =>
    (message, ...args) => {
      try {
        logger[level](message, ...args)
      } catch {
        // there is nobody left to tell
      }
    }
  return {
    debug: guard('debug'),
    info: guard('info'),
    warn: guard('warn'),
    error: guard('error'),
    fatal: guard('fatal'),
  }
}
