import { GroupTotals } from '../group-totals.ts'
import type { SeriesRegistry } from '../series/series.ts'
import { Refusal } from './refusal.ts'

/** Default memory for request bodies of a process. */
export const DEFAULT_BODY_MEMORY_BYTES = 64 * 1024 * 1024
/** Share of the budget that only small bodies may use: 1/8. */
const RESERVED_PART = 8
const SMALL_BODY_BYTES = 16 * 1024
/** A byte of a body counts twice: as it was read, and as the value that is made of it. */
const COPIES = 2
/** Memory of a decompressor: its window, its state and the piece that it writes to. */
const DECODER_BYTES = 64 * 1024
/** What a body that is not complete has to bring in each interval; else its request is refused. */
const MIN_PROGRESS_BYTES = 16 * 1024
const PROGRESS_INTERVAL_MS = 10_000
const SWEEP_INTERVAL_MS = 1_000

const FULL = 'Too many request bodies are being read; please try again later'
const OVER_SHARE = 'Too many request bodies of your token or network are being read; please try again later'

/** Stops reading a body. */
type Stop = (refusal: Refusal) => void

/** Settings of a budget. */
export interface BodyBudgetOptions {
  readonly maxBytes: number
  /** Monotonic time in milliseconds. */
  readonly now?: () => number
}

/**
 * Memory budget for the bodies of all requests that are in flight: compressed, decompressed and parsed. A body without
 * room is refused with 503; one whose length was announced has all of its room from the start and is never refused
 * later. One eighth is reserved for small bodies, such as the metrics of SDKs. A body that makes no progress is refused
 * with 408, so that what it holds is free again.
 *
 * Bodies of one owner (a token, a user, a network) together hold at most as much as is still free: one owner alone gets
 * half. A single body may always use what is free, and large and small bodies of an owner are counted apart, so that
 * reports of SDKs get through beside an import from the same network.
 */
export class BodyBudget {
  /** Longest body that can ever be admitted. */
  readonly maxBodyBytes: number
  readonly #now: () => number
  readonly #maxBytes: number
  readonly #maxLargeBytes: number
  readonly #reading = new Set<BodyLease>()
  readonly #ofSmallBodies = new GroupTotals()
  readonly #ofLargeBodies = new GroupTotals()
  #sweeping: NodeJS.Timeout | undefined
  #bytes = 0
  #overloaded = 0
  #stalled = 0

  constructor({ maxBytes, now = () => performance.now() }: BodyBudgetOptions) {
    this.#maxBytes = maxBytes
    this.#maxLargeBytes = maxBytes - Math.floor(maxBytes / RESERVED_PART)
    this.maxBodyBytes = Math.floor(this.#maxLargeBytes / COPIES)
    this.#now = now
  }

  /** Bytes in use. */
  get bytes(): number {
    return this.#bytes
  }

  /** Bodies that were refused, by reason, since the start. */
  get refused(): { readonly overloaded: number; readonly stalled: number } {
    return { overloaded: this.#overloaded, stalled: this.#stalled }
  }

  /**
   * Opens a lease for one body; it holds no room yet.
   *
   * @param owners names of all that the body counts for: its token or user, and its network
   */
  open(owners: readonly string[] = []): BodyLease {
    return new BodyLease(this, owners)
  }

  /** Adds room to a lease. Throws a Refusal 'overloaded' if there is none, or none for its owners. */
  take(lease: BodyLease, more: number): void {
    const { bytes: held, owners } = lease
    const needed = held + more
    const isSmall = isSmallBody(needed)
    const free = (isSmall ? this.#maxBytes : this.#maxLargeBytes) - this.#bytes - more
    const before = this.#totalsOf(held)
    const after = this.#totalsOf(needed)
    const isOverShare = (owner: string) => {
      const others = after.get(owner) - (before === after ? held : 0)
      return others > 0 && others + needed > free
    }
    if (free < 0) throw this.#refuse(FULL)
    if (owners.some(isOverShare)) throw this.#refuse(OVER_SHARE)
    this.#bytes += more
    for (const owner of owners) {
      before.add(owner, -held)
      after.add(owner, needed)
    }
  }

  /** Gives back all room of a lease. */
  giveBack({ bytes, owners }: BodyLease): void {
    this.#bytes -= bytes
    const totals = this.#totalsOf(bytes)
    for (const owner of owners) totals.add(owner, -bytes)
  }

  #totalsOf(bodyBytes: number): GroupTotals {
    return isSmallBody(bodyBytes) ? this.#ofSmallBodies : this.#ofLargeBodies
  }

  #refuse(message: string): Refusal {
    this.#overloaded += 1
    return new Refusal('overloaded', message)
  }

  /** Looks from now on whether the body of a lease arrives. */
  watch(lease: BodyLease): void {
    lease.dueMs = this.#now() + PROGRESS_INTERVAL_MS
    this.#reading.add(lease)
    this.#sweeping ??= setInterval(() => this.#sweepSoon(), SWEEP_INTERVAL_MS).unref()
  }

  /** The body of a lease is complete, or nobody reads it any more. */
  unwatch(lease: BodyLease): void {
    this.#reading.delete(lease)
  }

  /** Refuses bodies that made no progress. */
  sweep(): void {
    const now = this.#now()
    for (const lease of this.#reading) {
      if (lease.dueMs > now) continue
      if (lease.arrivedBytes >= MIN_PROGRESS_BYTES) {
        lease.arrivedBytes = 0
        lease.dueMs = now + PROGRESS_INTERVAL_MS
        continue
      }
      this.#stalled += 1
      lease.stop(new Refusal('timeout', 'The body of the request came too slowly'))
    }
    if (this.#reading.size > 0) return
    clearInterval(this.#sweeping)
    this.#sweeping = undefined
  }

  /** After an event loop that was blocked, bodies that have arrived meanwhile are read first. */
  #sweepSoon(): void {
    setImmediate(() => this.sweep())
  }
}

function isSmallBody(bytes: number): boolean {
  return bytes <= SMALL_BODY_BYTES * COPIES
}

/** What one body holds of a budget. */
export class BodyLease {
  readonly owners: readonly string[]
  /** Bytes that have arrived in this interval, as they were sent. */
  arrivedBytes = 0
  /** When progress is looked at next. */
  dueMs = 0
  stop: Stop = () => {}
  readonly #budget: BodyBudget
  #bytes = 0

  constructor(budget: BodyBudget, owners: readonly string[]) {
    this.#budget = budget
    this.owners = owners
  }

  /** Bytes in use. */
  get bytes(): number {
    return this.#bytes
  }

  /** Takes room for bytes of a body. Throws a Refusal 'overloaded' where there is none. */
  take(bodyBytes: number): void {
    this.#grow(bodyBytes * COPIES)
  }

  /** Takes room to undo a content coding. Throws a Refusal 'overloaded' where there is none. */
  takeDecoder(): void {
    this.#grow(DECODER_BYTES)
  }

  /** Calls `stop` if the body does not arrive. */
  watch(stop: Stop): void {
    this.stop = stop
    this.#budget.watch(this)
  }

  /** The body has arrived. */
  unwatch(): void {
    this.#budget.unwatch(this)
  }

  /** Gives back everything. */
  release(): void {
    this.#budget.unwatch(this)
    this.#budget.giveBack(this)
    this.#bytes = 0
  }

  #grow(more: number): void {
    this.#budget.take(this, more)
    this.#bytes += more
  }
}

/** Adds the series of a budget. */
export function seriesOfBodies(registry: SeriesRegistry, budget: BodyBudget): void {
  registry.gauge('burgee_request_body_bytes', 'Memory that request bodies in flight use.', () => budget.bytes, 'sum')
  registry.counterOf(
    'burgee_request_bodies_overloaded_total',
    'Request bodies that were refused (503), for there was no memory for them.',
    () => budget.refused.overloaded,
  )
  registry.counterOf(
    'burgee_request_bodies_stalled_total',
    'Request bodies that were refused (408), for they came too slowly.',
    () => budget.refused.stalled,
  )
}
