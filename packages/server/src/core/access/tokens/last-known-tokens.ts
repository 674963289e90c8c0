import { BoundedCache, type CacheBounds } from '@burgee/kit/bounded-cache'
import type { MonotonicClock } from '@burgee/kit/monotonic-clock'
import type { TokenRow } from '@burgee/storage/queries/access/tokens'
import type { SnapshotToken } from '@burgee/storage/queries/snapshot/snapshot-state'
import type { World } from '../../world.ts'

/** Token as the database last returned it, and the time of that confirmation. */
interface LastKnownToken {
  row: TokenRow
  atMs: number
  /**
   * Monotonic time until which the token is accepted without a query, because the database has just failed to answer
   * one.
   */
  trustedUntilMs: number
}

/** Time for which a token stays trusted after the database last confirmed it. */
export const TRUSTED_MS = 24 * 60 * 60 * 1000
/** Pause before the next query for the same token after the database failed to answer. */
const PAUSE_MS = 5000

/** Clocks of this process. */
type Clocks = Pick<World, 'clock' | 'monotonic'>

/**
 * Tokens that the database confirmed within the last day, by hash of the secret. Times are in milliseconds since 1970.
 */
export class LastKnownTokens {
  readonly #tokens: BoundedCache<LastKnownToken>
  readonly #monotonic: MonotonicClock
  #removals = 0

  /** @param kept tokens saved by the previous process; a confirmation time in the future becomes the current time */
  constructor(most: CacheBounds, kept: readonly SnapshotToken[], { clock, monotonic }: Clocks) {
    this.#monotonic = monotonic
    const now = clock()
    this.#tokens = new BoundedCache(most)
    for (const { row, atMs } of kept) this.record(row.hash, row, Math.min(atMs, now))
  }

  /** Stores a token that the database has just returned. */
  record(hash: string, row: TokenRow, now: number): void {
    this.#tokens.set(hash, { row, atMs: now, trustedUntilMs: Number.NEGATIVE_INFINITY })
  }

  /** Marks tokens as confirmed at a given time: no change to a token had been published before that time. */
  confirm(rows: readonly TokenRow[], untilMs: number): void {
    for (const { hash } of rows) {
      const known = this.#tokens.peek(hash)
      if (known !== undefined) known.atMs = Math.max(known.atMs, untilMs)
    }
  }

  /** Number of removals so far. If the number increases during a query, the result may include a removed token. */
  get removals(): number {
    return this.#removals
  }

  forget(hash: string): void {
    this.#removals += 1
    this.#tokens.delete(hash)
  }

  forgetIds(ids: ReadonlySet<unknown>): void {
    if (ids.size > 0) this.#removals += 1
    this.#tokens.deleteWhere(({ row }) => ids.has(row.id))
  }

  /** Returns true if the token can be accepted while the database does not answer. */
  isTrusted(hash: string, now: number): boolean {
    const known = this.#tokens.peek(hash)
    return known !== undefined && known.atMs >= now - TRUSTED_MS
  }

  /**
   * Returns the token, and accepts it without a query for the next few seconds. Called after the database failed to
   * answer. Returns undefined if the token has been removed in the meantime.
   */
  acceptTemporarily(hash: string): TokenRow | undefined {
    const known = this.#tokens.peek(hash)
    if (known !== undefined) known.trustedUntilMs = this.#monotonic() + PAUSE_MS
    return known?.row
  }

  /** Returns the token if it is currently accepted without a query. */
  findWithoutQuery(hash: string): TokenRow | undefined {
    const known = this.#tokens.peek(hash)
    return known !== undefined && this.#monotonic() < known.trustedUntilMs ? known.row : undefined
  }

  /** Forces a query the next time that each token is used. */
  requireQuery(): void {
    for (const one of this.#tokens.values()) one.trustedUntilMs = Number.NEGATIVE_INFINITY
  }

  all(): SnapshotToken[] {
    return this.#tokens.values().map(({ row, atMs }) => ({ row, atMs }))
  }

  /**
   * Replaces the tokens of `before` with their rows in `found`, and removes tokens that `found` does not contain.
   * `found` lists the tokens that the database still has.
   */
  renew(before: readonly SnapshotToken[], found: readonly SnapshotToken[]): void {
    const rows = new Map(found.map(({ row }) => [row.hash, row]))
    for (const { row: old } of before) {
      // the token may have been deleted in the meantime
      const [known, row] = [this.#tokens.peek(old.hash), rows.get(old.hash)]
      if (row === undefined) this.forget(old.hash)
      else if (known !== undefined) known.row = row
    }
  }

  /** Returns the SDK tokens that are still trusted. */
  trusted(now: number): SnapshotToken[] {
    return this.#tokens
      .values()
      .filter(({ row, atMs }) => row.type !== 'admin' && atMs >= now - TRUSTED_MS)
      .map(({ row, atMs }) => ({ row, atMs }))
  }
}
