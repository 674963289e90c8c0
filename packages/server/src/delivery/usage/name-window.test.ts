import { expect, test } from 'vitest'
import { NameWindow } from './name-window.ts'

const MINUTE_MS = 60_000
const secret = { key: 'secret', isPublic: false }
const open = { key: 'open', isPublic: true }
const budget = () => new NameWindow({ windowMs: MINUTE_MS, most: 3, mostOfPublic: 2 })
const admitted = (of: NameWindow, who: typeof open, names: readonly string[], now = 0) =>
  names.filter((name) => of.admits(who, name, now))

test.each([
  ['a public token', open, ['a', 'b']],
  ['a secret token', secret, ['a', 'b', 'c']],
])('%s brings %j of four names within a minute', (_who, who, kept) => {
  expect(admitted(budget(), who, ['a', 'b', 'c', 'd'])).toEqual(kept)
})

test('a name that was let in stays in', () => {
  expect(admitted(budget(), open, ['a', 'b', 'c', 'a', 'c', 'b'])).toEqual(['a', 'b', 'a', 'b'])
})

test('one reporter takes nothing from another', () => {
  const names = budget()
  admitted(names, open, ['a', 'b', 'c'])
  expect(admitted(names, { ...open, key: 'other' }, ['c', 'd'])).toEqual(['c', 'd'])
})

test('the next minute has room again', () => {
  const names = budget()
  admitted(names, open, ['a', 'b'], MINUTE_MS - 1)
  expect(admitted(names, open, ['c'], MINUTE_MS - 1)).toEqual([])
  expect(admitted(names, open, ['c'], MINUTE_MS)).toEqual(['c'])
})
