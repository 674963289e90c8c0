import { createRecordClass } from '../record-class.ts'

/** Value in a parsed query: a string, an array (`x=1&x=2`, `x[]=1`) or an object (`x[a]=1`) without a prototype. */
export type QueryValue = string | QueryValue[] | { [name: string]: QueryValue }

const MAX_PARAMETERS = 1000
const MAX_DEPTH = 5
/**
 * Part of a name that denotes a list item: `x[]`, or an index from `x[0]` to `x[20]`. Greater numbers are treated as
 * property names.
 */
const LIST_STEP = /^(|\d|1\d|20)$/
const MAX_LIST_STEP_LENGTH = 2

/**
 * Parses `a=1&properties[b]=2`. Never throws. Malformed percent-encoding is left as it is. Drops all parameters after
 * the first thousand, and the parameter `__proto__`. If a name is nested deeper than five levels, the remainder of the
 * name becomes one property name. Array items stay in the order in which they occur in the query. Ignores everything
 * after a `#`.
 */
export function parseQueryString(text: string): Record<string, QueryValue> {
  const root = new Names()
  const hash = text.indexOf('#')
  const length = hash < 0 ? text.length : hash
  let start = 0
  for (let count = 0; count < MAX_PARAMETERS && start < length; count++) {
    const ampersand = text.indexOf('&', start)
    const end = ampersand < 0 || ampersand > length ? length : ampersand
    if (end > start) addPair(root, text.slice(start, end))
    start = end + 1
  }
  return root
}

const Names = createRecordClass<QueryValue>()

function addPair(root: Record<string, QueryValue>, part: string): void {
  const equals = part.indexOf('=')
  const name = decode(equals < 0 ? part : part.slice(0, equals))
  const value = equals < 0 ? '' : decode(part.slice(equals + 1))
  if (name.indexOf('[') > 0) addNested(root, splitName(name), value)
  else if (name !== '__proto__') root[name] = appendValue(root[name], value)
}

/** Splits a name: `a[b][]` → ['a', 'b', '']. */
function splitName(name: string): string[] {
  const open = name.indexOf('[')
  // fast path for a name with a single pair of brackets
  if (name.indexOf(']') === name.length - 1 && name.lastIndexOf('[') === open && name.endsWith(']')) {
    return [name.slice(0, open), name.slice(open + 1, -1)]
  }
  const path = [name.slice(0, open)]
  const pattern = /\[([^[\]]*)\]/gy
  pattern.lastIndex = open
  while (path.length <= MAX_DEPTH) {
    const start = pattern.lastIndex
    const match = pattern.exec(name)
    if (match === null) {
      if (start < name.length && start > 0) path.push(name.slice(start))
      return path
    }
    path.push(match[1] ?? '')
    if (pattern.lastIndex === name.length) return path
  }
  return [...path, name.slice(pattern.lastIndex)]
}

function addNested(root: Record<string, QueryValue>, path: readonly string[], value: string): void {
  if (path.includes('__proto__')) return
  let at = root
  for (let index = 0; index < path.length; index++) {
    const step = path[index] as string
    const next = path[index + 1]
    if (next === undefined) {
      at[step] = appendValue(at[step], value)
      return
    }
    if (next.length <= MAX_LIST_STEP_LENGTH && LIST_STEP.test(next)) {
      at[step] = [...toList(at[step]), value]
      return
    }
    const inner = at[step]
    const child = isObject(inner) ? inner : new Names()
    at[step] = child
    at = child
  }
}

function appendValue(before: QueryValue | undefined, value: string): QueryValue {
  if (before === undefined) return value
  return isObject(before) ? before : [...toList(before), value]
}

function toList(value: QueryValue | undefined): QueryValue[] {
  if (value === undefined) return []
  return Array.isArray(value) ? value : [value]
}

function isObject(value: QueryValue | undefined): value is Record<string, QueryValue> {
  return typeof value === 'object' && !Array.isArray(value)
}

function decode(text: string): string {
  if (!text.includes('%') && !text.includes('+')) return text
  const spaced = text.replaceAll('+', ' ')
  try {
    return decodeURIComponent(spaced)
  } catch {
    return spaced
  }
}
