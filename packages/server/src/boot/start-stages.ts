import type { MonotonicClock } from '@burgee/kit/monotonic-clock'
import { retry } from '@burgee/kit/retry'
import { classifyDbError, formatDbError } from '@burgee/storage/errors'

/** Runs one stage of a start. */
export type RunStage = <T>(stage: () => Promise<T>) => Promise<T>

const MS_PER_SECOND = 1000
const RETRY_MS = 1000

/**
 * Returns a function that runs the stages of a start one by one. A stage that fails because the database is unavailable
 * is repeated. Once `waitSeconds` (DATABASE_WAIT) have passed since `startStages` was called, the function throws the
 * last error instead. Each stage must be safe to repeat.
 */
export function startStages(
  waitSeconds: number,
  { monotonic, warn }: { readonly monotonic: MonotonicClock; readonly warn?: ((line: string) => void) | undefined },
): RunStage {
  const endMs = monotonic() + waitSeconds * MS_PER_SECOND
  const isWorthIt = (error: unknown, tries: number): boolean => {
    if (classifyDbError(error) !== 'unavailable' || monotonic() >= endMs) return false
    if (tries === 1) warn?.(`${formatDbError(error)}. Retrying for ${waitSeconds} seconds (DATABASE_WAIT)`)
    return true
  }
  return (stage) => retry(stage, { isRetryable: isWorthIt, pauseMs: RETRY_MS })
}
