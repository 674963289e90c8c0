import { isObject } from '@burgee/kit/input/is-object'
import type { Parser } from '@burgee/kit/options/parsers'

/** A context as parsed by `burgee evaluate`. */
export interface ContextInput {
  readonly userId?: string
  readonly sessionId?: string
  readonly remoteAddress?: string
  readonly environment?: string
  readonly appName?: string
  readonly currentTime?: Date
  readonly properties?: Readonly<Record<string, string>>
}

const FIELDS = new Set(['userId', 'sessionId', 'remoteAddress', 'environment', 'appName'])

/** Parses comma-separated `name=value` pairs, or the JSON object of a context. Unknown names become properties. */
export const contextList: Parser<ContextInput> = {
  expects: 'name=value, comma-separated, or a JSON object',
  parse: (value) => {
    if (isObject(value)) return toContext(value)
    const text = String(value).trim()
    return toContext(text.startsWith('{') ? parseObject(text) : parsePairs(text))
  },
}

function parseObject(text: string): Record<string, unknown> {
  const value: unknown = JSON.parse(text)
  if (!isObject(value)) throw new Error('no object')
  return value
}

/** Parses pairs. Values may contain commas, so a comma starts another pair only if a name and an equals sign follow. */
function parsePairs(text: string): Record<string, unknown> {
  return Object.fromEntries(
    text.split(/,(?=[^,=]+=)/).map((pair) => {
      const equals = pair.indexOf('=')
      if (equals <= 0) throw new Error('no pair')
      return [pair.slice(0, equals).trim(), pair.slice(equals + 1)]
    }),
  )
}

function toContext(given: Record<string, unknown>): ContextInput {
  const { properties: named, ...rest } = given
  const properties: Record<string, string> = {}
  const fields: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(rest)) {
    if (FIELDS.has(name)) fields[name] = String(value)
    else if (name === 'currentTime') fields[name] = parseTime(value)
    else properties[name.replace(/^properties\./, '')] = String(value)
  }
  if (isObject(named)) for (const [name, value] of Object.entries(named)) properties[name] = String(value)
  return { ...fields, properties }
}

function parseTime(value: unknown): Date {
  const time = new Date(String(value))
  if (Number.isNaN(time.getTime())) throw new Error('no time')
  return time
}
