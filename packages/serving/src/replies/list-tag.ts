import { formatEtag } from '@burgee/kit/http/etag'

const DIGEST_BYTES = 20

/**
 * Returns the ETag of a list of toggles, computed from its length in bytes and two 32-bit words. `OutlineWriter`
 * computes these words from the hashes and the order of the pieces. Equal lists of toggles have the same ETag, in every
 * process.
 */
export function formatListTag(length: number, a: number, b: number): string {
  return formatEtag(length, spreadDigest(a, b))
}

const digest = Buffer.allocUnsafeSlow(DIGEST_BYTES)

/** Writes two words into the bytes of the digest. Different pairs of words produce different digests. */
function spreadDigest(a: number, b: number): string {
  for (let at = 0; at < DIGEST_BYTES; at += 8) digest.writeInt32LE(mixBits(a + at), at)
  for (let at = 4; at < DIGEST_BYTES; at += 8) digest.writeInt32LE(mixBits(b + at), at)
  return digest.toString('base64')
}

/**
 * Mixes the bits of a word, so that each input bit affects each bit of the result. Different words always produce
 * different results (murmur3).
 */
function mixBits(word: number): number {
  let h = word | 0
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return h ^ (h >>> 16)
}
