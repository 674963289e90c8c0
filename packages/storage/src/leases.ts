import { DatabaseUnavailable } from './errors.ts'

/** Resource that a pool manages. Only one caller at a time uses it. */
export interface Lendable {
  readonly isAlive: boolean
}

/** Maximum number of resources in a pool, and the function that opens one. */
export interface LeaseOptions<T> {
  readonly max: number
  readonly open: () => Promise<T>
}

interface QueuedCaller<T> {
  readonly resolve: (lent: T) => void
  readonly reject: (error: unknown) => void
}

/** Maximum number of callers that may wait at the same time. Each caller that waits belongs to an open request. */
const MAX_WAITING_CALLERS = 1000
/** Time limit for callers that wait. The same limit applies to PostgreSQL connections. */
const MAX_WAIT_MS = 30_000

/**
 * Pool of resources, each used by one caller at a time. Serves callers in the order of their requests. Opens further
 * resources while callers wait, up to a maximum. Replaces dead resources on demand.
 */
export class Leases<T extends Lendable> {
  readonly #options: LeaseOptions<T>
  readonly #free: T[] = []
  readonly #waiting: QueuedCaller<T>[] = []
  #draining: (() => void)[] = []
  /** Number of resources that are open or being opened. */
  #count = 0

  constructor(options: LeaseOptions<T>, first: readonly T[] = []) {
    this.#options = options
    this.#free.push(...first)
    this.#count = first.length
  }

  /** Counts of resources in use, free resources, and waiting callers. */
  get state(): { readonly busy: number; readonly idle: number; readonly waiting: number } {
    return { busy: this.#count - this.#free.length, idle: this.#free.length, waiting: this.#waiting.length }
  }

  /**
   * Acquires a resource. Rejects with DatabaseUnavailable if too many callers are waiting or the wait exceeds its time
   * limit, and with the original error if a resource cannot be opened.
   */
  acquire(): Promise<T> {
    const free = this.#takeFree()
    if (free !== undefined) return Promise.resolve(free)
    if (this.#waiting.length >= MAX_WAITING_CALLERS) {
      return Promise.reject(
        new DatabaseUnavailable(`${MAX_WAITING_CALLERS} callers are already waiting for the database`),
      )
    }
    return new Promise((resolve, reject) => {
      const waiting: QueuedCaller<T> = {
        resolve: (lent) => {
          clearTimeout(timer)
          resolve(lent)
        },
        reject: (error) => {
          clearTimeout(timer)
          reject(error)
        },
      }
      const timer = setTimeout(() => {
        const at = this.#waiting.indexOf(waiting)
        if (at !== -1) this.#waiting.splice(at, 1)
        reject(new DatabaseUnavailable('Waited too long for the database'))
      }, MAX_WAIT_MS)
      this.#waiting.push(waiting)
      if (this.#count < this.#options.max) void this.#open()
    })
  }

  /**
   * Acquires a resource, runs a function with it, and releases the resource. Rejects with the errors of the function
   * and of `acquire`.
   */
  async lend<R>(work: (lent: T) => Promise<R>): Promise<R> {
    const lent = await this.acquire()
    try {
      return await work(lent)
    } finally {
      this.release(lent)
    }
  }

  /** Releases a resource, so that the next caller can use it. */
  release(lent: T): void {
    if (!lent.isAlive) {
      this.#count -= 1
      if (this.#waiting.length > 0) void this.#open()
    } else {
      const next = this.#waiting.shift()
      if (next === undefined) this.#free.push(lent)
      else next.resolve(lent)
    }
    this.#noteReturn()
  }

  /**
   * Removes all resources from the pool and resolves with them. First serves callers that are already waiting, then
   * waits until each resource is released. New callers must no longer arrive.
   */
  async drain(): Promise<T[]> {
    const all: T[] = []
    for (;;) {
      const one = this.#takeFree()
      if (one !== undefined) all.push(one)
      else if (all.length >= this.#count) return all
      else await this.#waitForReturn()
    }
  }

  /** Waits until a resource is released or lost. */
  #waitForReturn(): Promise<void> {
    return new Promise((resolve) => this.#draining.push(resolve))
  }

  #noteReturn(): void {
    for (const resolve of this.#draining.splice(0)) resolve()
  }

  #takeFree(): T | undefined {
    for (;;) {
      const free = this.#free.pop()
      if (free === undefined || free.isAlive) return free
      this.#count -= 1
    }
  }

  async #open(): Promise<void> {
    this.#count += 1
    try {
      this.release(await this.#options.open())
    } catch (error) {
      this.#count -= 1
      this.#noteReturn()
      // other resources exist, and their callers will release them
      if (this.#count > 0) return
      for (const { reject } of this.#waiting.splice(0)) reject(error)
    }
  }
}
