import { BoundedCache } from '@burgee/kit/bounded-cache'

const EVERY_MS = 60_000
const MOST_KNOWN = 10_000

/** A use of something: when, and by whom where that is told. */
export interface Sighting<By> {
  readonly at: number
  readonly by: By | undefined
}

/** Gathers when things were last used, to the minute, so that not every use costs a write. */
export class Sightings<Id, By = never> {
  readonly #noted = new BoundedCache<number, Id>({ entries: MOST_KNOWN })
  #waiting = new Map<Id, Sighting<By>>()

  /** How many wait to be written. */
  get size(): number {
    return this.#waiting.size
  }

  /** Notes a use; false where one of the last minute is noted. Who it was is asked for only where it is noted. */
  note(id: Id, now: number, by?: () => By): boolean {
    if (now - (this.#noted.peek(id) ?? Number.NEGATIVE_INFINITY) < EVERY_MS) return false
    this.#noted.set(id, now)
    this.#waiting.set(id, { at: now, by: by?.() })
    return true
  }

  /** Hands over what waits. */
  take(): ReadonlyMap<Id, Sighting<By>> {
    const taken = this.#waiting
    this.#waiting = new Map()
    return taken
  }

  /** Takes back what could not be written; what was noted since is newer. */
  keep(taken: ReadonlyMap<Id, Sighting<By>>): void {
    this.#waiting = new Map([...taken, ...this.#waiting])
  }
}
