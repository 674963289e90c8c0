import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BoundedCache } from './bounded-cache.ts'

const cacheOf = (most: { entries: number; bytes: number }, keys: string) => {
  const cache = new BoundedCache<string>(most)
  for (const key of keys) cache.set(key, key)
  return cache
}

test.each([
  ['as many as may be stay', { entries: 3, bytes: 9 }, [], 'abc', 0],
  ['one more drives out the one that was not used for longest', { entries: 2, bytes: 9 }, [], 'bc', 0],
  ['a look does not keep', { entries: 3, bytes: 9 }, ['peek a', 'set d'], 'bcd', 0],
  ['use keeps', { entries: 3, bytes: 9 }, ['get a', 'set d'], 'cad', 0],
  ['size drives out as well', { entries: 3, bytes: 9 }, ['size a 4', 'size b 4', 'size c 4'], 'bc', 8],
  ['the last one stays, however large', { entries: 3, bytes: 9 }, ['size c 100'], 'c', 100],
  ['a size that shrinks', { entries: 3, bytes: 9 }, ['size a 8', 'size a 1', 'size b 8'], 'abc', 9],
  ['a replaced value starts with no size', { entries: 3, bytes: 9 }, ['size a 8', 'set a'], 'bca', 0],
  ['what is gone has no size', { entries: 3, bytes: 9 }, ['delete a', 'size a 8'], 'bc', 0],
  ['removed by a condition', { entries: 3, bytes: 9 }, ['size b 5', 'where b'], 'ac', 0],
])('%s', (_name, most, steps, left, bytes) => {
  const cache = cacheOf(most, 'abc')
  for (const step of steps) {
    const [verb, key = '', size] = step.split(' ')
    if (verb === 'get') expect(cache.get(key)).toBe(key)
    if (verb === 'peek') expect(cache.peek(key)).toBe(key)
    if (verb === 'set') cache.set(key, key)
    if (verb === 'delete') cache.delete(key)
    if (verb === 'size') cache.resize(key, key, Number(size))
    if (verb === 'where') cache.deleteWhere((value) => value === key)
  }
  expect([cache.values().join(''), cache.bytes]).toEqual([left, bytes])
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

/** Applies the same steps to a plain list of keys, least recently used first. */
function applyToList(keys: string[], verb: string, key: string, max: number): string[] {
  if (verb === 'clear') return []
  const others = keys.filter((one) => one !== key)
  if (verb === 'delete') return others
  if (verb === 'get') return keys.includes(key) ? [...others, key] : keys
  return [...others, key].slice(-max)
}

test('evicts in the order of a plain list, through any steps', () => {
  const step = fc.tuple(
    fc.constantFrom('get', 'get', 'get', 'set', 'set', 'set', 'delete', 'clear'),
    fc.constantFrom(...'abcdefgh'),
  )
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), fc.array(step, { maxLength: 200 }), (max, steps) => {
      const cache = new BoundedCache<string>({ entries: max })
      let keys: string[] = []
      for (const [verb, key] of steps) {
        keys = applyToList(keys, verb, key, max)
        if (verb === 'get') cache.get(key)
        else if (verb === 'set') cache.set(key, key)
        else if (verb === 'delete') cache.delete(key)
        else cache.clear()
        expect(cache.values()).toEqual(keys)
      }
    }),
  )
})
