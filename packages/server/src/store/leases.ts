import { DatabaseUnavailable } from './errors.ts'

/** What is lent to one at a time. */
export interface Lent {
  readonly isAlive: boolean
}

/** How leases are made, and what is waited for. */
export interface LeaseOptions<T> {
  readonly most: number
  readonly open: () => Promise<T>
}

interface Waiting<T> {
  readonly resolve: (lent: T) => void
  readonly reject: (error: unknown) => void
}

/** Callers that wait at most; each of them is a request that is held. */
const MOST_WAITING = 1000
/** As long as callers wait for a connection of PostgreSQL. */
const LONGEST_WAIT_MS = 30_000

/**
 * Lends things of one kind, each to one caller at a time, in the order of asking. Further ones are opened while somebody
 * waits, up to a number; what has died is replaced when it is needed.
 */
export class Leases<T extends Lent> {
  readonly #options: LeaseOptions<T>
  readonly #free: T[] = []
  readonly #waiting: Waiting<T>[] = []
  #draining: (() => void)[] = []
  /** Open, or being opened. */
  #count = 0

  constructor(options: LeaseOptions<T>, first: readonly T[] = []) {
    this.#options = options
    this.#free.push(...first)
    this.#count = first.length
  }

  /** How many are lent, how many are not, and how many callers wait. */
  get state(): { readonly busy: number; readonly idle: number; readonly waiting: number } {
    return { busy: this.#count - this.#free.length, idle: this.#free.length, waiting: this.#waiting.length }
  }

  /** Rejects with DatabaseUnavailable where too many wait, or for too long, and with what opening throws. */
  acquire(): Promise<T> {
    const free = this.#takeFree()
    if (free !== undefined) return Promise.resolve(free)
    if (this.#waiting.length >= MOST_WAITING) {
      return Promise.reject(new DatabaseUnavailable(`${MOST_WAITING} callers wait for the database already`))
    }
    return new Promise((resolve, reject) => {
      const waiting: Waiting<T> = {
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
      }, LONGEST_WAIT_MS)
      this.#waiting.push(waiting)
      if (this.#count < this.#options.most) void this.#open()
    })
  }

  /** Lends one for as long as some work takes. Rejects with what that throws, and as `acquire` does. */
  async lend<R>(work: (lent: T) => Promise<R>): Promise<R> {
    const lent = await this.acquire()
    try {
      return await work(lent)
    } finally {
      this.release(lent)
    }
  }

  /** Gives back what was lent. */
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

  /** Takes all of them for good, each when it comes back; who waits has a turn before. Callers come no more. */
  async drain(): Promise<T[]> {
    const all: T[] = []
    for (;;) {
      const one = this.#takeFree()
      if (one !== undefined) all.push(one)
      else if (all.length >= this.#count) return all
      else await this.#returned()
    }
  }

  /** Waits until one comes back that nobody waits for, or is lost. */
  #returned(): Promise<void> {
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
      // others are there, and come back
      if (this.#count > 0) return
      for (const { reject } of this.#waiting.splice(0)) reject(error)
    }
  }
}
