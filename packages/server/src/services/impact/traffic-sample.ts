import { deserialize, serialize } from 'node:v8'
import type { MonotonicClock } from '@burgee/kit/monotonic-clock'
import type { Context } from '@burgee/protocol/context'
import { MemorySeal, type Sealed } from './memory-seal.ts'

/** What may be kept of one environment. */
export interface SampleBounds {
  readonly contexts: number
  /** Of all together, with what each costs besides. */
  readonly bytes: number
  /** Longer ones are left out. */
  readonly contextBytes: number
  /** About so many are taken of those that come in a second, for as long as more come; */
  readonly perSecond: number
  /** and of those that come at once after a quiet time. */
  readonly burst: number
  readonly ageMs: number
}

/** Bounds of every environment. At 25 a second, 10,000 contexts are at least the last seven minutes. */
export const SAMPLE_BOUNDS: SampleBounds = {
  contexts: 10_000,
  bytes: 8 * 1024 * 1024,
  contextBytes: 8192,
  perSecond: 25,
  burst: 500,
  ageMs: 24 * 60 * 60 * 1000,
}

/** A context that flags were decided for. */
export interface SampledContext {
  readonly atMs: number
  readonly context: Context
  /** Ids of the projects whose flags were decided; `*` means all. */
  readonly projects: readonly string[]
  /** Flags that were asked for; undefined where it was all. */
  readonly names: readonly string[] | undefined
}

/** How much a sample holds. */
export interface SampleSize {
  readonly contexts: number
  readonly bytes: number
  /** Contexts that were too long to be taken. */
  readonly leftOut: number
  /** When the oldest came; undefined where there is none. */
  readonly sinceMs: number | undefined
}

/** What a sample is made with. */
export interface SampleParts {
  readonly monotonic: MonotonicClock
  /** A number from 0 on, below 1. */
  readonly chance: () => number
  /** Unpredictable bytes. */
  readonly random: (length: number) => Uint8Array
  readonly bounds?: SampleBounds
}

interface Entry extends Sealed {
  readonly atMs: number
}

/** Of an entry besides its text: objects and their place, generously. */
const ENTRY_BYTES = 256

/**
 * The newest contexts of an environment, thinned where many come. They lie in memory sealed by a key of this sample alone,
 * which goes with it: what is left of them in memory afterwards nobody can read. Why not hashed: docs/adr/0046.
 */
export class TrafficSample {
  readonly #parts: SampleParts
  readonly #bounds: SampleBounds
  readonly #seal: MemorySeal
  #entries: Entry[] = []
  /** The entries before are gone. */
  #first = 0
  #bytes = 0
  #leftOut = 0
  /** Every how manieth is taken, and how many are passed over until the next. */
  #stride = 1
  #skip = 1
  /** In this second. */
  #offered = 0
  /** How many more are taken without being thinned. */
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

  /** Takes a context, or passes it over: that costs a subtraction. Throws nothing. */
  offer(context: Context, projects: readonly string[], names: readonly string[] | undefined): void {
    this.#offered += 1
    this.#skip -= 1
    if (this.#skip <= 0) this.#take(context, projects, names)
  }

  /** A second is over: as many as came in it are expected in the next, and what is too old goes. */
  tick(): void {
    const { burst, perSecond, ageMs } = this.#bounds
    this.#budget = Math.min(burst, Math.max(0, this.#budget) + perSecond)
    this.#stride = Math.max(1, Math.ceil(this.#offered / this.#budget))
    this.#skip = Math.min(this.#skip, this.#pause())
    this.#offered = 0
    const sinceMs = this.#parts.monotonic() - ageMs
    while ((this.#entries[this.#first]?.atMs ?? sinceMs) < sinceMs) this.#drop()
  }

  /** Opens one context after the other, of those that are there at the beginning; the oldest first. */
  *read(): Generator<SampledContext, void> {
    for (const entry of this.#entries.slice(this.#first)) {
      if (this.#isClosed) return
      yield this.#open(entry)
    }
  }

  /** Forgets everything, for good. */
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
    // a flood is thinned before its first second is over
    if (this.#budget <= 0 && this.#budget % this.#bounds.perSecond === 0) this.#stride *= 2
    const plain = textOf([context, projects, names])
    if (plain !== undefined && plain.length <= this.#bounds.contextBytes) this.#keep(this.#seal.close(plain))
    else {
      plain?.fill(0)
      this.#leftOut += 1
    }
  }

  #keep(sealed: Sealed): void {
    this.#entries.push({ ...sealed, atMs: this.#parts.monotonic() })
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

  /** As many as `stride` on average, by chance, so that no rhythm of callers is preferred. */
  #pause(): number {
    return this.#stride === 1 ? 1 : 1 + Math.floor(this.#parts.chance() * (2 * this.#stride - 1))
  }
}

/** Exactly what it is, also where JSON could not say it; undefined for what cannot be written down. */
function textOf(value: unknown): Buffer | undefined {
  try {
    return serialize(value)
  } catch {
    return undefined
  }
}
