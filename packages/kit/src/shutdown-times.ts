/** How long the parts of an ordered end may take, in milliseconds. */
export interface ShutdownTimes {
  /** Not ready any more, still listening. */
  readonly delayMs: number
  /** From then on: requests in flight. */
  readonly graceMs: number
  /** After these: what must not be lost. */
  readonly flushMs: number
  /** After that: connections, files, processes. */
  readonly freeMs: number
  /** All that follows the delay; who is not done by then is left behind. */
  readonly limitMs: number
}

/** Container runtimes wait ten seconds between SIGTERM and SIGKILL unless they are told otherwise. */
const MOST_MS = 9500
const LEAST_AFTER_DELAY_MS = 4500
const MARGIN_MS = 500
const SHARES = { grace: 0.45, flush: 0.4, free: 0.15 }

/**
 * The parts of an ordered end, for server and proxy alike. Delay and rest together stay below the ten seconds that
 * container runtimes wait, for delays of up to five seconds; whoever sets a longer one must be given five seconds more
 * than that (docs/restarts.md).
 */
export function shutdownTimes(delaySeconds: number): ShutdownTimes {
  const delayMs = delaySeconds * 1000
  const limitMs = Math.max(MOST_MS - delayMs, LEAST_AFTER_DELAY_MS)
  const restMs = limitMs - MARGIN_MS
  return {
    delayMs,
    graceMs: restMs * SHARES.grace,
    flushMs: restMs * SHARES.flush,
    freeMs: restMs * SHARES.free,
    limitMs,
  }
}
