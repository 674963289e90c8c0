import { createLogger, type Logger, type LogLevel } from '@burgee/kit/log/logger'
import { type MonotonicClock, PROCESS_CLOCK } from '@burgee/kit/monotonic-clock'
import { describeSource, listSecrets } from '@burgee/kit/options/options'
import { describeServiceLinks } from '@burgee/kit/options/service-links'
import { CurrentSecrets } from './current-secrets.ts'
import { loadOptions, PROXY_OPTIONS, type ProxyConfig, type ProxyOptions } from './options.ts'
import { loadPlugins, type Plugins } from './plugins/plugins.ts'

/** Sources from which options are read, other than code. */
export interface ProxyEnvironment {
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly argv?: readonly string[]
}

/** Parsed setup of a process that runs a proxy, whole or in part. */
export interface ProxySetup {
  readonly options: ProxyOptions
  readonly secrets: CurrentSecrets
  readonly plugins: Plugins
  readonly logger: Logger
  readonly clock: () => number
  readonly monotonic: MonotonicClock
  readonly random: () => number
  /**
   * Reloads the secrets, and applies changed ones. Throws OptionsError if a secret is invalid; the current secrets then
   * remain in use.
   */
  readonly readSecrets: () => void
}

/** Reads options and plugins. Rejects with OptionsError, or with the error that a plugin throws. */
export async function readProxySetup(
  config: ProxyConfig,
  { env = process.env, argv = [] }: ProxyEnvironment,
): Promise<ProxySetup> {
  const options = loadOptions(config, env, argv)
  const secrets = new CurrentSecrets(options)
  const clock = Date.now
  const logger = createProxyLogger(options, secrets, clock)
  const plugins = await loadPlugins(options, (option) =>
    describeSource(PROXY_OPTIONS, option, { given: config, env, argv }),
  )
  const readSecrets = () => secrets.replace(loadOptions(config, env, argv))
  return { options, secrets, plugins, logger, clock, monotonic: PROCESS_CLOCK, random: Math.random, readSecrets }
}

/**
 * Reads the setup of a proxy, and logs which variables are ignored because Kubernetes has set them for a service. Must
 * be called once per proxy, not in each worker. Rejects as `readProxySetup` does.
 */
export async function readSetupWithWarnings(config: ProxyConfig, environment: ProxyEnvironment): Promise<ProxySetup> {
  const setup = await readProxySetup(config, environment)
  const warning = describeServiceLinks(PROXY_OPTIONS, environment.env ?? process.env)
  if (warning !== undefined) setup.logger.warn(warning)
  return setup
}

/** Returns the custom logger, if there is one, or else a logger that writes to standard output and redacts secrets. */
function createProxyLogger(options: ProxyOptions, secrets: CurrentSecrets, clock: () => number): Logger {
  const write = (line: string) => void process.stdout.write(line)
  const hidden = () => [...listSecrets(PROXY_OPTIONS, options), ...listSecrets(PROXY_OPTIONS, secrets.current)]
  return options.logger === undefined
    ? createLogger({ level: options.logLevel, json: options.useJsonLogger, secrets: hidden, write, clock })
    : guardLogger(options.logger)
}

/** Wraps a logger so that its errors do not interrupt the work that is logged. */
function guardLogger(logger: Logger): Logger {
  const guard =
    (level: LogLevel): Logger[LogLevel] =>
    (message, ...args) => {
      try {
        logger[level](message, ...args)
      } catch {
        // the logger itself has failed, so this error cannot be reported
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
