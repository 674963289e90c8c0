import { inspect } from 'node:util'
import { escapeControls } from '../terminal-text.ts'
import { formatValue, toPlain } from './plain-value.ts'

/** Log levels, least severe first. Source: spec, option `logLevel`. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'fatal'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/**
 * Logger that all components use. Library users can supply another logger. Arguments after the message are appended to
 * it.
 */
export type Logger = Readonly<Record<LogLevel, (message: string, ...args: readonly unknown[]) => void>>

/** Returns true if a value can be used as a logger. */
export function isLogger(value: unknown): value is Logger {
  return (
    typeof value === 'object' &&
    value !== null &&
    LOG_LEVELS.every((level) => level in value && typeof value[level as keyof typeof value] === 'function')
  )
}

/** Options of the built-in logger. */
export interface LoggerOptions {
  /** Minimum log level. */
  readonly level: LogLevel
  /** True to write one JSON object per line instead of `time LEVEL: message`. */
  readonly json: boolean
  /**
   * Returns the secrets to redact: tokens, keys, passwords. Called for each line, because secrets may change at run
   * time.
   */
  readonly secrets: () => readonly string[]
  readonly write: (line: string) => void
  /** Returns milliseconds since 1970. */
  readonly clock: () => number
}

/**
 * Creates a logger that writes one entry per call, with secrets redacted. A JSON entry is one line. A text entry is
 * also one line, except that stack traces continue on indented lines, so logged text cannot imitate an entry. Never
 * throws. An entry is dropped if the secrets cannot be read.
 */
export function createLogger(options: LoggerOptions): Logger {
  const least = LOG_LEVELS.indexOf(options.level)
  const logAt =
    (level: LogLevel) =>
    (message: string, ...args: readonly unknown[]) => {
      if (LOG_LEVELS.indexOf(level) < least) return
      try {
        const secrets = options.secrets()
        const line = options.json
          ? redact(formatJsonLine(level, message, args, options.clock()), listJsonForms(secrets))
          : sanitize(redact(formatTextLine(level, message, args, options.clock()), listTextForms(secrets)))
        options.write(`${line}\n`)
      } catch {
        // an error while logging must not interrupt the work that the entry describes
      }
    }
  return {
    debug: logAt('debug'),
    info: logAt('info'),
    warn: logAt('warn'),
    error: logAt('error'),
    fatal: logAt('fatal'),
  }
}

/** Value of a field in a log entry. */
export type FieldValue = string | number | boolean | null

/**
 * Named fields, passed as an argument to a logger. In JSON entries, fields become properties; they cannot override the
 * standard properties of an entry. In text entries, fields become `name=value`, with the value quoted if it would be
 * ambiguous.
 */
export class Fields {
  readonly values: Readonly<Record<string, FieldValue>>

  constructor(values: Readonly<Record<string, FieldValue>>) {
    this.values = values
  }

  toString(): string {
    const quoted = (value: FieldValue) => (/^[\w.:/@,+-]+$/.test(String(value)) ? String(value) : JSON.stringify(value))
    return Object.entries(this.values)
      .map(([name, value]) => `${name}=${quoted(value)}`)
      .join(' ')
  }
}

/** Logs a step at debug level. */
export type DebugLog = (message: string) => void

/**
 * Returns a function that logs debug messages, or undefined unless the log level is debug. In `debug?.(`text with
 * ${parts}`)`, the text is built only if it will be logged.
 */
export function createDebugLog(logger: Logger, level: LogLevel): DebugLog | undefined {
  return level === 'debug' ? (message) => logger.debug(message) : undefined
}

/** Logger that discards everything. */
export const SILENT: Logger = { debug() {}, info() {}, warn() {}, error() {}, fatal() {} }

function formatTextLine(level: LogLevel, message: unknown, args: readonly unknown[], now: number): string {
  const texts = args.map((arg) => (arg instanceof Fields ? String(arg) : formatValue(arg)))
  const time = toPlain(new Date(now))
  return [`${time} ${level.toUpperCase()}: ${formatValue(message)}`, ...texts].join(' ')
}

function formatJsonLine(level: LogLevel, message: unknown, args: readonly unknown[], now: number): string {
  const time = toPlain(new Date(now))
  const plain = args.filter((arg) => !(arg instanceof Fields)).map((arg) => toPlain(arg))
  const fields = args.filter((arg) => arg instanceof Fields).map(({ values }) => values)
  return JSON.stringify({ ...Object.assign({}, ...fields), time, level, message: formatValue(message), args: plain })
}

/** Escapes control characters, which could manipulate a terminal, and indents all lines after the first. */
function sanitize(entry: string): string {
  return escapeControls(entry.replace(/\r?\n(?=[^ ])/g, '\n    '))
}

const MIN_SECRET_LENGTH = 4
const REDACTED = '***'

/** Redacts secrets, longer forms first, because one secret can be the beginning of another secret. */
function redact(entry: string, forms: readonly string[]): string {
  const ordered = [...new Set(forms)].sort((a, b) => b.length - a.length)
  return ordered.reduce((hidden, form) => hidden.replaceAll(form, REDACTED), entry)
}

/** Returns the forms in which secrets can appear in text entries: verbatim, quoted, URL-encoded. */
function listTextForms(secrets: readonly string[]): string[] {
  return selectLongEnough(secrets).flatMap((secret) => [
    secret,
    escapeJson(secret),
    inspect(secret).slice(1, -1),
    encodeURIComponent(secret.toWellFormed()),
  ])
}

/** Returns the forms in which secrets can appear in JSON entries: escaped, escaped in nested JSON, URL-encoded. */
function listJsonForms(secrets: readonly string[]): string[] {
  return selectLongEnough(secrets).flatMap((secret) => [
    escapeJson(secret),
    escapeJson(escapeJson(secret)),
    escapeJson(inspect(secret).slice(1, -1)),
    encodeURIComponent(secret.toWellFormed()),
  ])
}

/**
 * Returns the secrets. For a secret with several lines, also returns each line separately, because a stack trace may
 * indent the lines. Omits very short secrets and lines: redacting them would hide ordinary words without protecting a
 * secret.
 */
function selectLongEnough(secrets: readonly string[]): readonly string[] {
  return secrets.flatMap((secret) => [secret, ...secret.split('\n')]).filter((form) => form.length >= MIN_SECRET_LENGTH)
}

function escapeJson(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}
