import { expect, test } from 'vitest'
import { LastSeenCache } from './last-seen.ts'

const MINUTE_MS = 60_000
const counted = (environment: string, ...names: string[]) => names.map((featureName) => ({ environment, featureName }))

test.each<[string, ReturnType<typeof counted>, number, string]>([
  ['not noted yet', counted('development', 'c'), 0, 'development c'],
  ['noted within the minute', counted('development', 'a', 'b'), MINUTE_MS - 1, ''],
  ['noted, among others', counted('development', 'a', 'c'), 1, 'development c'],
  ['noted in another environment', counted('production', 'a'), 1, 'production a'],
  ['noted a minute ago', counted('development', 'a'), MINUTE_MS, 'development a'],
  ['noted later, by a clock that was set back since', counted('development', 'a'), -1, 'development a'],
])('a flag that is counted and %s', (_name, counts, afterMs, due) => {
  const seen = new LastSeenCache()
  const first = seen.listDue(counted('development', 'a', 'b'), MINUTE_MS)
  expect([...(first.get('development') ?? [])]).toEqual(['a', 'b'])
  seen.record(first, MINUTE_MS)
  const now = seen.listDue(counts, MINUTE_MS + afterMs)
  expect([...now].map(([environment, names]) => `${environment} ${[...names].join()}`).join()).toBe(due)
})

test('counts that could not be written are due again', () => {
  const seen = new LastSeenCache()
  seen.listDue(counted('development', 'a'), 0)
  expect(seen.listDue(counted('development', 'a'), 1).size).toBe(1)
})
