import { describe, expect, test } from 'vitest'
import { isSameJson } from './same-json.ts'

const VALUES = [
  null,
  undefined,
  false,
  0,
  1,
  '',
  '0',
  'a',
  [],
  {},
  [null],
  [1],
  [1, 2],
  ['1'],
  [[1]],
  { 0: 1 },
  { a: 1 },
  { a: '1' },
  { a: undefined },
  { b: 1 },
  { a: 1, b: 2 },
  { b: 2, a: 1 },
  { a: { b: [{ c: null }] } },
  { a: { b: [{ c: 0 }] } },
  JSON.parse('{"__proto__":1}'),
]

describe('isSame', () => {
  test.each(VALUES.map((value, i) => [value, i] as const))('%j is the same as its copy and as nothing else', (a, i) => {
    expect(isSameJson(a, structuredClone(a))).toBe(true)
    expect(VALUES.filter((b) => isSameJson(a, b))).toEqual([VALUES[i]])
    expect(VALUES.filter((b) => isSameJson(b, a))).toEqual([VALUES[i]])
  })

  test('never equates values that nest too deeply', () => {
    const deep = () => JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)
    expect(isSameJson(deep(), deep())).toBe(false)
  })
})
