import { type MonotonicClock, PROCESS_CLOCK } from './monotonic-clock.ts'

const QUIET_MS = 60_000
const MOST_KINDS = 100
const OTHERS = 'others'

/**
 * Keeps what callers can bring about again and again from filling the log: one line per kind and minute, and how many
 * were held back since the line before. Kinds beyond the hundredth count as one.
 */
export class Throttle {
  readonly #monotonic: MonotonicClock
  readonly #kinds = new Map<string, { readonly atMs: number; held: number }>()

  /** @param clock in milliseconds since any time; by default one that nobody sets back */
  constructor(monotonic: MonotonicClock = PROCESS_CLOCK) {
    this.#monotonic = monotonic
  }

  /** What to put behind a line of this kind ("" or " (12 more since the last one)"); undefined: hold the line back. */
  pass(kind: string): string | undefined {
    const now = this.#monotonic()
    const key = this.#kinds.has(kind) || this.#kinds.size < MOST_KINDS ? kind : OTHERS
    const last = this.#kinds.get(key)
    const isQuiet = last !== undefined && now >= last.atMs && now - last.atMs < QUIET_MS
    if (isQuiet) {
      last.held += 1
      return undefined
    }
    this.#kinds.set(key, { atMs: now, held: 0 })
    return last === undefined || last.held === 0 ? '' : ` (${last.held} more since the last one)`
  }
}
