import { describe, expect, test } from 'vitest'
import { inferShape } from './payload-shape.ts'
import { toTypedFlag } from './typed-flag.ts'

const told = (shape: ReturnType<typeof inferShape>): unknown => {
  if (shape.kind === 'list') return [told(shape.of)]
  if (shape.kind !== 'object') return shape.kind
  return Object.fromEntries(shape.fields.map(({ key, shape: of, optional }) => [key + (optional ? '?' : ''), told(of)]))
}

describe('the shape of JSON payloads', () => {
  test.each<[string, unknown[], unknown]>([
    ['texts, numbers, booleans', [{ a: 'x', b: 1.5, c: true }], { a: 'text', b: 'number', c: 'boolean' }],
    [
      'a field that one lacks',
      [
        { a: 1, b: 1 },
        { b: 2, c: 3 },
      ],
      { 'a?': 'number', b: 'number', 'c?': 'number' },
    ],
    ['a field that is null in one', [{ a: null }, { a: 1 }], { 'a?': 'number' }],
    ['a field that is always null', [{ a: null }], { 'a?': 'any' }],
    ['a field of different types', [{ a: 1 }, { a: 'x' }], { a: 'any' }],
    ['objects in objects', [{ a: { b: 1 } }, { a: { c: 1 } }], { a: { 'b?': 'number', 'c?': 'number' } }],
    ['a list', [[1, 2]], ['number']],
    ['a list of objects', [{ a: [{ b: 1 }, { b: 2, c: 'x' }] }], { a: [{ b: 'number', 'c?': 'text' }] }],
    ['an empty list beside a full one', [{ a: [] }, { a: [1] }], { a: ['number'] }],
    ['a list of this and that', [[1, 'x']], ['any']],
    ['a list with null', [[1, null]], ['any']],
    ['an object without fields', [{}], 'any'],
    ['a list beside an object', [[1], { a: 1 }], 'any'],
  ])('%s', (_what, values, shape) => {
    expect(told(inferShape(values.map((value) => JSON.stringify(value))))).toEqual(shape)
  })

  test.each([
    ['no JSON', '{'],
    ['null', 'null'],
  ])('falls back to any for %s', (_what, text) => {
    expect(inferShape([text])).toEqual({ kind: 'any' })
  })

  test('stops at a maximum depth', () => {
    expect(JSON.stringify(inferShape([`${'['.repeat(2000)}${']'.repeat(2000)}`])).length).toBeLessThan(1000)
  })

  test('a key that objects have by themselves is a key like others', () => {
    expect(inferShape(['{"__proto__":1,"constructor":"x"}'])).toMatchObject({
      fields: [{ key: '__proto__' }, { key: 'constructor' }],
    })
  })
})

test('a flag includes the payloads of all environments except those of disabled strategies', () => {
  const json = (value: string) => ({ type: 'json', value })
  const variants = [{ name: 'b', payload: json('{"a":1}') }, { name: 'a' }]
  const off = { disabled: true, variants: [{ name: 'c', payload: json('{"b":1}') }] }
  const on = { disabled: false, variants: [{ name: 'b', payload: { type: 'number', value: '1' } }] }
  const typed = toTypedFlag({ name: 'f', environments: [{ variants, strategies: [off, on] }] })
  expect(typed).toEqual({
    name: 'f',
    variants: [
      { name: 'a', kinds: [] },
      { name: 'b', kinds: ['json', 'number'] },
    ],
    json: { kind: 'object', fields: [{ key: 'a', optional: false, shape: { kind: 'number' } }] },
  })
})
