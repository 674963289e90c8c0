import { describe, expect, test } from 'vitest'
import {
  finishHash,
  getBucket,
  murmur3,
  ROLLOUT_SEED,
  startHash,
  toBucket,
  toPercentBucket,
  VARIANT_SEED,
} from './hash.ts'

describe('murmur3 of low bytes', () => {
  test.each([
    // columns: text, hash with seed 0, `% 100 + 1` of this hash, hash with the variant seed, `% 1000 + 1` of this hash
    ['g:u0', 1119267469, 70, 608933847, 848],
    ['f:u0', 3352847344, 45, 2627877864, 865],
    ['gr1:123', 538421172, 73, 4076427795, 796],
    ['用户:é0', 3925789854, 55, 1922969473, 474],
    [':', 723937430, 31, 3669076631, 632],
  ])('%j', (text, plain, percent, seeded, part) => {
    expect(murmur3(text, ROLLOUT_SEED)).toBe(plain)
    expect((murmur3(text, ROLLOUT_SEED) % 100) + 1).toBe(percent)
    expect(murmur3(text, VARIANT_SEED)).toBe(seeded)
    expect((murmur3(text, VARIANT_SEED) % 1000) + 1).toBe(part)
  })

  test.each([
    [-1, 95, 295, 3],
    [7, 7, 7, 0],
    [2 ** 31 - 1, 47, 647, 1],
  ])('the hash %i is in part %i of 100, %i of 1000 and %i of 7', (hash, ofHundred, ofThousand, ofSeven) => {
    expect([toPercentBucket(hash), toBucket(hash, 1000), toBucket(hash, 7)]).toEqual([ofHundred, ofThousand, ofSeven])
  })

  test('an empty text is 0', () => {
    expect(murmur3('', ROLLOUT_SEED)).toBe(0)
  })

  test('a text and the same text cut anywhere hash alike', () => {
    const text = 'group用:é-0123456789-😀'
    for (let cut = 0; cut <= text.length; cut++) {
      const prefix = startHash(text.slice(0, cut), VARIANT_SEED)
      expect(finishHash(prefix, text.slice(cut))).toBe(murmur3(text, VARIANT_SEED))
    }
  })

  test('the high byte of a character does not count, so this is not UTF-8', () => {
    expect(murmur3('\u0161', ROLLOUT_SEED)).toBe(murmur3('a', ROLLOUT_SEED))
    expect(murmur3('é', ROLLOUT_SEED)).not.toBe(murmur3('Ã©', ROLLOUT_SEED))
  })
})

describe('bucketOf', () => {
  const ids = (letter: string) => Array.from({ length: 20 }, (_, i) => `${letter}${i}`)
  const admitted = (group: string, letter: string) =>
    ids(letter)
      .map((id) => (getBucket(id, group, 100, ROLLOUT_SEED) <= 50 ? 1 : 0))
      .join('')

  test('50 % of u0…u19 and of é0…é19', () => {
    expect(admitted('g', 'u')).toBe('00001100010000011011')
    expect(admitted('用户', 'é')).toBe('01011100100101010110')
  })

  test('stays within 1..buckets', () => {
    const buckets = Array.from({ length: 10_000 }, (_, i) => getBucket(String(i), 'g', 100, ROLLOUT_SEED))
    expect([Math.min(...buckets), Math.max(...buckets)]).toEqual([1, 100])
  })
})
