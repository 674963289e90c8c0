import { type MonotonicClock, PROCESS_CLOCK } from './monotonic-clock.ts'

/** Time budget for starting work within one turn of the event loop. */
const SHARE_MS = 1

/**
 * Keeps bursts of work from blocking everything else. Once work has used a millisecond of an event loop turn, further
 * work is queued in order and gets a millisecond of each following turn, so that sockets are served in between. If
 * idle, work starts immediately.
 */
export class Turns {
  readonly #monotonic: MonotonicClock
  readonly #waiting: (() => void)[] = []
  #sinceMs: number | undefined

  /** @param monotonic clock in milliseconds; default: the process clock */
  constructor(monotonic: MonotonicClock = PROCESS_CLOCK) {
    this.#monotonic = monotonic
  }

  /** Runs work now and throws its error, or runs it later and rejects with it. */
  take<T>(work: () => T | Promise<T>): T | Promise<T> {
    if (this.#sinceMs === undefined) {
      this.#sinceMs = this.#monotonic()
      setImmediate(this.#next)
      return work()
    }
    if (this.#waiting.length === 0 && this.#monotonic() - this.#sinceMs < SHARE_MS) return work()
    // `then` runs work in the async context of its caller, not of the code that starts it
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

  /** Runs as a microtask, after the synchronous part of the previous work. */
  readonly #goOn = (): void => {
    if (this.#sinceMs !== undefined && this.#monotonic() - this.#sinceMs < SHARE_MS) this.#beginOne()
  }
}
