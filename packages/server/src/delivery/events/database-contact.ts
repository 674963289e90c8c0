import type { Logger } from '@burgee/kit/log/logger'
import type { MonotonicClock } from '@burgee/kit/monotonic-clock'
import type { Database } from '@burgee/storage/database'
import { classifyDbError, DatabaseGone, formatDbError } from '@burgee/storage/errors'
import { type NotificationFailure, NotificationStatus } from './notification-status.ts'

/** State of the connection to the database. Times are in milliseconds since 1970. */
export interface DatabaseContact {
  /** Time of the last successful poll. Every event committed before that time has been received. */
  readonly lastMs: number
  /** Milliseconds since the last answered poll (monotonic). */
  readonly silentMs: number
  /** Time at which contact was lost, or undefined while the database answers. */
  readonly lostSinceMs: number | undefined
  /** Error of the last failed poll, or undefined while polls succeed. */
  readonly lastError: unknown
  /**
   * Failure of the notifications from other nodes; undefined while they arrive. During a failure, only polls find
   * changes made by other nodes.
   */
  readonly notificationFailure: NotificationFailure | undefined
}

/** Maximum duration of a poll. If a poll takes longer, the database counts as unavailable. */
const MAX_POLL_MS = 3000
const CONTACT_LOG_TEXTS = {
  postgres: {
    begins: 'Changes from other nodes may arrive late',
    ends: 'Changes from other nodes arrive in time again',
  },
  sqlite: { begins: 'The database cannot be read', ends: 'The database is readable again' },
} as const

/** Dependencies of the contact monitor. */
export interface ContactMonitorDeps {
  readonly kind: Database['kind']
  readonly logger: Logger
  /** Milliseconds since 1970. */
  readonly clock: () => number
  readonly monotonic: MonotonicClock
  /** True if the database was unavailable at the start. */
  readonly isAway: boolean
}

/** Tracks whether the database answers polls and sends notifications. Logs the beginning and the end of an outage. */
export class ContactMonitor {
  readonly #deps: ContactMonitorDeps
  readonly #notifications: NotificationStatus
  #lastMs: number
  #answeredAt = performance.now()
  #lostSinceMs: number | undefined
  #lastError: unknown

  constructor(deps: ContactMonitorDeps) {
    const { clock, monotonic, logger } = deps
    this.#deps = deps
    const warn = (line: string, error: unknown) => this.#warn(line, error)
    this.#notifications = new NotificationStatus({ clock, monotonic, logger, warn })
    this.#lastMs = clock()
    if (deps.isAway) this.#lostSinceMs = this.#lastMs
  }

  get state(): DatabaseContact {
    // monotonic, because a clock change or a resume from sleep must not look like lost contact
    const silentMs = performance.now() - this.#answeredAt
    const lostSinceMs = this.#lostSinceMs ?? (silentMs > MAX_POLL_MS ? this.#lastMs : undefined)
    const notificationFailure = this.#notifications.failure
    return { lastMs: this.#lastMs, silentMs, lostSinceMs, lastError: this.#lastError, notificationFailure }
  }

  /** Records that the database has answered the first query of a poll. */
  recordAnswer(): void {
    this.#answeredAt = performance.now()
  }

  /** Records a completed poll. */
  recordPoll(): void {
    const { kind, logger, clock } = this.#deps
    if (this.#lostSinceMs !== undefined) logger.info(CONTACT_LOG_TEXTS[kind].ends)
    this.#lostSinceMs = undefined
    this.#lastError = undefined
    this.#lastMs = clock()
    this.#notifications.endIfStable()
  }

  /** Records a failed poll; logs only the first one of an outage. */
  recordError(error: unknown): void {
    this.#lastError = error
    if (this.#lostSinceMs !== undefined) return
    this.#lostSinceMs = this.#lastMs
    if (error instanceof DatabaseGone) this.#deps.logger.error(error.message)
    else this.#warn(CONTACT_LOG_TEXTS[this.#deps.kind].begins, error)
  }

  /** Records that a notification arrived, or that notifications can arrive again. */
  recordNotification(): void {
    this.#notifications.recordNotification()
  }

  /**
   * Records that notifications failed. Polls the database first: if the poll fails as well, the failure does not
   * concern notifications in particular. Never rejects.
   */
  async recordNotificationsLost(error: unknown, poll: () => Promise<boolean>): Promise<void> {
    this.#notifications.recordDisconnect()
    if (await poll()) this.#notifications.recordFailure(error)
  }

  #warn(line: string, error: unknown): void {
    if (classifyDbError(error) === 'other') this.#deps.logger.warn(line, error)
    else this.#deps.logger.warn(`${line}: ${formatDbError(error)}`)
  }
}
