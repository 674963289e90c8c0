/** Limits of exponential back-off, in milliseconds. */
export interface Backoff {
  /** Pause after the first failure. */
  readonly firstMs: number
  readonly maxMs: number
}

/** Returns the pause before the next attempt: it doubles with each failure in a row. `failures` is at least 1. */
export function getBackoffMs({ firstMs, maxMs }: Backoff, failures: number): number {
  return Math.min(maxMs, firstMs * 2 ** (failures - 1))
}
