/** Maximum durations of the phases of a graceful shutdown, in milliseconds. */
export interface ShutdownTimes {
  /** Time during which the process reports "not ready" but continues to listen. */
  readonly delayMs: number
  /** Time for requests in flight to finish. */
  readonly graceMs: number
  /** Time for flushing data that must not be lost. */
  readonly flushMs: number
  /** Time for closing connections, files and processes. */
  readonly freeMs: number
  /** Time for all phases after the delay. Work that is not finished within this time is abandoned. */
  readonly limitMs: number
}

/** Limit for the whole shutdown. By default, container runtimes send SIGKILL ten seconds after SIGTERM. */
const MAX_SHUTDOWN_MS = 9500
const MIN_AFTER_DELAY_MS = 4500
const MARGIN_MS = 500
const SHARES = { grace: 0.45, flush: 0.4, free: 0.15 }

/**
 * Returns the durations of the shutdown phases of the server and the proxy. If the delay is at most five seconds, all
 * phases fit within the ten seconds that container runtimes allow. With a longer delay, the grace period of the
 * container runtime must be at least five seconds longer than the delay (docs/restarts.md).
 */
export function getShutdownTimes(delaySeconds: number): ShutdownTimes {
  const delayMs = delaySeconds * 1000
  const limitMs = Math.max(MAX_SHUTDOWN_MS - delayMs, MIN_AFTER_DELAY_MS)
  const restMs = limitMs - MARGIN_MS
  return {
    delayMs,
    graceMs: restMs * SHARES.grace,
    flushMs: restMs * SHARES.flush,
    freeMs: restMs * SHARES.free,
    limitMs,
  }
}
