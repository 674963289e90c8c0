/** Polynomial of CRC-32, reflected: bit 31 is the coefficient of x⁰, and x³² is omitted. Source: RFC 1952 §8. */
const POLYNOMIAL = 0xedb88320
const ONE = 0x80000000

/** Multiplies two polynomials over GF(2) modulo the CRC-32 polynomial. */
function multiply(one: number, other: number): number {
  let product = 0
  let shifted = other
  for (let bit = 31; bit >= 0; bit -= 1) {
    if ((one >>> bit) & 1) product ^= shifted
    shifted = shifted & 1 ? (shifted >>> 1) ^ POLYNOMIAL : shifted >>> 1
  }
  return product >>> 0
}

/**
 * The polynomials x⁸, x¹⁶, x³² and so on. Multiplying a checksum by one of these polynomials has the same effect as
 * appending 1, 2, 4 and so on zero bytes.
 */
const POWERS = buildPowers(ONE >>> 8)

function buildPowers(first: number): readonly number[] {
  const powers = [first]
  for (let bit = 1; bit < 32; bit += 1) {
    const last = powers[bit - 1] ?? 0
    powers.push(multiply(last, last))
  }
  return powers
}

/**
 * Computes the CRC-32 of two concatenated texts from the CRC-32 of each text and the length of the second text. The
 * length is given in bytes and must be below 2³².
 */
export function joinCrc32(first: number, second: number, secondBytes: number): number {
  let moved = first >>> 0
  for (let bit = 0, rest = secondBytes; rest > 0; bit += 1, rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) moved = multiply(moved, POWERS[bit] ?? 0)
  }
  return (moved ^ second) >>> 0
}
