/**
 * Below so many bits a secret can be found by trying. Source: OWASP ASVS, "tokens have at least 128 bits of entropy"
 */
export const MIN_SECRET_BITS = 128

/** A word of a list of 7,776, as dice choose it. */
const WORD_BITS = Math.log2(7776)
const WORD = /^([a-z]+|[A-Z][a-z]*|[A-Z]+)$/
const DIGITS = /^\d+$/
/** Alphabets that machines write secrets in, the smallest first. Dashes in the first ones are those of UUIDs. */
const ALPHABETS: readonly (readonly [pattern: RegExp, size: number])[] = [
  [DIGITS, 10],
  [/^([\da-f]+|[\dA-F]+)$/, 16],
  [/^([\da-z]+|[\dA-Z]+)$/, 36],
  [/^[\w+/.-]+$/, 64],
]
const ALL_VISIBLE = 95
/** A secret of a machine has more different characters than this. */
const FEW = 8

/**
 * About how many bits somebody must guess who knows how a secret was made: its length times the bits of the alphabet it
 * is written in; for words between dashes, what choosing such words gives. An estimate from above: what a person made
 * up is easier.
 */
export function secretBits(secret: string): number {
  const once = /^(.+?)\1+$/s.exec(secret)?.[1] ?? secret
  const parts = once.split(/[-_.]/)
  if (parts.length > 1 && parts.every((part) => WORD.test(part) || DIGITS.test(part))) {
    return parts.map(bitsOfPart).reduce((sum, bits) => sum + bits, 0)
  }
  return bitsOf(once)
}

function bitsOfPart(part: string): number {
  return DIGITS.test(part) ? part.length * Math.log2(10) : Math.min(WORD_BITS, part.length * Math.log2(26))
}

function bitsOf(text: string): number {
  const dashless = text.replaceAll('-', '')
  const written = /^[\da-z]*$|^[\dA-Z]*$/.test(dashless) ? dashless : text.replace(/=+$/, '')
  const different = new Set(written).size
  const size = ALPHABETS.find(([pattern]) => pattern.test(written))?.[1] ?? ALL_VISIBLE
  return written.length * Math.log2(different < FEW ? Math.max(1, different) : size)
}
