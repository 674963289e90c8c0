import { BoundedCache } from '@burgee/kit/bounded-cache'
import type { MonotonicClock } from '@burgee/kit/monotonic-clock'
import type { Grant } from '@burgee/protocol/grant'
import { Problem } from '@burgee/protocol/problem'
import type { NewEvent } from '../store/events/events.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const MAX_USERS = 10_000
/** Bytes of a row besides its text: ids, times, names and indexes. */
const ROW_BYTES = 500
const BYTES_PER_KB = 1000

/** Rights by which somebody changes flags or what they stand on, anywhere; who has none of them only proposes and reads. */
const CHANGES_FLAGS = /^(ADMIN|(CREATE|UPDATE|DELETE|MOVE)_(FEATURE|SEGMENT|STRATEGY|PROJECT|CONTEXT_FIELD)\w*)$/

/** Who stores something: without grants the server itself. */
export interface Storing {
  readonly userId: number
  readonly grants?: readonly Grant[]
}

/** Returns true for a right whose holders change flags, or what flags stand on. */
export function changesFlags(permission: string): boolean {
  return CHANGES_FLAGS.test(permission)
}

/** What a change stores. */
export interface StoringChange {
  readonly events: readonly NewEvent[]
  /** Bytes besides the events. */
  readonly stores?: number | undefined
  /** It ends access, which nothing must prevent. */
  readonly endsAccess?: boolean | undefined
}

/** Bounds the bytes that each user without a right to change flags may store within an hour. */
export interface StorageBudget {
  /**
   * Counts what a user's change stores, before its commit. Throws RateLimitError where that is too much; a change that
   * only takes away is counted, and never refused.
   */
  charge(user: Storing, change: StoringChange): void
}

/** Makes the budget, in this process: of several servers each has its own. */
export function createStorageBudget(monotonic: MonotonicClock, kilobytesPerHour: number): StorageBudget {
  const spent = new BoundedCache<{ readonly endMs: number; bytes: number }>({ entries: MAX_USERS })
  return {
    charge({ userId, grants }, { events, stores = 0, endsAccess = false }) {
      if (grants === undefined || grants.some(({ permission }) => changesFlags(permission))) return
      const bytes = stores + bytesOfEvents(events)
      const mustPass = endsAccess || events.every(({ data }) => data === undefined)
      const now = monotonic()
      const known = spent.peek(String(userId))
      const window = known === undefined || known.endMs <= now ? { endMs: now + HOUR_MS, bytes: 0 } : known
      if (window !== known) spent.set(String(userId), window)
      if (!mustPass && window.bytes + bytes > kilobytesPerHour * BYTES_PER_KB)
        throw spentAll(window.endMs - now, kilobytesPerHour)
      window.bytes += bytes
    },
  }
}

/** Bytes that events take in the database, about. */
function bytesOfEvents(events: readonly NewEvent[]): number {
  return events.reduce((sum, { data, preData }) => sum + ROW_BYTES + bytesOf(data) + bytesOf(preData), 0)
}

/** Bytes of a value as JSON. */
export function bytesOf(value: unknown): number {
  return value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value) ?? '')
}

function spentAll(waitMs: number, kilobytesPerHour: number): Problem {
  const message =
    `You have stored as much as people who may not change flags can store in an hour (${kilobytesPerHour} kB). ` +
    `Try again in ${Math.ceil(waitMs / MINUTE_MS)} minutes.`
  return new Problem('RateLimitError', message, { headers: { 'retry-after': String(Math.ceil(waitMs / 1000)) } })
}
