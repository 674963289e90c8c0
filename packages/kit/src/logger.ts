import { inspect } from 'node:util'

/** Log levels, least important first. Source: spec, option `logLevel`. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'fatal'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** What every part logs through; users may bring their own. Arguments are appended to the message. */
export type Logger = Readonly<Record<LogLevel, (message: string, ...args: readonly unknown[]) => void>>

/** How the built-in logger writes. */
export interface LoggerOptions {
  /** The least level written. */
  readonly level: LogLevel
  /** One JSON object per line instead of `LEVEL: message`. */
  readonly json: boolean
  /** Texts that never appear in the log: tokens, keys, passwords. Read again for each line, as they may be replaced. */
  readonly secrets: () => readonly string[]
  readonly write: (line: string) => void
  readonly clock: () => number
}

/** Makes a logger of one line per call, without secrets. Never throws, whatever it is given. */
export function createLogger(options: LoggerOptions): Logger {
  const least = LOG_LEVELS.indexOf(options.level)
  const logAt =
    (level: LogLevel) =>
    (message: string, ...args: readonly unknown[]) => {
      if (LOG_LEVELS.indexOf(level) < least) return
      const line = options.json ? jsonLine(level, message, args, options.clock()) : textLine(level, message, args)
      options.write(`${hide(line, options.secrets())}\n`)
    }
  return {
    debug: logAt('debug'),
    info: logAt('info'),
    warn: logAt('warn'),
    error: logAt('error'),
    fatal: logAt('fatal'),
  }
}

/** A logger that says nothing. */
export const SILENT: Logger = { debug() {}, info() {}, warn() {}, error() {}, fatal() {} }

function textLine(level: LogLevel, message: string, args: readonly unknown[]): string {
  const rest = args.map((arg) => (typeof arg === 'string' ? arg : describe(arg)))
  return [`${level.toUpperCase()}: ${message}`, ...rest].join(' ')
}

function describe(value: unknown): string {
  return value instanceof Error ? (value.stack ?? value.message) : inspect(value, { breakLength: Infinity, depth: 4 })
}

function jsonLine(level: LogLevel, message: string, args: readonly unknown[], now: number): string {
  const entry = { time: new Date(now).toISOString(), level, message, args: args.map(plain) }
  try {
    return JSON.stringify(entry)
  } catch {
    return JSON.stringify({ ...entry, args: args.map((arg) => inspect(arg, { depth: 2 })) })
  }
}

/** Errors have no enumerable members, so JSON would lose them. */
function plain(value: unknown): unknown {
  if (!(value instanceof Error)) return value
  const cause = value.cause === undefined ? {} : { cause: plain(value.cause) }
  return { name: value.name, message: value.message, stack: value.stack, ...cause }
}

const SHORTEST_SECRET = 4

/** Very short values would black out ordinary words, and protect nothing. */
function hide(line: string, secrets: readonly string[]): string {
  let hidden = line
  for (const secret of secrets) {
    if (secret.length < SHORTEST_SECRET) continue
    hidden = hidden.replaceAll(secret, '***').replaceAll(JSON.stringify(secret).slice(1, -1), '***')
  }
  return hidden
}
