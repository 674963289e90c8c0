/** Seed of rollouts: who is in. Source: client-specification 03. */
export const ROLLOUT_SEED = 0

/** Seed of variants: what they get. Differs from rollouts, so that the two do not correlate. Source: client-specification 08. */
export const VARIANT_SEED = 86028157

/** Buckets of a percentage. Not exported: V8 takes an exported constant for a variable, and divides twice as slowly. */
const PERCENT = 100
/** The sum of weights that user interfaces make: a constant divisor is several times as fast as any other. */
const USUAL_TOTAL = 1000

/** A murmur3 that has read the constant beginning of a text and waits for the rest. */
export interface HashPrefix {
  /** State over the whole 4-byte blocks read so far. */
  readonly state: number
  /** The 0 to 3 bytes behind the last whole block, the first one lowest. */
  readonly tail: number
  /** Bytes read so far. */
  readonly length: number
}

/** Mixes a block of four bytes, the first one lowest, before it meets the state. 0 stays 0. */
export function scramble(block: number): number {
  const mixed = Math.imul(block, 0xcc9e2d51)
  return Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593)
}

/** The next state, after a scrambled block was combined with it. */
export function rotateIn(state: number): number {
  return (Math.imul((state << 13) | (state >>> 19), 5) + 0xe6546b64) | 0
}

/** The hash, as a signed integer, of a state that was combined with the length of the text. */
export function avalanche(state: number): number {
  let hash = state ^ (state >>> 16)
  hash = Math.imul(hash, 0x85ebca6b)
  hash ^= hash >>> 13
  hash = Math.imul(hash, 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}

/** Reads the beginning of a text once, for any number of {@link finishHash}. Bytes as in {@link murmur3}. */
export function startHash(text: string, seed: number): HashPrefix {
  let state = seed | 0
  let tail = 0
  for (let i = 0; i < text.length; i++) {
    tail |= (text.charCodeAt(i) & 0xff) << ((i & 3) << 3)
    if ((i & 3) === 3) {
      state = rotateIn(state ^ scramble(tail))
      tail = 0
    }
  }
  return { state, tail, length: text.length }
}

/** murmur3 of the prefix followed by `rest`: an integer 0..2^32-1. Allocates nothing. */
export function finishHash(prefix: HashPrefix, rest: string): number {
  let { state, tail, length } = prefix
  for (let i = 0; i < rest.length; i++, length++) {
    tail |= (rest.charCodeAt(i) & 0xff) << ((length & 3) << 3)
    if ((length & 3) === 3) {
      state = rotateIn(state ^ scramble(tail))
      tail = 0
    }
  }
  if ((length & 3) !== 0) state ^= scramble(tail)
  return avalanche(state ^ length) >>> 0
}

/**
 * murmur3, x86, 32 bits, of the **low byte of every UTF-16 unit** of a text.
 *
 * @returns an integer 0..2^32-1
 *
 * The low byte is what the service's Node SDK hashes. It differs from UTF-8 for everything beyond ASCII, and no file of
 * the client-specification tests that: hash.test.ts does.
 */
export function murmur3(text: string, seed: number): number {
  return finishHash(startHash(text, seed), '')
}

/**
 * Puts an id into one of `buckets` equal parts, the same in every process.
 *
 * @param id      what sticks, e.g. a userId
 * @param groupId keeps flags apart, so that the same users are not always first
 * @param buckets 100 for rollouts (percent), the sum of weights for variants; a fraction gives fractional buckets
 * @param seed    {@link ROLLOUT_SEED} or {@link VARIANT_SEED}
 * @returns 1..buckets; a rollout of p % admits buckets ≤ p, so 0 % admits nobody
 *
 * Throws nothing. Source: client-specification 03, 08, 10, 12.
 */
export function bucketOf(id: string, groupId: string, buckets: number, seed: number): number {
  return (murmur3(`${groupId}:${id}`, seed) % buckets) + 1
}

/** A hash, as a signed integer, among a hundred equal parts: 0..99. */
export function percentOf(hash: number): number {
  return (hash >>> 0) % PERCENT
}

/** A hash, as a signed integer, among `total` equal parts: 0..total-1. */
export function partOf(hash: number, total: number): number {
  return total === USUAL_TOTAL ? (hash >>> 0) % USUAL_TOTAL : (hash >>> 0) % total
}
