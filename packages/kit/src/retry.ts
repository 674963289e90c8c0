import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Retry policy. `isWorthIt` decides after the given number of failed attempts (`tries`); `pauseMs` is the delay before
 * a retry.
 */
export interface RetryPolicy {
  readonly isRetryable: (error: unknown, tries: number) => boolean
  readonly pauseMs?: number
}

/** Runs something until it succeeds. Rejects with the first error that is not worth a retry. */
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
