import { expect, test } from 'vitest'
import { KeyRing } from './key-ring.ts'

const LONG = 'k'.repeat(300)
const ring = new KeyRing(['k1', 'ключ', LONG, ''])

test.each([
  ['k1', true],
  ['K1', false],
  ['k', false],
  ['k1\0', false],
  ['k12', false],
  ['ключ', true],
  ['ключ ', false],
  ['', true],
  [LONG, true],
  [`${LONG}k`, false],
  ['k'.repeat(83), false],
  ['k'.repeat(84), false],
  ['k'.repeat(85), false],
])('%j: %j', (key, isKnown) => {
  expect(ring.has(key)).toBe(isKnown)
  expect(new KeyRing([key]).has(key)).toBe(true)
})

test('an empty ring knows no key', () => expect(new KeyRing([]).has('')).toBe(false))
