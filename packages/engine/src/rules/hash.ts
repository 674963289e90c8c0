/** Seed of rollouts. Source: client-specification 03. */
export const ROLLOUT_SEED = 0

/**
 * Seed of variants. This seed differs from the seed for rollouts, so that variants and rollouts do not correlate.
 * Source: client-specification 08.
 */
export const VARIANT_SEED = 86028157

/**
 * Number of buckets that percentages are divided into. The constant is not exported, because V8 treats an exported
 * constant as a variable, and a division by a variable takes twice as long.
 */
const PERCENT = 100
/**
 * The most common sum of weights, because user interfaces produce it. Division by a constant is several times faster.
 */
const DEFAULT_TOTAL = 1000

/** Intermediate murmur3 state after the constant prefix of a hashed text. */
export interface HashPrefix {
  /** State after the complete 4-byte blocks of the prefix. */
  readonly state: number
  /** The 0 to 3 bytes after the last whole block, packed with the first byte lowest. */
  readonly tail: number
  /** Number of bytes read so far. */
  readonly length: number
}

/**
 * Scrambles a block of four bytes (packed with the first byte lowest). The scrambled block is then combined with the
 * state. 0 stays 0.
 */
export function scramble(block: number): number {
  const mixed = Math.imul(block, 0xcc9e2d51)
  return Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593)
}

/** Returns the next state, given a state that was combined with a scrambled block. */
export function rotateIn(state: number): number {
  return (Math.imul((state << 13) | (state >>> 19), 5) + 0xe6546b64) | 0
}

/** Finalizes a state that was combined with the length of the text. Returns the hash as a signed integer. */
export function avalanche(state: number): number {
  let hash = state ^ (state >>> 16)
  hash = Math.imul(hash, 0x85ebca6b)
  hash ^= hash >>> 13
  hash = Math.imul(hash, 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}

/**
 * Hashes the prefix of a text once, for any number of {@link finishHash} calls. Takes the same bytes as {@link
 * murmur3}.
 */
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

/** Returns murmur3 of the prefix followed by `rest`: an integer 0..2^32-1. Allocates nothing. */
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
 * Returns murmur3 (x86, 32 bits) of the **low byte of every UTF-16 unit** of a text.
 *
 * @returns an integer 0..2^32-1
 *
 * The Unleash Node SDK hashes low bytes. The hash therefore differs from a UTF-8 hash for non-ASCII text. This
 * difference is tested in hash.test.ts, but not in the client-specification.
 */
export function murmur3(text: string, seed: number): number {
  return finishHash(startHash(text, seed), '')
}

/**
 * Maps an id to one of `buckets` parts of equal size, with the same result in every process.
 *
 * @param id      sticky id, e.g. a userId
 * @param groupId prefix of the hashed text, so that different flags do not all include the same users first
 * @param buckets 100 for rollouts (percent), the sum of weights for variants; a fraction gives fractional buckets
 * @param seed    {@link ROLLOUT_SEED} or {@link VARIANT_SEED}
 * @returns 1..buckets; a rollout of p % includes buckets ≤ p, so 0 % includes nothing
 *
 * Never throws. Source: client-specification 03, 08, 10, 12.
 */
export function getBucket(id: string, groupId: string, buckets: number, seed: number): number {
  return (murmur3(`${groupId}:${id}`, seed) % buckets) + 1
}

/** Maps a hash (signed integer) to a percentage bucket 0..99. */
export function toPercentBucket(hash: number): number {
  return (hash >>> 0) % PERCENT
}

/** Maps a hash (signed integer) to one of `total` parts of equal size: 0..total-1. */
export function toBucket(hash: number, total: number): number {
  return total === DEFAULT_TOTAL ? (hash >>> 0) % DEFAULT_TOTAL : (hash >>> 0) % total
}
