import { murmur3 } from '@burgee/engine/rules/hash'
import { parseCall, parseField } from './json-logic.ts'

/** A part of a fractional rule; `variant` is null for the default variant. */
export interface Fraction {
  readonly variant: unknown
  readonly weight: number
}

/** Parts of a fractional rule; the part is chosen by the value of a field or by a constant string. */
export type Fractions = { readonly shares: readonly Fraction[] } & (
  | { readonly field: string; readonly missing: string | undefined }
  | { readonly constant: string }
)

const MAX_TOTAL = 2_147_483_647
const HASHES = 2 ** 32
/** Pattern for ASCII strings. The hash of an ASCII string does not depend on the encoding. */
const ASCII = /^[\0-\x7f]*$/
/** String that flagd inserts for a missing field. */
const MISSING = 'null'

/**
 * Parses a fractional rule. Returns undefined for a rule that flagd rejects. In flagd, a rejected rule gives the
 * default variant.
 */
export function parseShares(
  args: readonly unknown[],
  flag: string,
): Fractions | { readonly unknown: string } | undefined {
  const [first, ...others] = args
  if (!isText(first) && (typeof first !== 'object' || first === null)) return undefined
  const isByUser = Array.isArray(first)
  const by = isByUser ? { field: 'userId', missing: undefined } : parseBucketKey(first, flag)
  if (by === undefined) return { unknown: 'its percentages are assigned by an expression' }
  const rows = isByUser ? args : others
  if (rows.some(isComputed)) return { unknown: 'a name or a weight of its percentages is computed' }
  // if the field contained a list instead of a string, flagd would interpret the list as a part of the rule
  const rejected = isByUser || 'constant' in by ? undefined : { unknown: 'its percentages are malformed' }
  if (!rows.every(isShare)) return rejected
  const shares = rows.map(([variant = null, weight = 1]) => ({ variant, weight: Math.max(0, Number(weight)) }))
  const total = shares.reduce((sum, { weight }) => sum + weight, 0)
  return total === 0 || total > MAX_TOTAL ? rejected : { shares, ...by }
}

/** Returns the index of the part whose hash range contains a string. */
export function findShareIndex(shares: readonly Fraction[], text: string): number {
  const total = shares.reduce((sum, { weight }) => sum + weight, 0)
  const bucket = (BigInt(murmur3(text, 0)) * BigInt(total)) / BigInt(HASHES)
  let sum = 0
  return shares.findIndex(({ weight }) => {
    sum += weight
    return BigInt(sum) > bucket
  })
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isComputed(row: unknown): boolean {
  if (!Array.isArray(row)) return typeof row === 'object' && row !== null
  return row.some((part) => typeof part === 'object' && part !== null)
}

function isShare(row: unknown): row is readonly unknown[] {
  if (!Array.isArray(row) || row.length === 0 || row.length > 2) return false
  return row.length === 1 || Number.isInteger(row[1])
}

/**
 * Returns the value that is hashed to choose a part: a constant, `{"var": field}`, or the flag key concatenated with a
 * field. The concatenation is always a string.
 */
function parseBucketKey(value: unknown, flag: string) {
  if (isText(value)) return ASCII.test(value) ? { constant: value } : undefined
  const call = parseCall(value)
  const own = parseField(value)
  if (own !== undefined) return { field: own, missing: undefined }
  const [first, second, ...more] = call?.args ?? []
  const key = parseCall(first)?.args[0] === '$flagd.flagKey' ? flag : first
  const field = parseField(second)
  if (call?.name !== 'cat' || !isText(key) || !ASCII.test(key) || field === undefined || more.length > 0)
    return undefined
  return { field, missing: `${key}${MISSING}` }
}
