import { expect, test } from 'vitest'
import { createPageCache } from './page-cache.ts'

/** Creates a state that changes when the test calls `move`. */
function createState(text: string) {
  let now = text
  const move = (next: string) => {
    now = next
  }
  return { now: () => now, move }
}

test('a reply is cached for its caller and state, and for no other', async () => {
  const replies = createPageCache(1_000_000)
  const made = await replies.build('who', 'one', createState('one').now, () => ['{', '}'])
  expect(made.bytes().toString()).toBe('{}')
  expect(replies.find('who', 'one')).toBe(made)
  expect(replies.find('who', 'two')).toBeUndefined()
  expect(replies.find('what', 'one')).toBeUndefined()
})

test('a reply built while the state changed is returned and not cached, under neither state', async () => {
  const replies = createPageCache(1_000_000)
  const state = createState('one')
  function* pieces() {
    yield 'old'
    state.move('two')
    yield 'new'
  }
  expect((await replies.build('who', 'one', state.now, pieces)).bytes().toString()).toBe('oldnew')
  // the state changes before the pieces are ready
  await replies.build('who', 'one', state.now, () => ['old'])
  expect([replies.find('who', 'one'), replies.find('who', 'two')]).toEqual([undefined, undefined])
})

test('compressed forms count, and the least used go first', async () => {
  const replies = createPageCache(1_000_000)
  const { now } = createState('one')
  const made = await replies.build('who', 'one', now, () => ['x'.repeat(100_000)])
  const before = replies.getSize().bytes
  expect(before).toBeGreaterThanOrEqual(100_000)
  const { length } = await made.encoded('gzip')
  await made.encoded('gzip')
  expect(replies.getSize().bytes).toBe(before + length)
  for (let other = 0; other < 1000; other += 1) await replies.build(`other ${other}`, 'one', now, () => ['x'])
  expect(replies.find('who', 'one')).toBeUndefined()
  expect(replies.getSize().bytes).toBeLessThan(before * 3)
})

test('concurrent requests share one build; another state or a failure causes a new one', async () => {
  const replies = createPageCache(1_000_000)
  const { now } = createState('one')
  let made = 0
  const pieces = async () => {
    made += 1
    return [`${made}`]
  }
  const asked = await Promise.all(['one', 'one', 'two', 'one'].map((state) => replies.build('who', state, now, pieces)))
  expect(asked.map((content) => content.bytes().toString())).toEqual(['1', '1', '2', '1'])
  const failing = () => Promise.reject(new Error('not now'))
  const ends = await Promise.allSettled([1, 2].map(() => replies.build('what', 'one', now, failing)))
  expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect((await replies.build('what', 'one', now, pieces)).bytes().toString()).toBe('3')
})

test('replies of an earlier state are evicted once one of a later state is cached', async () => {
  const replies = createPageCache(1_000_000)
  for (let state = 0; state < 50; state += 1) {
    await replies.build(
      `question ${state}`,
      `${state}`,
      () => `${state}`,
      () => ['x'.repeat(1000)],
    )
  }
  expect(replies.getSize().bytes).toBeLessThan(2000)
  expect(replies.find('question 49', '49')).toBeDefined()
})
