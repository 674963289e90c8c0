import { BoundedCache } from '@burgee/kit/bounded-cache'

const EVERY_MS = 60_000
const MOST_KNOWN = 10_000

/** Gathers when things were last used, to the minute, so that not every use costs a write. */
export class Sightings<Id> {
  readonly #noted = new BoundedCache<number, Id>({ entries: MOST_KNOWN })
  #waiting = new Map<Id, number>()

  /** How many wait to be written. */
  get size(): number {
    return this.#waiting.size
  }

  /** Notes a use; false where one of the last minute is noted. */
  note(id: Id, now: number): boolean {
    if (now - (this.#noted.peek(id) ?? Number.NEGATIVE_INFINITY) < EVERY_MS) return false
    this.#noted.set(id, now)
    this.#waiting.set(id, now)
    return true
  }

  /** Hands over what waits. */
  take(): ReadonlyMap<Id, number> {
    const taken = this.#waiting
    this.#waiting = new Map()
    return taken
  }

  /** Takes back what could not be written; what was noted since is newer. */
  keep(taken: ReadonlyMap<Id, number>): void {
    this.#waiting = new Map([...taken, ...this.#waiting])
  }
}
