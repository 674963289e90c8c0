import { expect, test } from 'vitest'
import { retry } from './retry.ts'

test.each([
  { name: 'what succeeds runs once', failures: 0, most: 3, runs: 1, ends: 'done' },
  { name: 'what fails for a while runs until it succeeds', failures: 2, most: 3, runs: 3, ends: 'done' },
  { name: 'the last failure is reported', failures: 9, most: 3, runs: 3, ends: 'failure 3' },
  { name: 'not worth it at all', failures: 1, most: 1, runs: 1, ends: 'failure 1' },
])('$name', async ({ failures, most, runs, ends }) => {
  let run = 0
  const work = async () => {
    run += 1
    if (run <= failures) throw new Error(`failure ${run}`)
    return 'done'
  }
  const isWorthIt = (_error: unknown, tries: number) => tries < most
  expect(await retry(work, { isRetryable: isWorthIt }).catch(({ message }: Error) => message)).toBe(ends)
  expect(run).toBe(runs)
})
