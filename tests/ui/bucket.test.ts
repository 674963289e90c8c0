import { finishHash, ROLLOUT_SEED, startHash } from '@burgee/engine/hash'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bucketOf } from '../../packages/admin/src/playground/bucket.ts'
import { spread } from '../../packages/admin/src/strategy/weights.ts'

test('the bucket that the playground shows is the one of the evaluator', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (group, id) => {
      const hash = finishHash(startHash(`${group}:`, ROLLOUT_SEED), id)
      expect(bucketOf(group, id)).toBe((hash % 100) + 1)
    }),
  )
})

test.each([
  { given: [{ weight: 0 }], wanted: [1000] },
  { given: [{ weight: 0 }, { weight: 0 }, { weight: 0 }], wanted: [334, 333, 333] },
  {
    given: [{ weight: 300, weightType: 'fix' }, { weight: 1 }, { weight: 1 }, { weight: 1 }],
    wanted: [300, 234, 233, 233],
  },
  { given: [{ weight: 1000, weightType: 'fix' }, { weight: 5 }], wanted: [1000, 0] },
] as const)('weights $given are spread to $wanted', ({ given, wanted }) => {
  const variants = given.map((one, index) => ({ name: `v${index}`, ...one }))
  expect(spread(variants).map(({ weight }) => weight)).toEqual(wanted)
})
