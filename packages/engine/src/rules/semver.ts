import { parseSemver as parseStrictly, type Semver } from '@burgee/protocol/semver'

const MAX_LENGTH = 256
const DIGITS = /^\d+$/

/**
 * Parses a version from a document or context. Unlike the stricter parser of the protocol package, allows surrounding
 * whitespace and one leading "v". The text can have at most 256 characters.
 *
 * @returns undefined for all other text. Never throws. Source: client-specification 14.
 */
export function parseSemver(text: string): Semver | undefined {
  return text.length > MAX_LENGTH ? undefined : parseStrictly(text.trim().replace(/^v/, ''))
}

/**
 * Compares two versions by semver 2.0 §11: negative if `a` is lower, 0 if equal, positive if higher. A prerelease is
 * lower than its release. Source: client-specification 14.
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
