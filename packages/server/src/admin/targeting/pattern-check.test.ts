import type { ConstraintInput } from '@burgee/protocol/targeting/constraint'
import { expect, test } from 'vitest'
import { checkConstraints } from './constraints.ts'

const pattern = (value: string) =>
  ({
    contextName: 'userId',
    operator: 'REGEX' as const,
    values: [],
    value,
    inverted: false,
    caseInsensitive: false,
  }) satisfies ConstraintInput
/** Patterns of about `size` instructions each, all different. */
const patterns = (count: number, size: number) =>
  Array.from({ length: count }, (_none, index) => pattern(`${String.fromCodePoint(0x4e00 + index)}[a-z]{${size}}`))

test('the patterns of a strategy have a maximum size together', () => {
  expect(checkConstraints(patterns(4, 900))).toHaveLength(4)
  expect(checkConstraints(patterns(40, 100))).toHaveLength(40)
  expect(() => checkConstraints(patterns(6, 900))).toThrow('5,000 RE2 instructions in total')
  expect(() => checkConstraints(patterns(250, 100))).toThrow('5,000 RE2 instructions in total')
})

test('stored patterns above the maximum stay, without new ones', () => {
  const stored = patterns(6, 900)
  expect(checkConstraints(stored, { stored })).toEqual(stored)
  expect(checkConstraints(stored.slice(1), { stored })).toEqual(stored.slice(1))
  expect(() => checkConstraints([pattern('a'), ...stored], { stored })).toThrow('in total')
  expect(checkConstraints([pattern('a'), ...stored.slice(2)], { stored })).toHaveLength(5)
})

test('one pattern has a maximum size, except in documents of other servers', () => {
  const large = patterns(1, 1000)
  expect(() => checkConstraints(large)).toThrow('1,000 RE2 instructions')
  expect(checkConstraints(large, { isAsGiven: true })).toHaveLength(1)
})
