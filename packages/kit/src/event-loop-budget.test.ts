import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { EventLoopBudget } from './event-loop-budget.ts'
import { monotonicClock } from './monotonic-clock.ts'

/** Creates a budget with a clock that each piece of work advances by `costMs`. */
function working(costMs: number) {
  let now = 0
  const turns = new EventLoopBudget(monotonicClock(() => now))
  const done: string[] = []
  const take = (name: string) =>
    turns.run(() => {
      now += costMs
      done.push(name)
      return name
    })
  return { turns, done, take }
}

test('work that is alone, or short, is done at once', () => {
  const { done, take } = working(0.1)
  expect(['a', 'b', 'c'].map(take)).toEqual(['a', 'b', 'c'])
  expect(done).toEqual(['a', 'b', 'c'])
})

test('long work that comes at once is done one by one, in its order, with a turn for others between', async () => {
  const { done, take } = working(5)
  const all = Promise.all(['a', 'b', 'c', 'd'].map(take))
  const seen: string[] = []
  while (done.length < 4) {
    seen.push(done.join(''))
    await turn()
  }
  expect(await all).toEqual(['a', 'b', 'c', 'd'])
  expect([...seen, done.join('')]).toEqual(['a', 'ab', 'abc', 'abcd'])
})

test('later work queues behind waiting work', async () => {
  const { done, take } = working(5)
  const first = [take('a'), take('b')]
  await turn()
  await Promise.all([...first, take('c')])
  expect(done).toEqual(['a', 'b', 'c'])
})

test('after it was quiet for a turn, work begins at once again', async () => {
  const { done, take } = working(5)
  take('a')
  await turn()
  await turn()
  expect(take('b')).toBe('b')
  expect(done).toEqual(['a', 'b'])
})

test('failing work does not block the queue', async () => {
  const { turns, take } = working(5)
  take('a')
  const fails = turns.run(() => {
    throw new Error('no')
  })
  const after = take('c')
  await expect(fails).rejects.toThrow('no')
  expect(await after).toBe('c')
})

test('short work that waits is done by the millisecond', async () => {
  const { done, take } = working(0.4)
  const all = Promise.all(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map(take))
  const seen: string[] = []
  while (done.length < 7) {
    seen.push(done.join(''))
    await turn()
  }
  await all
  expect([...seen, done.join('')]).toEqual(['abc', 'abcdef', 'abcdefg'])
})

test("queued work keeps its caller's async context", async () => {
  const { turns, take } = working(5)
  const whose = new AsyncLocalStorage<string>()
  take('before')
  const told = ['a', 'b'].map((name) => whose.run(name, () => turns.run(() => whose.getStore())))
  expect(await Promise.all(told)).toEqual(['a', 'b'])
})
