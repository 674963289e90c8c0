/** How long work may go on beginning within one turn of the event loop. */
const SHARE_MS = 1

/**
 * Keeps work that comes at once from standing in front of everything else: once a turn of the event loop has given it a
 * millisecond, what comes after waits, in its order, and begins one by one, each in a turn of its own, so that whoever
 * reads from a socket meanwhile is answered between two of them. Alone, work begins at once.
 */
export class Turns {
  readonly #clock: () => number
  readonly #waiting: (() => void)[] = []
  #sinceMs: number | undefined

  /** @param clock in milliseconds since any time; by default one that nobody sets back */
  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock
  }

  /** Does it now, or later; then rejects with what it throws. */
  take<T>(work: () => T | Promise<T>): T | Promise<T> {
    if (this.#sinceMs === undefined) {
      this.#sinceMs = this.#clock()
      setImmediate(this.#next)
      return work()
    }
    if (this.#waiting.length === 0 && this.#clock() - this.#sinceMs < SHARE_MS) return work()
    return new Promise<void>((begin) => this.#waiting.push(begin)).then(work)
  }

  readonly #next = (): void => {
    const begin = this.#waiting.shift()
    if (begin === undefined) {
      this.#sinceMs = undefined
      return
    }
    this.#sinceMs = this.#clock()
    setImmediate(this.#next)
    begin()
  }
}
