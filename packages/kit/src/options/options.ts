import { readFileSync } from 'node:fs'
import { type Flag, parseArgv } from './argv.ts'
import { CurrentValue, getCurrent } from './current-value.ts'
import { findNearestName, formatSuggestion } from './nearest.ts'
import type { Parser } from './parsers.ts'
import { isServiceLink } from './service-links.ts'

/** Option: the sources of its value, its format and its description. */
export interface OptionRow<T = unknown> {
  /**
   * Names of environment variables; the first variable that is set wins. A secret can also be read from the file that
   * `<NAME>_FILE` names.
   */
  readonly env?: readonly string[]
  readonly parse: Parser<T>
  readonly default?: T
  /** Description of a default that is computed at startup, such as "generated". */
  readonly defaultDoc?: string
  readonly required?: boolean
  /** True if the value must never appear in a log line or error message. */
  readonly secret?: boolean
  /** True to convert a value from a `_FILE` variable to a CurrentValue, which reads the file again at each use. */
  readonly reread?: boolean
  /** True if the option can be set only in code. */
  readonly codeOnly?: boolean
  /** Single letter of the flag: `p` for `-p`. */
  readonly letter?: string
  /** Alternative long flag, named as other components name the option: `host` for `--host`. */
  readonly alias?: string
  /** True for a list whose flag may be given several times. */
  readonly isRepeatable?: boolean
  readonly unit?: string
  readonly doc: string
}

/**
 * Options by name; a dot in a name (`cors.origin`) stands for a nested object in code and for a hyphen on the command
 * line.
 */
export type OptionTable = Readonly<Record<string, OptionRow>>

type ValueOf<R> = R extends { readonly parse: Parser<infer T> } ? T : never
type ParsedOf<R> = R extends { readonly reread: true } ? ValueOf<R> | CurrentValue<ValueOf<R>> : ValueOf<R>
type IsSet<R> = R extends { readonly required: true } ? true : R extends { readonly default: unknown } ? true : false

/**
 * Parsed values by option name; names with dots are not nested. A value is undefined only if the option is not set and
 * has no default.
 */
export type Parsed<T extends OptionTable> = {
  readonly [K in keyof T]: IsSet<T[K]> extends true ? ParsedOf<T[K]> : ParsedOf<T[K]> | undefined
}

type HeadName<K> = K extends `${infer H}.${string}` ? H : K
type NestedOptions<T, H extends string> = {
  [K in keyof T as K extends `${H}.${infer Rest}` ? HeadName<Rest> : never]?: K extends `${H}.${infer Rest}`
    ? Rest extends `${string}.${string}`
      ? Readonly<Record<string, ValueOf<T[K]>>>
      : LooseValue<ValueOf<T[K]>>
    : never
}
type LooseValue<V> = V extends boolean ? boolean : V extends readonly string[] ? V | string : V

/** Options as passed in code: all are optional, and names with dots are nested. */
export type OptionsInput<T extends OptionTable> = {
  readonly [K in keyof T as HeadName<K>]?: K extends `${infer H}.${string}`
    ? NestedOptions<T, H>
    : LooseValue<ValueOf<T[K]>> | undefined
}

/**
 * Sources of option values: code overrides the command line, which overrides the environment, which overrides defaults.
 */
export interface OptionSources {
  readonly given?: object
  readonly argv?: readonly string[]
  readonly env?: Readonly<Record<string, string | undefined>>
}

/**
 * Error that reports all invalid options at once. The message has one line for each invalid option and never contains a
 * secret value.
 */
export class OptionsError extends Error {
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(problems.join('\n'))
    this.name = 'OptionsError'
    this.problems = problems
  }
}

/**
 * Parses the options of a table. Empty values, in variables as well as in code, count as not set. Variables that
 * Kubernetes sets for a Service also count as not set. The variable of a secret overrides its `_FILE` variable; both
 * override the next variable that the option names. Throws an OptionsError that names every missing, malformed or
 * unknown option.
 */
export function parseOptions<const T extends OptionTable>(table: T, sources: OptionSources): Parsed<T> {
  const problems: string[] = []
  const given = flatten(sources.given ?? {}, table, problems)
  const argv = parseArgv(sources.argv ?? [], buildFlags(table), problems)
  const values: Record<string, unknown> = {}
  for (const [name, row] of Object.entries(table)) {
    try {
      values[name] = readRow(name, row, { code: given.get(name), argument: argv.get(name), env: sources.env ?? {} })
    } catch (error) {
      problems.push(error instanceof Error ? error.message : String(error))
    }
  }
  if (problems.length > 0) throw new OptionsError(problems)
  return values as Parsed<T>
}

/**
 * Returns where the value of an option came from, for error messages: `PORT (option "port")`, `--port`, `option
 * "port"`.
 */
export function describeSource(
  table: OptionTable,
  name: string,
  { given = {}, argv = [], env = {} }: OptionSources,
): string {
  const row = table[name]
  const code = flatten(given, table, []).get(name)
  const argument = parseArgv(argv, buildFlags(table), []).get(name)
  return (row && findValue(name, row, { code, argument, env })?.source) ?? `option "${name}"`
}

function buildFlags(table: OptionTable): ReadonlyMap<string, Flag> {
  const rows = Object.entries(table).filter(([, row]) => row.codeOnly !== true)
  return new Map(
    rows.flatMap(([name, row]) => {
      const flag = { name, isSwitch: row.parse.isSwitch === true, isRepeatable: row.isRepeatable === true }
      return listFlags(name, row).map((written) => [written.replace(/^--?/, ''), flag] as const)
    }),
  )
}

/** Returns the command-line flags of an option with their hyphens, preferred flag first. */
export function listFlags(name: string, { alias, letter }: OptionRow): string[] {
  const flags = [`--${toKebabCase(name)}`]
  if (alias !== undefined) flags.push(`--${alias}`)
  if (letter !== undefined) flags.push(`-${letter}`)
  return flags
}

/** Returns the names of all environment variables of a table, including the `_FILE` variables. */
export function listVariables(table: OptionTable): ReadonlySet<string> {
  return new Set(Object.values(table).flatMap(({ env = [] }) => env.flatMap((name) => [name, `${name}_FILE`])))
}

/** Returns the values of all secret options, which the logger redacts. */
export function listSecrets(table: OptionTable, values: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(table)
    .filter(([, row]) => row.secret === true)
    .flatMap(([name]) => listTexts(getCurrent(values[name])))
    .filter((value): value is string => typeof value === 'string')
}

/** Returns the strings in a value, which is a string, a list, or an object with strings. */
function listTexts(value: unknown): readonly unknown[] {
  return typeof value === 'object' && value !== null ? Object.values(value) : [value]
}

/** Values that each source gives for one option. */
interface RawValues {
  readonly code: unknown
  readonly argument: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
}

interface FoundValue {
  readonly read: () => unknown
  readonly source: string
  readonly isFile?: boolean
}

function readRow(name: string, row: OptionRow, given: RawValues): unknown {
  const found = findValue(name, row, given)
  if (found !== undefined) {
    const read = () => parseValue(row, found.read(), found.source)
    return found.isFile === true && row.reread === true ? new CurrentValue(read) : read()
  }
  if (row.required === true) throw new Error(describeMissing(name, row))
  return row.default
}

/** Returns the value that takes effect and its source; undefined if no source gives a value. */
function findValue(name: string, row: OptionRow, { code, argument, env }: RawValues): FoundValue | undefined {
  if (code !== undefined) return { read: () => code, source: `option "${name}"` }
  if (argument !== undefined) return { read: () => argument, source: `--${toKebabCase(name)}` }
  for (const variable of row.env ?? []) {
    const value = env[variable]
    if (value !== undefined && value !== '' && !isServiceLink(variable, value)) {
      return { read: () => value, source: `${variable} (option "${name}")` }
    }
    const file = `${variable}_FILE`
    const path = row.secret === true ? env[file] : undefined
    if (path !== undefined && path !== '') {
      return { read: () => readSecretFile(file, path), source: `${file} (option "${name}")`, isFile: true }
    }
  }
  return undefined
}

function describeMissing(name: string, row: OptionRow): string {
  const variables = (row.env ?? []).join(' or ')
  return `You must specify the ${name} option (${variables}): ${row.doc}`
}

function parseValue(row: OptionRow, value: unknown, source: string): unknown {
  try {
    return row.parse.parse(value)
  } catch {
    throw new Error(`${source} must be ${row.parse.expects}${row.secret === true ? '' : describeValue(value)}`)
  }
}

/**
 * Formats a value for an error message. Omits objects and functions, which may contain secrets, and removes the
 * credentials from URLs.
 */
function describeValue(value: unknown): string {
  if (typeof value === 'object' || typeof value === 'function') return ''
  return `, not ${typeof value === 'string' ? JSON.stringify(value).replace(/\/\/[^/\s]*@/g, '//***@') : String(value)}`
}

function readSecretFile(variable: string, path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable'
    throw new Error(`${variable}: cannot read the file ${path} (${reason})`)
  }
}

/**
 * Flattens options that are passed in code: `{cors: {maxAge}}` → `cors.maxAge`. Undefined, null and '' count as not
 * given.
 */
function flatten(given: object, table: OptionTable, problems: string[]): Map<string, unknown> {
  const flat = new Map<string, unknown>()
  const names = Object.keys(table)
  const walk = (value: object, prefix: string): void => {
    for (const [key, item] of Object.entries(value)) {
      const name = `${prefix}${key}`
      if (item === undefined || item === null || (item === '' && Object.hasOwn(table, name))) continue
      if (Object.hasOwn(table, name)) flat.set(name, item)
      else if (!names.some((known) => known.startsWith(`${name}.`))) problems.push(describeUnknown(name, names))
      else if (typeof item === 'object' && !Array.isArray(item)) walk(item, `${name}.`)
      else problems.push(`option "${name}" must be an object`)
    }
  }
  walk(given, '')
  return flat
}

function describeUnknown(name: string, names: readonly string[]): string {
  const nearest = findNearestName(name, names)
  return `Unknown option "${name}"${formatSuggestion(nearest === undefined ? undefined : `"${nearest}"`)}`
}

/** Converts an option name to kebab case: `proxyBasePath` → `proxy-base-path`, `cors.maxAge` → `cors-max-age`. */
export function toKebabCase(name: string): string {
  return name
    .replaceAll('.', '-')
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
}
