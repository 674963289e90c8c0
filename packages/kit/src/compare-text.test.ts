import { expect, test } from 'vitest'
import { compareNatural } from './compare-text.ts'

test.each([
  ['a-2', 'a-10'],
  ['a-7', 'a-67'],
  ['a-127', 'a-187'],
  ['a', 'a-1'],
  ['a-2.b-10', 'a-10.b-2'],
  ['v1.9', 'v1.10'],
  ['x-01', 'x-1'],
  ['x-01', 'x-2'],
  ['x-007', 'x-7a'],
  ['9007199254740993', '9007199254740994'],
  ['a1', 'aa'],
  ['B', 'a'],
])('%s comes before %s', (first, second) => {
  expect(compareNatural(first, second)).toBeLessThan(0)
  expect(compareNatural(second, first)).toBeGreaterThan(0)
  expect(compareNatural(first, first)).toBe(0)
})
