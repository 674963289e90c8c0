import { inspect } from 'node:util'
import { escapeControls } from '../terminal-text.ts'
import { textOf, toPlain } from './plain.ts'

/** Log levels, least important first. Source: spec, option `logLevel`. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error', 'fatal'] as const
export type LogLevel = (typeof LOG_LEVELS)[number]

/** What every part logs through; users may bring their own. Arguments are appended to the message. */
export type Logger = Readonly<Record<LogLevel, (message: string, ...args: readonly unknown[]) => void>>

/** Whether a value can be logged through. */
export function isLogger(value: unknown): value is Logger {
  return (
    typeof value === 'object' &&
    value !== null &&
    LOG_LEVELS.every((level) => level in value && typeof value[level as keyof typeof value] === 'function')
  )
}

/** How the built-in logger writes. */
export interface LoggerOptions {
  /** The least level written. */
  readonly level: LogLevel
  /** One JSON object per line instead of `time LEVEL: message`. */
  readonly json: boolean
  /** Texts that never appear in the log: tokens, keys, passwords. Read again for each line, as they may be replaced. */
  readonly secrets: () => readonly string[]
  readonly write: (line: string) => void
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

/**
 * Makes a logger of one entry per call, without secrets. A JSON entry is one line; a text entry is one line too, but
 * for stacks, whose further lines are indented, so that no logged text can pass for an entry of its own.
 * Never throws, whatever it is given; an entry whose secrets cannot be looked up is not written.
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
          ? hide(jsonLine(level, message, args, options.clock()), jsonForms(secrets))
          : harmless(hide(textLine(level, message, args, options.clock()), textForms(secrets)))
        options.write(`${line}\n`)
      } catch {
        // A log that cannot be written must not end the work that it tells of
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

/** What can be said of something by name. */
export type FieldValue = string | number | boolean | null

/**
 * An argument for loggers that is read by machines: members of the entry itself in JSON, where they replace nothing of it,
 * `name=value` in text, quoted where a value could be taken for more than one.
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

/** Says what is done step by step. */
export type Debug = (message: string) => void

/**
 * What steps are said to; undefined unless the least level is debug, so that `debug?.(`a text of ${parts}`)` puts no text
 * together that nobody will read.
 */
export function debugOf(logger: Logger, level: LogLevel): Debug | undefined {
  return level === 'debug' ? (message) => logger.debug(message) : undefined
}

/** A logger that says nothing. */
export const SILENT: Logger = { debug() {}, info() {}, warn() {}, error() {}, fatal() {} }

function textLine(level: LogLevel, message: unknown, args: readonly unknown[], now: number): string {
  const texts = args.map((arg) => (arg instanceof Fields ? String(arg) : textOf(arg)))
  const time = toPlain(new Date(now))
  return [`${time} ${level.toUpperCase()}: ${textOf(message)}`, ...texts].join(' ')
}

function jsonLine(level: LogLevel, message: unknown, args: readonly unknown[], now: number): string {
  const time = toPlain(new Date(now))
  const plain = args.filter((arg) => !(arg instanceof Fields)).map((arg) => toPlain(arg))
  const fields = args.filter((arg) => arg instanceof Fields).map(({ values }) => values)
  return JSON.stringify({ ...Object.assign({}, ...fields), time, level, message: textOf(message), args: plain })
}

/** Control characters as escapes, for they can rewrite a terminal; further lines begin with blanks. */
function harmless(entry: string): string {
  return escapeControls(entry.replace(/\r?\n(?=[^ ])/g, '\n    '))
}

const SHORTEST_SECRET = 4
const SHOWN = '***'

/** Longer forms first: a secret may begin with another one. */
function hide(entry: string, forms: readonly string[]): string {
  const ordered = [...new Set(forms)].sort((a, b) => b.length - a.length)
  return ordered.reduce((hidden, form) => hidden.replaceAll(form, SHOWN), entry)
}

/** How secrets may look in text: as they are, quoted, within a URL. */
function textForms(secrets: readonly string[]): string[] {
  return longEnough(secrets).flatMap((secret) => [
    secret,
    escaped(secret),
    inspect(secret).slice(1, -1),
    encodeURIComponent(secret.toWellFormed()),
  ])
}

/** How secrets may look in JSON: escaped, within JSON that is a text itself, within a URL. */
function jsonForms(secrets: readonly string[]): string[] {
  return longEnough(secrets).flatMap((secret) => [
    escaped(secret),
    escaped(escaped(secret)),
    escaped(inspect(secret).slice(1, -1)),
    encodeURIComponent(secret.toWellFormed()),
  ])
}

/**
 * Secrets and their single lines, for a stack may indent them. Very short values would black out ordinary words, and
 * protect nothing.
 */
function longEnough(secrets: readonly string[]): readonly string[] {
  return secrets.flatMap((secret) => [secret, ...secret.split('\n')]).filter((form) => form.length >= SHORTEST_SECRET)
}

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}
