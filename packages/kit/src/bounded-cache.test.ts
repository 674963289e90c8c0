import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BoundedCache } from './bounded-cache.ts'

const BOTH = { entries: 3, bytes: 9 }

test.each([
  { title: 'keeps as many values as allowed', bounds: BOTH, steps: [], keys: 'abc', bytes: 0 },
  { title: 'evicts the oldest value', bounds: { ...BOTH, entries: 2 }, steps: [], keys: 'bc', bytes: 0 },
  { title: 'evicts a value that was only peeked at', bounds: BOTH, steps: ['peek a', 'set d'], keys: 'bcd', bytes: 0 },
  { title: 'spares a value in use', bounds: BOTH, steps: ['get a', 'set d'], keys: 'cad', bytes: 0 },
  {
    title: 'spares a value once for each use',
    bounds: BOTH,
    steps: ['get a', 'set d', 'set e', 'set f'],
    keys: 'def',
    bytes: 0,
  },
  {
    title: 'keeps a new value although all others are in use',
    bounds: BOTH,
    steps: ['get a', 'get b', 'get c', 'set d'],
    keys: 'bcd',
    bytes: 0,
  },
  { title: 'evicts by size', bounds: BOTH, steps: ['size a 4', 'size b 4', 'size c 4'], keys: 'bc', bytes: 8 },
  { title: 'makes room for a value of known size', bounds: BOTH, steps: ['size c 4', 'set d 6'], keys: 'd', bytes: 6 },
  {
    title: 'limits the size alone',
    bounds: { entries: 9, bytes: 9 },
    steps: ['set d', 'set e', 'set f 9'],
    keys: 'abcdef',
    bytes: 9,
  },
  { title: 'keeps the last value, however large', bounds: BOTH, steps: ['size c 100'], keys: 'c', bytes: 100 },
  {
    title: 'frees the size of a shrunk value',
    bounds: BOTH,
    steps: ['size a 8', 'size a 1', 'size b 8'],
    keys: 'abc',
    bytes: 9,
  },
  { title: 'frees the size of a replaced value', bounds: BOTH, steps: ['size a 8', 'set a'], keys: 'bca', bytes: 0 },
  { title: 'ignores the size of a deleted value', bounds: BOTH, steps: ['delete a', 'size a 8'], keys: 'bc', bytes: 0 },
  { title: 'removes values by a condition', bounds: BOTH, steps: ['size b 5', 'where b'], keys: 'ac', bytes: 0 },
  { title: 'is empty after clear', bounds: BOTH, steps: ['size b 5', 'clear', 'set d 2'], keys: 'd', bytes: 2 },
])('$title', ({ bounds, steps, keys, bytes }) => {
  const cache = new BoundedCache<string>(bounds)
  for (const step of ['set a', 'set b', 'set c', ...steps]) {
    const [verb, key = '', size = '0'] = step.split(' ')
    if (verb === 'get') expect(cache.get(key)).toBe(key)
    if (verb === 'peek') expect(cache.peek(key)).toBe(key)
    if (verb === 'set') cache.set(key, key, Number(size))
    if (verb === 'delete') cache.delete(key)
    if (verb === 'size') cache.resize(key, key, Number(size))
    if (verb === 'where') cache.deleteWhere((value) => value === key)
    if (verb === 'clear') cache.clear()
  }
  expect({ keys: cache.values().join(''), bytes: cache.bytes }).toEqual({ keys, bytes })
})

test('the size of a replaced value is not charged to its successor', () => {
  const cache = new BoundedCache<object>({ entries: 2, bytes: 10 })
  const [before, after] = [{}, {}]
  cache.set('a', before)
  cache.set('a', after)
  cache.resize('a', before, 7)
  expect(cache.bytes).toBe(0)
  expect(cache.get('a')).toBe(after)
})

interface ListedKey {
  readonly key: string
  readonly isUsed: boolean
}

/** Applies a step to a plain list of keys in the order of eviction. */
function applyToList(keys: readonly ListedKey[], verb: string, key: string, max: number): ListedKey[] {
  if (verb === 'clear') return []
  if (verb === 'get') return keys.map((one) => (one.key === key ? { key, isUsed: true } : one))
  const others = keys.filter((one) => one.key !== key)
  if (verb === 'delete') return others
  while (others.length >= max) {
    const next = others.shift()
    if (next?.isUsed) others.push({ key: next.key, isUsed: false })
  }
  return [...others, { key, isUsed: false }]
}

test('evicts in the order of a plain list, through any steps', () => {
  const step = fc.tuple(
    fc.constantFrom('get', 'get', 'get', 'set', 'set', 'set', 'delete', 'clear'),
    fc.constantFrom(...'abcdefgh'),
  )
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), fc.array(step, { maxLength: 200 }), (max, steps) => {
      const cache = new BoundedCache<string>({ entries: max })
      let keys: ListedKey[] = []
      for (const [verb, key] of steps) {
        keys = applyToList(keys, verb, key, max)
        if (verb === 'get') cache.get(key)
        else if (verb === 'set') cache.set(key, key)
        else if (verb === 'delete') cache.delete(key)
        else cache.clear()
        expect(cache.values()).toEqual(keys.map((one) => one.key))
      }
    }),
  )
})
