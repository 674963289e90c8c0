import { expect, test } from 'vitest'
import { createRandom } from './seeded-random.ts'

test('a seed always gives the same numbers', () => {
  const random = createRandom(1)
  expect([random(), random(), random()]).toEqual([0.6270739405881613, 0.002735721180215478, 0.5274470399599522])
})

test('a negative seed gives the numbers of its unsigned form', () => {
  const [negative, unsigned] = [createRandom(-2), createRandom(2 ** 32 - 2)]
  expect([negative(), negative()]).toEqual([unsigned(), unsigned()])
})
