import type { Logger } from '@burgee/kit/log/logger'
import type { MonotonicClock } from '@burgee/kit/monotonic-clock'

/** Failure of the notifications about changes made by other nodes. Times are in milliseconds since 1970. */
export interface NotificationFailure {
  readonly sinceMs: number
  readonly error: unknown
}

/** Time without failures after which notifications count as working again. */
const STABLE_MS = 10_000

/** Dependencies of `NotificationStatus`. */
export interface NotificationStatusDeps {
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly monotonic: MonotonicClock
  readonly logger: Pick<Logger, 'info'>
  readonly warn: (line: string, error: unknown) => void
}

/**
 * Tracks whether notifications about changes made by other nodes arrive. While notifications fail, polling finds these
 * changes. If each new connection is soon lost again, all of this counts as a single failure, which is logged once.
 */
export class NotificationStatus {
  readonly #deps: NotificationStatusDeps
  #failure: NotificationFailure | undefined
  #isConnected = true
  /** Time of the last failure, in milliseconds since 1970. */
  #lastFailedMs = 0
  /** Time of the last failure on the monotonic clock. */
  #lastFailedAt = Number.NEGATIVE_INFINITY

  constructor(deps: NotificationStatusDeps) {
    this.#deps = deps
  }

  /** Failure in progress, or undefined while notifications arrive. */
  get failure(): NotificationFailure | undefined {
    return this.#failure
  }

  /** Records that a notification arrived, or that notifications can arrive again. */
  recordNotification(): void {
    this.#isConnected = true
  }

  /** Records that notifications currently cannot arrive. Called for each failed attempt to connect. */
  recordDisconnect(): void {
    this.#isConnected = false
    this.#lastFailedMs = this.#deps.clock()
    this.#lastFailedAt = this.#deps.monotonic()
  }

  /**
   * Begins a failure, unless the connection is up again. Must only be called right after a successful read of the
   * database.
   */
  recordFailure(error: unknown): void {
    if (this.#isConnected) return
    if (this.#failure === undefined) {
      this.#deps.warn(
        'Notifications failed: changes from other nodes arrive by polling, up to half a second later',
        error,
      )
    }
    this.#failure = { sinceMs: this.#failure?.sinceMs ?? this.#lastFailedMs, error }
  }

  /** Ends a failure if the connection has lasted long enough. Called after each successful poll. */
  endIfStable(): void {
    if (this.#failure === undefined || !this.#isConnected) return
    if (this.#deps.monotonic() - this.#lastFailedAt < STABLE_MS) return
    this.#failure = undefined
    this.#deps.logger.info('Change notifications from other nodes work again')
  }
}
