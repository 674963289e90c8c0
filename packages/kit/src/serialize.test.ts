import { expect, test } from 'vitest'
import { serialize } from './serialize.ts'

test('calls end in the order in which they were made, however long one takes or if it fails', async () => {
  const done: string[] = []
  const ends: (() => void)[] = []
  let runs = 0
  const read = serialize(async () => {
    runs += 1
    const run = runs
    if (run === 1) await new Promise<void>((resolve) => ends.push(resolve))
    if (run === 2) throw new Error('lost')
    done.push(`run ${run}`)
  })
  const all = Promise.allSettled([read(), read(), read()])
  await new Promise((resolve) => setImmediate(resolve))
  expect([runs, done]).toEqual([1, []])
  ends[0]?.()
  expect((await all).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(done).toEqual(['run 1', 'run 3'])
})
