import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Retry policy. `isRetryable` decides whether to retry, given the error and the number of attempts that have failed
 * (`tries`). `pauseMs` returns the delay before a retry; if it is missing, retries follow immediately.
 */
export interface RetryPolicy {
  readonly isRetryable: (error: unknown, tries: number) => boolean
  readonly pauseMs?: number
}

/** Calls `run` repeatedly until it succeeds. Rejects with the first error for which `isRetryable` returns false. */
export async function retry<T>(run: () => Promise<T>, { isRetryable, pauseMs }: RetryPolicy): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run()
    } catch (error) {
      if (!isRetryable(error, tries)) throw error
      if (pauseMs !== undefined) await sleep(pauseMs)
    }
  }
}
