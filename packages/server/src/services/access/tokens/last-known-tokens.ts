import { BoundedCache, type CacheBounds } from '@burgee/kit/bounded-cache'
import type { MonotonicClock } from '@burgee/kit/monotonic-clock'
import type { TokenRow } from '../../../store/access/tokens.ts'
import type { KeptToken } from '../../../store/kept/kept-state.ts'
import type { World } from '../../world.ts'

/** A token as it was when the database last told of it. */
interface LastKnown {
  row: TokenRow
  atMs: number
  /** Until then, by the monotonic clock, it stands without a question: the database has just not answered one. */
  trustedUntilMs: number
}

/** How long a token stands after the database last told of it. */
export const TRUSTED_MS = 24 * 60 * 60 * 1000
/** How long it is before the database is asked again. */
const PAUSE_MS = 5000

/** Clocks of this process. */
type Clocks = Pick<World, 'clock' | 'monotonic'>

/** What the database told of tokens, for a day; by the hash of the secret. Times are in milliseconds since 1970. */
export class LastKnownTokens {
  readonly #tokens: BoundedCache<LastKnown>
  readonly #monotonic: MonotonicClock
  #removals = 0

  /** @param kept what the process before has left; what its clock had in a time to come is of now at the latest */
  constructor(most: CacheBounds, kept: readonly KeptToken[], { clock, monotonic }: Clocks) {
    this.#monotonic = monotonic
    const now = clock()
    this.#tokens = new BoundedCache(most)
    for (const { row, atMs } of kept) this.note(row.hash, row, Math.min(atMs, now))
  }

  /** What the database said now. */
  note(hash: string, row: TokenRow, now: number): void {
    this.#tokens.set(hash, { row, atMs: now, trustedUntilMs: Number.NEGATIVE_INFINITY })
  }

  /** Nobody has heard of a change of these tokens until then. */
  confirm(rows: readonly TokenRow[], untilMs: number): void {
    for (const { hash } of rows) {
      const known = this.#tokens.peek(hash)
      if (known !== undefined) known.atMs = Math.max(known.atMs, untilMs)
    }
  }

  /** Number of removals so far: what was read before one may hold the token that it removed. */
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

  /** Whether it may stand where the database does not answer. */
  isTrusted(hash: string, now: number): boolean {
    const known = this.#tokens.peek(hash)
    return known !== undefined && known.atMs >= now - TRUSTED_MS
  }

  /** The database did not answer: it stands for some seconds without a question. Undefined where it is gone meanwhile. */
  standing(hash: string): TokenRow | undefined {
    const known = this.#tokens.peek(hash)
    if (known !== undefined) known.trustedUntilMs = this.#monotonic() + PAUSE_MS
    return known?.row
  }

  /** One that stands now without a question. */
  withoutQuestion(hash: string): TokenRow | undefined {
    const known = this.#tokens.peek(hash)
    return known !== undefined && this.#monotonic() < known.trustedUntilMs ? known.row : undefined
  }

  /** The next use of each asks the database. */
  question(): void {
    for (const one of this.#tokens.values()) one.trustedUntilMs = Number.NEGATIVE_INFINITY
  }

  all(): KeptToken[] {
    return this.#tokens.values().map(({ row, atMs }) => ({ row, atMs }))
  }

  /** Takes what was found of the tokens that were looked for, and forgets the others. */
  renew(before: readonly KeptToken[], found: readonly KeptToken[]): void {
    const rows = new Map(found.map(({ row }) => [row.hash, row]))
    for (const { row: old } of before) {
      // it may have been deleted meanwhile
      const [known, row] = [this.#tokens.peek(old.hash), rows.get(old.hash)]
      if (row === undefined) this.forget(old.hash)
      else if (known !== undefined) known.row = row
    }
  }

  /** Those of SDKs that may stand. */
  trusted(now: number): KeptToken[] {
    return this.#tokens
      .values()
      .filter(({ row, atMs }) => row.type !== 'admin' && atMs >= now - TRUSTED_MS)
      .map(({ row, atMs }) => ({ row, atMs }))
  }
}
