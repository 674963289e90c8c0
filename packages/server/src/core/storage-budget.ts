import { BoundedCache } from '@burgee/kit/bounded-cache'
import type { MonotonicClock } from '@burgee/kit/monotonic-clock'
import type { Grant } from '@burgee/protocol/grant'
import { Problem } from '@burgee/protocol/problem'
import type { NewEvent } from '@burgee/storage/queries/events/events'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const MAX_USERS = 10_000
/** Estimated size of a row in bytes without its text: ids, times, names and indexes. */
const ROW_BYTES = 500
const BYTES_PER_KB = 1000

/**
 * Permissions to change flags, or resources on which flags depend. Users without such a permission can only read and
 * propose changes.
 */
const CHANGES_FLAGS = /^(ADMIN|(CREATE|UPDATE|DELETE|MOVE)_(FEATURE|SEGMENT|STRATEGY|PROJECT|CONTEXT_FIELD)\w*)$/

/** User who stores data; the server itself if `grants` is omitted. */
export interface StoringUser {
  readonly userId: number
  readonly grants?: readonly Grant[]
}

/** Returns true if the permission allows changing flags, or resources on which flags depend. */
function changesFlags(permission: string): boolean {
  return CHANGES_FLAGS.test(permission)
}

/** Data that a change stores. */
export interface StoringChange {
  readonly events: readonly NewEvent[]
  /** Bytes that the change stores in addition to its events. */
  readonly stores?: number | undefined
  /** True if the change revokes access. A change that revokes access is never rejected. */
  readonly endsAccess?: boolean | undefined
}

/** Limit on the bytes that a user may store per hour. Applies only to users who have no permission to change flags. */
export interface StorageBudget {
  /**
   * Charges a change to its user before it is committed. Throws RateLimitError if the budget is exceeded. A change that
   * only removes data is counted but never rejected.
   */
  charge(user: StoringUser, change: StoringChange): void
}

/** Creates the storage budget of this process. Each server has a separate budget. */
export function createStorageBudget(monotonic: MonotonicClock, kilobytesPerHour: number): StorageBudget {
  const spent = new BoundedCache<{ readonly endMs: number; bytes: number }>({ entries: MAX_USERS })
  return {
    charge({ userId, grants }, { events, stores = 0, endsAccess = false }) {
      if (grants === undefined || grants.some(({ permission }) => changesFlags(permission))) return
      const bytes = stores + countEventBytes(events)
      const mustPass = endsAccess || events.every(({ data }) => data === undefined)
      const now = monotonic()
      const known = spent.peek(String(userId))
      const window = known === undefined || known.endMs <= now ? { endMs: now + HOUR_MS, bytes: 0 } : known
      if (window !== known) spent.set(String(userId), window)
      if (!mustPass && window.bytes + bytes > kilobytesPerHour * BYTES_PER_KB)
        throw createBudgetProblem(window.endMs - now, kilobytesPerHour)
      window.bytes += bytes
    },
  }
}

/** Estimates the bytes that events take in the database. */
function countEventBytes(events: readonly NewEvent[]): number {
  return events.reduce((sum, { data, preData }) => sum + ROW_BYTES + countBytes(data) + countBytes(preData), 0)
}

/** Returns the length of a value as JSON, in bytes. */
export function countBytes(value: unknown): number {
  return value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value) ?? '')
}

function createBudgetProblem(waitMs: number, kilobytesPerHour: number): Problem {
  const message =
    `You have reached the hourly storage limit of users who may not change flags (${kilobytesPerHour} kB). ` +
    `Try again in ${Math.ceil(waitMs / MINUTE_MS)} minutes.`
  return new Problem('RateLimitError', message, { headers: { 'retry-after': String(Math.ceil(waitMs / 1000)) } })
}
