/** Limits of exponential back-off, in milliseconds. */
export interface Backoff {
  /** Pause after the first failure. */
  readonly firstMs: number
  readonly maxMs: number
}

/**
 * Returns the pause before the next attempt. The pause doubles with each consecutive failure. `failures` is at least 1.
 */
export function getBackoffMs({ firstMs, maxMs }: Backoff, failures: number): number {
  return Math.min(maxMs, firstMs * 2 ** (failures - 1))
}

const MAX_JITTER = 0.1

/**
 * Returns a pause that randomly differs from `ms` by up to 10 %, so that many nodes do not send their requests at the
 * same time.
 *
 * @param random returns a number in [0, 1)
 */
export function addJitter(ms: number, random: () => number): number {
  return ms * (1 - MAX_JITTER + random() * 2 * MAX_JITTER)
}
