import { expect, test } from 'vitest'
import { toConstraints, toRule, toSegmentIds, UNREADABLE } from './stored-json.ts'

const ADULT = { contextName: 'age', operator: 'NUM_GTE', value: '18' }

test.each<[what: string, stored: unknown, means: unknown]>([
  ['nothing', null, []],
  ['no column', undefined, []],
  ['an empty list', [], []],
  ['a list', [ADULT], [ADULT]],
  ['a list as text', JSON.stringify([ADULT]), [ADULT]],
  ['null as text', 'null', []],
  ['numbers among the values', [{ ...ADULT, values: [1, '2'] }], [{ ...ADULT, values: ['1', '2'] }]],
  ['an object', { 0: ADULT }, [UNREADABLE]],
  ['no JSON', '[{', [UNREADABLE]],
  ['a number', 7, [UNREADABLE]],
  ['a list with something else', [ADULT, 'age'], [ADULT, UNREADABLE]],
  ['a constraint without an operator', [{ contextName: 'age' }], [UNREADABLE]],
])('constraints: %s', (_, stored, means) => {
  expect(toConstraints(stored)).toEqual(means)
})

test('an id that is none is of no segment, and never left out', () => {
  expect(toSegmentIds([7, '8', 'x', null])).toEqual([7, 8, -1, 0])
  expect(toRule({ name: 'default', constraints: {}, segments: ['x'] })).toMatchObject({
    constraints: [UNREADABLE],
    segments: [-1],
  })
})
