import { expect, test } from 'vitest'
import { createPlanQueue } from './plan-queue.ts'

const TOO_MANY = { name: 'RateLimitError', headers: { 'retry-after': '5' } }

test('plans of a user run one at a time, and a fourth one is rejected', async () => {
  const queue = createPlanQueue()
  const gate = Promise.withResolvers<void>()
  const started: number[] = []
  const runs = [1, 2, 3].map((number) =>
    queue.run('ann', async () => {
      started.push(number)
      await gate.promise
    }),
  )
  await expect(queue.run('ann', async () => {})).rejects.toMatchObject(TOO_MANY)
  expect(await queue.run('bob', async () => 'other')).toBe('other')
  expect(started).toEqual([1])
  gate.resolve()
  await Promise.all(runs)
  expect(started).toEqual([1, 2, 3])
  expect(await queue.run('ann', async () => 'again')).toBe('again')
})

test('a failed plan makes room, and all users together have a limit', async () => {
  const queue = createPlanQueue()
  await expect(queue.run('ann', () => Promise.reject(new Error('wrong')))).rejects.toThrow('wrong')
  const gate = Promise.withResolvers<void>()
  const runs = Array.from({ length: 12 }, (_, index) => queue.run(`user ${index}`, () => gate.promise))
  await expect(queue.run('late', async () => {})).rejects.toMatchObject(TOO_MANY)
  gate.resolve()
  await Promise.all(runs)
  expect(await queue.run('late', async () => 'now')).toBe('now')
})
