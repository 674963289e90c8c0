import { expect, test } from 'vitest'
import { splitList } from './split-list.ts'

test.each([
  [[], 2, []],
  [[1], 2, [[1]]],
  [[1, 2], 2, [[1, 2]]],
  [[1, 2, 3, 4, 5], 2, [[1, 2], [3, 4], [5]]],
])('splits %j into parts of at most %i items', (list, max, parts) =>
  expect(splitList<number>(list, max)).toEqual(parts),
)
