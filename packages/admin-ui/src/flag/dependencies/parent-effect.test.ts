import type { AdminFeature } from '@burgee/protocol/admin-feature'
import type { DependencyInput } from '@burgee/protocol/batch'
import { expect, test } from 'vitest'
import { getParentShare, isSameParent, listParentChanges, type Parent } from './parent-effect.ts'

const EVERYBODY = { name: 'flexibleRollout', parameters: { rollout: '100', stickiness: 'default' } }
const strategy = (change: object) => ({ constraints: [], segments: [], disabled: false, ...EVERYBODY, ...change })
const DE = { constraints: [{ contextName: 'country', operator: 'IN', values: ['DE'] }] }

const flagOf = (enabled: boolean, strategies: readonly object[] = [strategy({})], archived = false) =>
  ({
    name: 'f',
    archived,
    environments: [{ name: 'live', enabled, strategies, sortOrder: 1 }],
  }) as unknown as AdminFeature
const ON = { feature: 'f', enabled: true, variants: [] }
const OFF = { ...ON, enabled: false }
const RED = { ...ON, variants: ['red'] }

test.each<[string, AdminFeature, DependencyInput, string]>([
  ['off, must be on', flagOf(false), ON, 'nobody'],
  ['off, must have a variant', flagOf(false), RED, 'nobody'],
  ['off, must be off', flagOf(false), OFF, 'everybody'],
  ['on for everyone, must be on', flagOf(true), ON, 'everybody'],
  ['on without strategies, must be on', flagOf(true, []), ON, 'everybody'],
  ['on for everyone, must be off', flagOf(true), OFF, 'nobody'],
  ['on for everyone, must have a variant', flagOf(true), RED, 'some'],
  ['on for some, must be on', flagOf(true, [strategy(DE)]), ON, 'some'],
  ['on for some, must be off', flagOf(true, [strategy(DE)]), OFF, 'some'],
  [
    'on for users with an account',
    flagOf(true, [strategy({ parameters: { rollout: '100', stickiness: 'account' } })]),
    ON,
    'some',
  ],
  ['on for a half', flagOf(true, [strategy({ parameters: { rollout: '50' } })]), ON, 'some'],
  ['all strategies disabled, must be on', flagOf(true, [strategy({ disabled: true })]), ON, 'nobody'],
  ['archived, must be off', flagOf(true, undefined, true), OFF, 'nobody'],
  ['not in this environment', { ...flagOf(true), environments: [] }, OFF, 'nobody'],
])('a parent that is %s', (_what, flag, needs, share) => {
  expect(getParentShare({ flag, needs }, 'live')).toBe(share)
})

const [off, on]: Parent[] = [
  { flag: flagOf(false), needs: ON },
  { flag: flagOf(true), needs: ON },
]
test.each<[string, AdminFeature, Parent | undefined, Parent | undefined, readonly (readonly string[])[]]>([
  ['a parent that is off', flagOf(true), undefined, off, [['everybody', 'nobody']]],
  ['no parent any more', flagOf(true), off, undefined, [['nobody', 'everybody']]],
  ['a parent that is on', flagOf(true), undefined, on, []],
  ['a parent of what is off itself', flagOf(false), undefined, off, []],
])('lists the effects of %s', (_what, child, before, after, expected) => {
  expect(listParentChanges(child, before, after).map((one) => [one.before, one.after])).toEqual(expected)
})

test('parents are the same where they must be the same', () => {
  expect(isSameParent(ON, { feature: 'f' })).toBe(true)
  expect(isSameParent(OFF, { ...OFF, variants: ['red'] })).toBe(true)
  expect(isSameParent({ ...ON, variants: ['a', 'b'] }, { ...ON, variants: ['b', 'a'] })).toBe(true)
  expect(isSameParent(ON, OFF)).toBe(false)
  expect(isSameParent(ON, RED)).toBe(false)
  expect(isSameParent(ON, undefined)).toBe(false)
  expect(isSameParent(undefined, undefined)).toBe(true)
})
