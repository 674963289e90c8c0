import { type MonotonicClock, PROCESS_CLOCK } from './monotonic-clock.ts'

/** How long work may go on beginning within one turn of the event loop. */
const SHARE_MS = 1

/**
 * Keeps work that comes at once from standing in front of everything else: once a turn of the event loop has given it a
 * millisecond, what comes after waits, in its order, for a millisecond of the turns that follow, so that whoever reads
 * from a socket meanwhile is answered in between. Alone, work begins at once.
 */
export class Turns {
  readonly #monotonic: MonotonicClock
  readonly #waiting: (() => void)[] = []
  #sinceMs: number | undefined

  /** @param clock in milliseconds since any time; by default one that nobody sets back */
  constructor(monotonic: MonotonicClock = PROCESS_CLOCK) {
    this.#monotonic = monotonic
  }

  /** Does it now, or later; then rejects with what it throws. */
  take<T>(work: () => T | Promise<T>): T | Promise<T> {
    if (this.#sinceMs === undefined) {
      this.#sinceMs = this.#monotonic()
      setImmediate(this.#next)
      return work()
    }
    if (this.#waiting.length === 0 && this.#monotonic() - this.#sinceMs < SHARE_MS) return work()
    // work goes on in the context of whoever gave it, not in that of whoever lets it begin
    return new Promise<void>((begin) => this.#waiting.push(begin)).then(work)
  }

  readonly #next = (): void => {
    if (this.#waiting.length === 0) {
      this.#sinceMs = undefined
      return
    }
    this.#sinceMs = this.#monotonic()
    setImmediate(this.#next)
    this.#beginOne()
  }

  #beginOne(): void {
    this.#waiting.shift()?.()
    if (this.#waiting.length > 0) queueMicrotask(this.#goOn)
  }

  /** Comes behind what the one before does at once. */
  readonly #goOn = (): void => {
    if (this.#sinceMs !== undefined && this.#monotonic() - this.#sinceMs < SHARE_MS) this.#beginOne()
  }
}
