import { type MonotonicClock, PROCESS_CLOCK } from './monotonic-clock.ts'

const SUPPRESSION_MS = 60_000
const MAX_KINDS = 100
const OTHERS = 'others'

/**
 * Limits log lines that callers can trigger at will to one line per kind and minute. Each line contains the number of
 * lines of its kind that were suppressed since the previous one. All kinds after the hundredth are counted together.
 */
export class Throttle {
  readonly #monotonic: MonotonicClock
  readonly #kinds = new Map<string, { readonly atMs: number; suppressed: number }>()

  /** @param monotonic clock that returns milliseconds; default: the clock of the process */
  constructor(monotonic: MonotonicClock = PROCESS_CLOCK) {
    this.#monotonic = monotonic
  }

  /**
   * Returns the suffix for a line of this kind ("" or " (12 more since the last one)"), or undefined if the line must
   * not be logged.
   */
  pass(kind: string): string | undefined {
    const now = this.#monotonic()
    const key = this.#kinds.has(kind) || this.#kinds.size < MAX_KINDS ? kind : OTHERS
    const last = this.#kinds.get(key)
    const isQuiet = last !== undefined && now >= last.atMs && now - last.atMs < SUPPRESSION_MS
    if (isQuiet) {
      last.suppressed += 1
      return undefined
    }
    this.#kinds.set(key, { atMs: now, suppressed: 0 })
    return last === undefined || last.suppressed === 0 ? '' : ` (${last.suppressed} more since the last one)`
  }
}
