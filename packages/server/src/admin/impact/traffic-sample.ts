import { deserialize, serialize } from 'node:v8'
import type { MonotonicClock } from '@burgee/kit/monotonic-clock'
import type { Context } from '@burgee/protocol/context'
import { MemorySeal, type Sealed } from './memory-seal.ts'

/** Limits for the sample of one environment. */
export interface SampleBounds {
  readonly contexts: number
  /** Maximum total size, including the overhead per entry. */
  readonly bytes: number
  /** Maximum size of one context; larger contexts are not sampled. */
  readonly contextBytes: number
  /** Approximate number of contexts sampled per second under sustained load. */
  readonly perSecond: number
  /** Number of contexts that are all sampled after a quiet period, before the sampling rate is reduced. */
  readonly burst: number
  readonly ageMs: number
}

/** Default limits for each environment. At 25 a second, 10,000 contexts cover at least the last seven minutes. */
export const SAMPLE_BOUNDS: SampleBounds = {
  contexts: 10_000,
  bytes: 8 * 1024 * 1024,
  contextBytes: 8192,
  perSecond: 25,
  burst: 500,
  ageMs: 24 * 60 * 60 * 1000,
}

/** Context for which flags were evaluated. */
export interface SampledContext {
  /** Time of the evaluation. */
  readonly atMs: number
  readonly context: Context
  /** Ids of the projects whose flags were evaluated; `*` means all. */
  readonly projects: readonly string[]
  /** Requested flags; undefined for all. */
  readonly names: readonly string[] | undefined
}

/** Size of a sample. */
export interface SampleSize {
  readonly contexts: number
  readonly bytes: number
  /** Number of contexts that were too long or could not be serialized. */
  readonly leftOut: number
  /** Time of the oldest context; undefined if there is none. */
  readonly sinceMs: number | undefined
}

/** Dependencies of a sample. */
export interface SampleParts {
  readonly clock: () => number
  readonly monotonic: MonotonicClock
  /** Returns a random number in [0, 1). */
  readonly chance: () => number
  /** Returns unpredictable bytes. */
  readonly random: (length: number) => Uint8Array
  readonly bounds?: SampleBounds
}

interface Entry extends Sealed {
  /** Time for people. */
  readonly atMs: number
  /** Returns the monotonic time, from which the age of contexts is computed. */
  readonly monotonicMs: number
}

/** Overhead per sampled context: objects and array slots, estimated generously. */
const ENTRY_BYTES = 256

/**
 * Latest contexts of an environment, sampled sparsely under load. The contexts are encrypted in memory with a key of
 * this sample. The key is discarded together with the sample, so that contexts that remain in memory are unreadable.
 */
export class TrafficSample {
  readonly #parts: SampleParts
  readonly #bounds: SampleBounds
  readonly #seal: MemorySeal
  #entries: Entry[] = []
  /** Index of the first valid entry. */
  #first = 0
  #bytes = 0
  #leftOut = 0
  /**
   * Average number of offered contexts per sampled one, and how many more contexts are offered until the next one is
   * sampled.
   */
  #stride = 1
  #skip = 1
  /** Contexts offered in the current second. */
  #offered = 0
  /** Number of contexts that are still sampled at the current rate before the rate is reduced. */
  #budget: number
  #isClosed = false

  constructor(parts: SampleParts) {
    this.#parts = parts
    this.#bounds = parts.bounds ?? SAMPLE_BOUNDS
    this.#budget = this.#bounds.burst
    this.#seal = new MemorySeal(parts.random)
  }

  get size(): SampleSize {
    const contexts = this.#entries.length - this.#first
    return { contexts, bytes: this.#bytes, leftOut: this.#leftOut, sinceMs: this.#entries[this.#first]?.atMs }
  }

  /** Adds a context to the sample, or skips it. Skipping a context costs only a few additions. Never throws. */
  offer(context: Context, projects: readonly string[], names: readonly string[] | undefined): void {
    this.#offered += 1
    this.#skip -= 1
    if (this.#skip <= 0) this.#take(context, projects, names)
  }

  /**
   * Ends a second: adapts the sampling rate to the number of contexts offered in that second, and removes expired
   * contexts.
   */
  tick(): void {
    const { burst, perSecond, ageMs } = this.#bounds
    this.#budget = Math.min(burst, Math.max(0, this.#budget) + perSecond)
    this.#stride = Math.max(1, Math.ceil(this.#offered / this.#budget))
    this.#skip = Math.min(this.#skip, this.#pause())
    this.#offered = 0
    const sinceMs = this.#parts.monotonic() - ageMs
    while ((this.#entries[this.#first]?.monotonicMs ?? sinceMs) < sinceMs) this.#drop()
  }

  /** Decrypts the current contexts one by one, oldest first. */
  *read(): Generator<SampledContext, void> {
    for (const entry of this.#entries.slice(this.#first)) {
      if (this.#isClosed) return
      yield this.#open(entry)
    }
  }

  /** Discards everything permanently. */
  close(): void {
    this.#isClosed = true
    this.#seal.forget()
    this.#entries = []
    this.#first = 0
    this.#bytes = 0
  }

  #take(context: Context, projects: readonly string[], names: readonly string[] | undefined): void {
    this.#skip = this.#pause()
    if (this.#isClosed) return
    this.#budget -= 1
    // reduce the sampling rate within the first second of a flood
    if (this.#budget <= 0 && this.#budget % this.#bounds.perSecond === 0) this.#stride *= 2
    const plain = serializeExactly([context, projects, names])
    if (plain !== undefined && plain.length <= this.#bounds.contextBytes) this.#keep(this.#seal.close(plain))
    else {
      plain?.fill(0)
      this.#leftOut += 1
    }
  }

  #keep(sealed: Sealed): void {
    this.#entries.push({ ...sealed, atMs: this.#parts.clock(), monotonicMs: this.#parts.monotonic() })
    this.#bytes += sealed.bytes.length + ENTRY_BYTES
    while (this.#entries.length - this.#first > this.#bounds.contexts || this.#bytes > this.#bounds.bytes) this.#drop()
  }

  #drop(): void {
    this.#bytes -= (this.#entries[this.#first]?.bytes.length ?? 0) + ENTRY_BYTES
    this.#first += 1
    if (this.#first < this.#entries.length / 2) return
    this.#entries = this.#entries.slice(this.#first)
    this.#first = 0
  }

  #open(entry: Entry): SampledContext {
    const [context, projects, names] = this.#seal.open(entry, deserialize) as [Context, string[], string[] | undefined]
    return { atMs: entry.atMs, context, projects, names }
  }

  /**
   * Returns how many contexts are offered until the next one is sampled. The number is `stride` on average, and random
   * so that periodic callers are not favored.
   */
  #pause(): number {
    return this.#stride === 1 ? 1 : 1 + Math.floor(this.#parts.chance() * (2 * this.#stride - 1))
  }
}

/** Serializes a value exactly, including values that JSON cannot represent; undefined if it cannot be serialized. */
function serializeExactly(value: unknown): Buffer | undefined {
  try {
    return serialize(value)
  } catch {
    return undefined
  }
}
