import { inspect } from 'node:util'

const DEEPEST = 8
const MOST_ITEMS = 1000

/**
 * Converts a value to JSON-compatible data for logs: errors with name, message, stack, cause and own properties, maps
 * and sets as arrays, big integers as digits. Circular references, nesting deeper than 8 and unreadable properties
 * become a word in brackets. Never throws.
 */
export function toPlain(value: unknown, above: readonly object[] = []): unknown {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object') return textOf(value)
  if (above.includes(value)) return '[circular]'
  if (above.length >= DEEPEST) return '[deep]'
  try {
    return plainObject(value, [...above, value])
  } catch {
    return '[unreadable]'
  }
}

function plainObject(value: object, above: readonly object[]): unknown {
  if (value instanceof Error) return plainError(value, above)
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString()
  if (value instanceof Map || value instanceof Set) return plainList([...value], above)
  if (Array.isArray(value)) return plainList(value, above)
  if (Buffer.isBuffer(value)) return `[${value.length} bytes]`
  if ('toJSON' in value && typeof value.toJSON === 'function') return toPlain(value.toJSON(), above)
  return Object.fromEntries(Object.keys(value).map((name) => [name, member(value, name, above)]))
}

function plainList(items: readonly unknown[], above: readonly object[]): unknown[] {
  const shown = items.slice(0, MOST_ITEMS).map((item) => toPlain(item, above))
  return items.length > MOST_ITEMS ? [...shown, `[${items.length - MOST_ITEMS} more]`] : shown
}

/** Converts an error. Its name, message, stack and cause are not enumerable, so JSON would omit them. */
function plainError(error: Error, above: readonly object[]): Record<string, unknown> {
  const plain: Record<string, unknown> = {}
  const hidden = ['name', 'message', 'stack', 'cause', 'errors'].filter((name) => name in error)
  for (const name of new Set([...hidden, ...Object.keys(error)])) plain[name] = member(error, name, above)
  return plain
}

function member(value: object, name: string, above: readonly object[]): unknown {
  try {
    return toPlain((value as Record<string, unknown>)[name], above)
  } catch {
    return '[unreadable]'
  }
}

/** Formats any value as text: strings as they are, errors with stack and cause. Never throws. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  try {
    return inspect(value, { breakLength: Infinity, depth: 4, maxStringLength: 10_000 })
  } catch {
    return '[unreadable]'
  }
}
