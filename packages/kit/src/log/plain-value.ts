import { inspect } from 'node:util'

const MAX_DEPTH = 8
const MAX_ITEMS = 1000

/**
 * Converts a value to data that can be logged as JSON. Errors become objects with name, message, stack, cause and their
 * other properties; maps and sets become arrays; big integers become strings of digits. Circular references, levels
 * below the eighth, and properties that cannot be read are replaced by a word in brackets. Never throws.
 */
export function toPlain(value: unknown, above: readonly object[] = []): unknown {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object') return formatValue(value)
  if (above.includes(value)) return '[circular]'
  if (above.length >= MAX_DEPTH) return '[deep]'
  try {
    return toPlainObject(value, [...above, value])
  } catch {
    return '[unreadable]'
  }
}

function toPlainObject(value: object, above: readonly object[]): unknown {
  if (value instanceof Error) return toPlainError(value, above)
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString()
  if (value instanceof Map || value instanceof Set) return toPlainList([...value], above)
  if (Array.isArray(value)) return toPlainList(value, above)
  if (Buffer.isBuffer(value)) return `[${value.length} bytes]`
  if ('toJSON' in value && typeof value.toJSON === 'function') return toPlain(value.toJSON(), above)
  return Object.fromEntries(Object.keys(value).map((name) => [name, readMember(value, name, above)]))
}

function toPlainList(items: readonly unknown[], above: readonly object[]): unknown[] {
  const shown = items.slice(0, MAX_ITEMS).map((item) => toPlain(item, above))
  return items.length > MAX_ITEMS ? [...shown, `[${items.length - MAX_ITEMS} more]`] : shown
}

/**
 * Converts an error. JSON would omit the name, message, stack and cause of an error, because these properties are not
 * enumerable.
 */
function toPlainError(error: Error, above: readonly object[]): Record<string, unknown> {
  const plain: Record<string, unknown> = {}
  const hidden = ['name', 'message', 'stack', 'cause', 'errors'].filter((name) => name in error)
  for (const name of new Set([...hidden, ...Object.keys(error)])) plain[name] = readMember(error, name, above)
  return plain
}

function readMember(value: object, name: string, above: readonly object[]): unknown {
  try {
    return toPlain((value as Record<string, unknown>)[name], above)
  } catch {
    return '[unreadable]'
  }
}

/** Formats any value as text: strings unchanged, errors with stack and cause. Never throws. */
export function formatValue(value: unknown): string {
  if (typeof value === 'string') return value
  try {
    return inspect(value, { breakLength: Infinity, depth: 4, maxStringLength: 10_000 })
  } catch {
    return '[unreadable]'
  }
}
