import type { ConstraintInput } from '@burgee/protocol/targeting/constraint'
import type { Operator } from '@burgee/protocol/targeting/operator'
import { expect, test } from 'vitest'
import { isComplete } from './operators.ts'

/** The form accepts exactly what the server stores and the engine can parse. */
test.each<[Operator, Partial<ConstraintInput>, boolean]>([
  ['SEMVER_EQ', { value: '1.2.3' }, true],
  ['SEMVER_EQ', { value: '01.2.3' }, false],
  ['SEMVER_EQ', { value: '1.2.3-01' }, false],
  ['SEMVER_EQ', { value: 'v1.2.3' }, false],
  ['IN_CIDR', { values: ['10.0.0.0/8', '::1'] }, true],
  ['IN_CIDR', { values: ['010.0.0.0/8'] }, false],
  ['IN_CIDR', { values: [] }, false],
  ['NUM_GT', { value: '5' }, true],
  ['NUM_GT', { value: ' ' }, false],
  ['DATE_AFTER', { value: '2026-11-22T00:00:00.000Z' }, true],
  ['DATE_AFTER', { value: '5' }, false],
  ['REGEX', { value: '' }, false],
  ['IN', { values: ['a'] }, true],
  ['IN', { values: [] }, false],
])('%s with %j can be saved: %s', (operator, operand, can) => {
  expect(isComplete({ contextName: 'x', operator, ...operand })).toBe(can)
  expect(isComplete({ contextName: '', operator, ...operand })).toBe(false)
})
