import { tagOf } from '@burgee/kit/http/etag'

const DIGEST_BYTES = 20

/**
 * Returns the ETag of a list of toggles, from its length in bytes and two words. The words depend on the hashes of its
 * pieces and their order (`OutlineWriter` adds them up). The same toggles have the same ETag in every process.
 */
export function listTag(length: number, a: number, b: number): string {
  return tagOf(length, digestOf(a, b))
}

const digest = Buffer.allocUnsafeSlow(DIGEST_BYTES)

/** Spreads two words over the bytes of a digest. Different words give different digests. */
function digestOf(a: number, b: number): string {
  for (let at = 0; at < DIGEST_BYTES; at += 8) digest.writeInt32LE(mixed(a + at), at)
  for (let at = 4; at < DIGEST_BYTES; at += 8) digest.writeInt32LE(mixed(b + at), at)
  return digest.toString('base64')
}

/**
 * Mixes the bits of a word: each bit affects each bit of the result, and different words have different results
 * (murmur3).
 */
function mixed(word: number): number {
  let h = word | 0
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return h ^ (h >>> 16)
}
