import type { OutageLog } from '@burgee/kit/log/outage-log'
import type { MonotonicClock } from '@burgee/kit/monotonic-clock'
import { getErrorRetryAfterMs, UpstreamError } from '@burgee/serving/upstream/upstream'

const MAX_SLOWDOWN = 10
/**
 * Time for which reports are retained during a lasting failure. In that time, a usable token may arrive or the upstream
 * may be repaired.
 */
const RETENTION_MS = 600_000
/** HTTP statuses that no retry can resolve. */
const LASTING_STATUSES = new Set([400, 401, 403, 404, 413, 422])

/** Thrown if no token can currently report for an environment. */
export class NoTokenError extends Error {}

/** State of a lane whose reports cannot be delivered. */
interface DeliveryFailure {
  readonly failures: number
  /** Time of the next attempt to deliver. */
  readonly nextAtMs: number
  /** Time since when the failure has needed intervention; undefined if a retry may succeed. */
  readonly lastingSinceMs: number | undefined
}

/** Dependencies of `DeliveryFailures`. */
export interface DeliveryFailuresDeps {
  readonly intervalMs: number
  readonly monotonic: MonotonicClock
  /** Returns a number in [0, 1). */
  readonly random: () => number
  readonly outage: OutageLog
}

/**
 * Failed deliveries of one kind of report, by lane. Failed lanes are retried with growing delays. Counts and impact
 * metrics are tracked separately, so that an upstream that rejects one kind still gets the other kind in time.
 */
export class DeliveryFailures {
  readonly #deps: DeliveryFailuresDeps
  readonly #byLane = new Map<string, DeliveryFailure>()

  constructor(deps: DeliveryFailuresDeps) {
    this.#deps = deps
  }

  /** Returns true if the reports of a lane may be sent now. */
  isDue(key: string): boolean {
    const nextAtMs = this.#byLane.get(key)?.nextAtMs
    return nextAtMs === undefined || nextAtMs <= this.#deps.monotonic()
  }

  /** Records a failure. Returns false if the failure has lasted longer than reports are retained. */
  fail(key: string, error: unknown): boolean {
    const { monotonic, intervalMs, random, outage } = this.#deps
    const now = monotonic()
    const before = this.#byLane.get(key)
    const lastingSinceMs = isLastingFailure(error) ? (before?.lastingSinceMs ?? now) : undefined
    if (lastingSinceMs !== undefined && now - lastingSinceMs >= RETENTION_MS) {
      this.#byLane.delete(key)
      if (this.#byLane.size === 0) outage.reset()
      return false
    }
    const failures = (before?.failures ?? 0) + 1
    const delayMs = intervalMs * (Math.min(failures, MAX_SLOWDOWN) - 0.5 + random() * 0.2)
    outage.fail(error)
    this.#byLane.set(key, { failures, nextAtMs: now + Math.max(delayMs, getErrorRetryAfterMs(error)), lastingSinceMs })
    return true
  }

  succeed(key: string): void {
    this.#byLane.delete(key)
    if (this.#byLane.size === 0) this.#deps.outage.succeed()
  }
}

/** Returns true if a retry cannot succeed without intervention. */
function isLastingFailure(error: unknown): boolean {
  return error instanceof NoTokenError || (error instanceof UpstreamError && LASTING_STATUSES.has(error.status))
}
