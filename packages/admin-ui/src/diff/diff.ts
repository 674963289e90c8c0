/** Difference between two values at one path. */
export interface Difference {
  /** Path, such as `constraints.0.values`. */
  readonly path: string
  readonly before: unknown
  readonly after: unknown
}

type Tree = Readonly<Record<string, unknown>>

/** Returns the differences between two values, recursively. A list of primitive values counts as a single value. */
export function findDifferences(before: unknown, after: unknown, path = ''): Difference[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return []
  if (!isTree(before) && !isTree(after)) return [{ path, before, after }]
  const left = isTree(before) ? before : {}
  const right = isTree(after) ? after : {}
  const names = [...new Set([...Object.keys(left), ...Object.keys(right)])]
  return names.flatMap((name) => findDifferences(left[name], right[name], path === '' ? name : `${path}.${name}`))
}

function isTree(value: unknown): value is Tree {
  if (typeof value !== 'object' || value === null) return false
  return !Array.isArray(value) || value.some((one) => typeof one === 'object' && one !== null)
}

/** Formats a value for display. */
export function formatValue(value: unknown): string {
  if (value === undefined || value === null) return '–'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Returns false if the value is empty on both sides. */
export function isMeaningful({ before, after }: Difference): boolean {
  return !(isEmpty(before) && isEmpty(after))
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
}
