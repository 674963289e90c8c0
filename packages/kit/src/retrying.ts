import { setTimeout as sleep } from 'node:timers/promises'

/** Whether something is tried once more after its `tries`th failure, and after which pause. */
export interface Retry {
  readonly isWorthIt: (error: unknown, tries: number) => boolean
  readonly pauseMs?: number
}

/** Runs something until it succeeds. Rejects with the failure after which it is not worth it to try again. */
export async function retrying<T>(run: () => Promise<T>, { isWorthIt, pauseMs }: Retry): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run()
    } catch (error) {
      if (!isWorthIt(error, tries)) throw error
      if (pauseMs !== undefined) await sleep(pauseMs)
    }
  }
}
