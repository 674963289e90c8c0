import { type MonotonicClock, PROCESS_CLOCK } from './monotonic-clock.ts'

/** Time budget for starting work within one turn of the event loop. */
const TURN_BUDGET_MS = 1

/**
 * Scheduler that keeps bursts of work from blocking everything else. Work starts immediately if less than a millisecond
 * of the current event-loop turn has been used. Further work is queued in order and gets a millisecond of each
 * following turn, so that sockets are served in between.
 */
export class EventLoopBudget {
  readonly #monotonic: MonotonicClock
  readonly #queue: (() => void)[] = []
  #turnStartMs: number | undefined

  /** @param monotonic clock in milliseconds; default: the process clock */
  constructor(monotonic: MonotonicClock = PROCESS_CLOCK) {
    this.#monotonic = monotonic
  }

  /**
   * Runs work either immediately or later. If the work runs immediately, throws its error; otherwise rejects with its
   * error.
   */
  run<T>(work: () => T | Promise<T>): T | Promise<T> {
    if (this.#turnStartMs === undefined) {
      this.#turnStartMs = this.#monotonic()
      setImmediate(this.#startTurn)
      return work()
    }
    if (this.#queue.length === 0 && this.#monotonic() - this.#turnStartMs < TURN_BUDGET_MS) return work()
    // `then` runs work in the async context of its caller, not in the context of the code that starts it
    return new Promise<void>((begin) => this.#queue.push(begin)).then(work)
  }

  readonly #startTurn = (): void => {
    if (this.#queue.length === 0) {
      this.#turnStartMs = undefined
      return
    }
    this.#turnStartMs = this.#monotonic()
    setImmediate(this.#startTurn)
    this.#startOne()
  }

  #startOne(): void {
    this.#queue.shift()?.()
    if (this.#queue.length > 0) queueMicrotask(this.#continueTurn)
  }

  /** Runs as a microtask, after the synchronous part of the previous work item. */
  readonly #continueTurn = (): void => {
    if (this.#turnStartMs !== undefined && this.#monotonic() - this.#turnStartMs < TURN_BUDGET_MS) this.#startOne()
  }
}
