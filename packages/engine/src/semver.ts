/** A version, taken apart. Build metadata is no part of the order and is dropped. */
export interface Semver {
  readonly numbers: readonly [major: number, minor: number, patch: number]
  readonly prerelease: readonly string[]
}

const NUMBER = '(0|[1-9]\\d*)'
const IDENTIFIER = '(?:0|[1-9]\\d*|\\d*[A-Za-z-][0-9A-Za-z-]*)'
const VERSION = new RegExp(
  `^v?${NUMBER}\\.${NUMBER}\\.${NUMBER}(?:-(${IDENTIFIER}(?:\\.${IDENTIFIER})*))?(?:\\+[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*)?$`,
)
const MAX_LENGTH = 256
const DIGITS = /^\d+$/

/**
 * Reads a version strictly by semver 2.0: three numbers without leading zeros, at most 2^53-1 each, 256 characters in
 * all. Blanks around it and one leading "v" are allowed.
 *
 * @returns undefined for anything else. Throws nothing. Source: client-specification 14.
 */
export function parseSemver(text: string): Semver | undefined {
  if (text.length > MAX_LENGTH) return undefined
  const match = VERSION.exec(text.trim())
  if (!match) return undefined
  const [major, minor, patch] = [Number(match[1]), Number(match[2]), Number(match[3])]
  if (Math.max(major, minor, patch) > Number.MAX_SAFE_INTEGER) return undefined
  return { numbers: [major, minor, patch], prerelease: match[4]?.split('.') ?? [] }
}

/**
 * Order of two versions by semver 2.0 §11: negative when `a` is lower, 0 when equal, positive when higher.
 * A prerelease is lower than its release. Source: client-specification 14.
 */
export function compareSemver(a: Semver, b: Semver): number {
  for (let i = 0; i < 3; i++) {
    const order = (a.numbers[i] ?? 0) - (b.numbers[i] ?? 0)
    if (order !== 0) return order
  }
  return comparePrerelease(a.prerelease, b.prerelease)
}

function comparePrerelease(a: readonly string[], b: readonly string[]): number {
  if (a.length === 0 || b.length === 0) return b.length - a.length
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const order = compareIdentifiers(a[i] ?? '', b[i] ?? '')
    if (order !== 0) return order
  }
  return a.length - b.length
}

function compareIdentifiers(a: string, b: string): number {
  const [aIsNumber, bIsNumber] = [DIGITS.test(a), DIGITS.test(b)]
  if (aIsNumber && bIsNumber) return Number(a) - Number(b)
  if (aIsNumber !== bIsNumber) return aIsNumber ? -1 : 1
  if (a === b) return 0
  return a < b ? -1 : 1
}
