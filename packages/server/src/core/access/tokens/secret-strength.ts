/**
 * Minimum entropy of a secret that cannot be guessed. Source: OWASP ASVS, "tokens have at least 128 bits of entropy"
 */
export const MIN_SECRET_BITS = 128

/** Entropy of a word that is drawn from a list of 7,776 words (diceware). */
const WORD_BITS = Math.log2(7776)
const WORD = /^([a-z]+|[A-Z][a-z]*|[A-Z]+)$/
const DIGITS = /^\d+$/
/** Alphabets of machine-generated secrets, smallest first. The first three ignore dashes, as in UUIDs. */
const ALPHABETS: readonly (readonly [pattern: RegExp, size: number])[] = [
  [DIGITS, 10],
  [/^([\da-f]+|[\dA-F]+)$/, 16],
  [/^([\da-z]+|[\dA-Z]+)$/, 36],
  [/^[\w+/.-]+$/, 64],
]
const ALL_VISIBLE = 95
/** Minimum number of distinct characters in a machine-generated secret. */
const FEW = 8

/**
 * Estimates the entropy of a secret in bits: its length times the bits per character of its alphabet, assuming that an
 * attacker knows how the secret was generated. For words separated by dashes, estimates the entropy of randomly chosen
 * words. The result is an upper bound, because a secret that a person has chosen is easier to guess.
 */
export function estimateSecretBits(secret: string): number {
  const once = /^(.+?)\1+$/s.exec(secret)?.[1] ?? secret
  const parts = once.split(/[-_.]/)
  if (parts.length > 1 && parts.every((part) => WORD.test(part) || DIGITS.test(part))) {
    return parts.map(estimatePartBits).reduce((sum, bits) => sum + bits, 0)
  }
  return estimateBits(once)
}

function estimatePartBits(part: string): number {
  return DIGITS.test(part) ? part.length * Math.log2(10) : Math.min(WORD_BITS, part.length * Math.log2(26))
}

function estimateBits(text: string): number {
  const dashless = text.replaceAll('-', '')
  const written = /^[\da-z]*$|^[\dA-Z]*$/.test(dashless) ? dashless : text.replace(/=+$/, '')
  const different = new Set(written).size
  const size = ALPHABETS.find(([pattern]) => pattern.test(written))?.[1] ?? ALL_VISIBLE
  return written.length * Math.log2(different < FEW ? Math.max(1, different) : size)
}
