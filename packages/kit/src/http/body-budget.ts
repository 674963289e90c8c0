import { GroupTotals } from '../group-totals.ts'
import type { SeriesRegistry } from '../series/series.ts'
import { Refusal } from './refusal.ts'

/** Default memory for request bodies per process. */
export const DEFAULT_BODY_MEMORY_BYTES = 64 * 1024 * 1024
/** Fraction of the budget that is reserved for small bodies: 1/8. */
const RESERVED_PART = 8
const SMALL_BODY_BYTES = 16 * 1024
/** Each byte of a body counts twice: once as a received byte, once as part of the parsed value. */
const COPIES = 2
/** Memory that a decompressor needs: window, state and output chunk. */
const DECODER_BYTES = 64 * 1024
/**
 * Minimum number of bytes of an incomplete body that must arrive per interval. If fewer bytes arrive, the request is
 * rejected.
 */
const MIN_PROGRESS_BYTES = 16 * 1024
const PROGRESS_INTERVAL_MS = 10_000
const SWEEP_INTERVAL_MS = 1_000

const FULL = 'Too many request bodies are being read; please try again later'
const OVER_SHARE = 'Too many request bodies of your token or network are being read; please try again later'

/** Function that stops reading a body and rejects its request. */
type Stop = (refusal: Refusal) => void

/** Options of `BodyBudget`. */
export interface BodyBudgetOptions {
  readonly maxBytes: number
  /** Monotonic time, in milliseconds. */
  readonly now?: () => number
}

/**
 * Memory budget for the bodies of all requests in flight, whether compressed, decompressed or parsed.
 *
 * A body that does not fit is rejected with 503. A body with a declared length reserves all of its memory at the start,
 * so it is not rejected for lack of memory later. A body that stops arriving is rejected with 408, which frees its
 * memory. One eighth of the budget is reserved for small bodies, such as SDK metrics.
 *
 * All concurrent bodies of one owner (token, user or network) together may use at most as much memory as is still free,
 * so that one owner gets at most half of the budget. A single body can always use all free memory. Large and small
 * bodies of an owner are counted separately, so that SDK reports are still accepted while an import from the same
 * network is running.
 */
export class BodyBudget {
  /** Maximum size of a body that fits if nothing else uses the budget. */
  readonly maxBodyBytes: number
  readonly #now: () => number
  readonly #maxBytes: number
  readonly #maxLargeBytes: number
  readonly #reading = new Set<BodyLease>()
  readonly #smallBodyTotals = new GroupTotals()
  readonly #largeBodyTotals = new GroupTotals()
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

  /** Number of bodies rejected since startup, by reason. */
  get refused(): { readonly overloaded: number; readonly stalled: number } {
    return { overloaded: this.#overloaded, stalled: this.#stalled }
  }

  /**
   * Opens a lease for one body, with no memory reserved yet.
   *
   * @param owners owners to which the body is charged: token or user, and network
   */
  open(owners: readonly string[] = []): BodyLease {
    return new BodyLease(this, owners)
  }

  /** Adds memory to a lease. Throws a Refusal 'overloaded' if the budget or an owner's share is exhausted. */
  take(lease: BodyLease, more: number): void {
    const { bytes: held, owners } = lease
    const needed = held + more
    const isSmall = isSmallBody(needed)
    const free = (isSmall ? this.#maxBytes : this.#maxLargeBytes) - this.#bytes - more
    const before = this.#getTotals(held)
    const after = this.#getTotals(needed)
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

  /** Releases all memory of a lease. */
  returnMemory({ bytes, owners }: BodyLease): void {
    this.#bytes -= bytes
    const totals = this.#getTotals(bytes)
    for (const owner of owners) totals.add(owner, -bytes)
  }

  #getTotals(bodyBytes: number): GroupTotals {
    return isSmallBody(bodyBytes) ? this.#smallBodyTotals : this.#largeBodyTotals
  }

  #refuse(message: string): Refusal {
    this.#overloaded += 1
    return new Refusal('overloaded', message)
  }

  /** Starts to check whether the body of a lease keeps arriving. */
  watch(lease: BodyLease): void {
    lease.dueMs = this.#now() + PROGRESS_INTERVAL_MS
    this.#reading.add(lease)
    this.#sweeping ??= setInterval(() => this.#sweepSoon(), SWEEP_INTERVAL_MS).unref()
  }

  /** Stops the check for a body that is complete or will not be read any further. */
  unwatch(lease: BodyLease): void {
    this.#reading.delete(lease)
  }

  /** Rejects bodies of which too little has arrived. */
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
      lease.stop(new Refusal('timeout', 'The request body arrived too slowly'))
    }
    if (this.#reading.size > 0) return
    clearInterval(this.#sweeping)
    this.#sweeping = undefined
  }

  /**
   * Runs after pending I/O. If the event loop was blocked, bodies that have already arrived are therefore read first.
   */
  #sweepSoon(): void {
    setImmediate(() => this.sweep())
  }
}

function isSmallBody(bytes: number): boolean {
  return bytes <= SMALL_BODY_BYTES * COPIES
}

/** Lease of memory for one body within a budget. */
export class BodyLease {
  readonly owners: readonly string[]
  /** Bytes received in the current interval, as sent over the network. */
  arrivedBytes = 0
  /** Monotonic time of the next check, in milliseconds. */
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

  /** Reserves memory for bytes of a body. Throws a Refusal 'overloaded' if there is not enough memory. */
  take(bodyBytes: number): void {
    this.#grow(bodyBytes * COPIES)
  }

  /** Reserves memory for a decompressor. Throws a Refusal 'overloaded' if there is not enough memory. */
  takeDecoder(): void {
    this.#grow(DECODER_BYTES)
  }

  /** Calls `stop` if the body stops arriving. */
  watch(stop: Stop): void {
    this.stop = stop
    this.#budget.watch(this)
  }

  /** Stops the progress check. Must be called once the body has arrived. */
  unwatch(): void {
    this.#budget.unwatch(this)
  }

  /** Releases all memory of the lease. */
  release(): void {
    this.#budget.unwatch(this)
    this.#budget.returnMemory(this)
    this.#bytes = 0
  }

  #grow(more: number): void {
    this.#budget.take(this, more)
    this.#bytes += more
  }
}

/** Registers the metrics of a budget. */
export function registerBodySeries(registry: SeriesRegistry, budget: BodyBudget): void {
  registry.gauge('burgee_request_body_bytes', 'Memory of request bodies in flight.', () => budget.bytes, 'sum')
  registry.observableCounter(
    'burgee_request_bodies_overloaded_total',
    'Request bodies rejected with 503 because the memory for bodies was used up.',
    () => budget.refused.overloaded,
  )
  registry.observableCounter(
    'burgee_request_bodies_stalled_total',
    'Request bodies rejected with 408 because they arrived too slowly.',
    () => budget.refused.stalled,
  )
}
