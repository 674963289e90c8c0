import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Retry policy. `isRetryable` decides whether to retry after an error and the given number of failed attempts
 * (`tries`). `pauseMs` is the delay before a retry; without it, retries follow at once.
 */
export interface RetryPolicy {
  readonly isRetryable: (error: unknown, tries: number) => boolean
  readonly pauseMs?: number
}

/** Calls `run` until it succeeds. Rejects with the first error that is not retryable. */
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
