import type { AdminFeature } from '@burgee/protocol/admin-feature'
import type { Environment } from '@burgee/protocol/project'
import { expect, test } from 'vitest'
import { servedAmong } from './production.ts'

const ALL = [
  { name: 'development', type: 'development', protected: false },
  { name: 'production', type: 'production', protected: false },
  { name: 'eu', type: 'Production', protected: false },
  { name: 'beta', type: 'test', protected: true },
] as Environment[]

const flagOn = (...names: readonly string[]) =>
  ({ environments: ALL.map(({ name }) => ({ name, enabled: names.includes(name) })) }) as AdminFeature

/** Asked is wherever real users get a change, in each environment that it reaches. */
test.each<[readonly string[], readonly string[], readonly string[]]>([
  [['development'], ['development', 'production'], []],
  [['production'], ['production'], ['production']],
  [['production'], ['development'], []],
  [
    ['development', 'production', 'eu', 'beta'],
    ['development', 'production', 'beta'],
    ['production', 'beta'],
  ],
  [['unknown'], ['production'], []],
])('a change of %j, on in %j, reaches real users in %j', (changed, on, served) => {
  expect(servedAmong(changed, ALL, flagOn(...on))).toEqual(served)
  expect(servedAmong(changed, undefined, flagOn(...on))).toEqual([])
})
