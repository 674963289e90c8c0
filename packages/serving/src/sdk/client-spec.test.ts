import { expect, test } from 'vitest'
import { supportsSegments } from './client-spec.ts'

test.each([
  [undefined, false],
  ['', false],
  ['3.9.9', false],
  ['4.1.99', false],
  ['4.2.0', true],
  ['4.10.0', true],
  ['5.0.0', true],
  ['v5.1.0', true],
  ['4.2.0-beta.1', true],
  ['10.0.0', true],
])('%s → %s', (header, knows) => {
  expect(supportsSegments(header)).toBe(knows)
})

test.each(['abc', '4', '5', '4.2', '4.2.x', '4.2.0.1', '-1.0.0', '9999999999.0.0', 'constructor'])(
  '%s is no version, and counts as no header',
  (header) => {
    expect(supportsSegments(header)).toBe(false)
  },
)
