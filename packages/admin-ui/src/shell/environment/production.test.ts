import type { Environment } from '@burgee/protocol/project'
import { expect, test } from 'vitest'
import { filterLive } from './production.ts'

const ALL = [
  { name: 'development', type: 'development', protected: false },
  { name: 'production', type: 'production', protected: false },
  { name: 'eu', type: 'Production', protected: false },
  { name: 'beta', type: 'test', protected: true },
] as Environment[]

/** Confirmation is required if real users are affected or if the environment is unknown. */
test.each<[readonly string[], readonly string[]]>([
  [['development'], []],
  [['production'], ['production']],
  [
    ['development', 'eu', 'beta'],
    ['eu', 'beta'],
  ],
  [['unknown'], ['unknown']],
])('out of %j, %j serve real users', (names, live) => {
  expect(filterLive(names, ALL)).toEqual(live)
  expect(filterLive(names, undefined)).toEqual(names)
})
