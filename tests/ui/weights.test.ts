import { expect, test } from 'vitest'
import { distributeWeights } from '../../packages/admin-ui/src/strategy/weights.ts'

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
  expect(distributeWeights(variants).map(({ weight }) => weight)).toEqual(wanted)
})
