import { BoundedCache } from '@burgee/kit/bounded-cache'

const EVERY_MS = 60_000
const MAX_ENTRIES = 10_000

/** Last use of an object: its time and, if known, the caller. */
export interface Sighting<By> {
  readonly at: number
  readonly by: By | undefined
}

/** Buffer for last-used times, with a resolution of one minute. The buffer avoids a write for every use. */
export class Sightings<Id, By = never> {
  readonly #noted = new BoundedCache<number, Id>({ entries: MAX_ENTRIES })
  #pending = new Map<Id, Sighting<By>>()

  /** Number of entries waiting to be written. */
  get size(): number {
    return this.#pending.size
  }

  /**
   * Records a use. Returns false if another use was recorded within the last minute. `by` is called only if the use is
   * recorded.
   */
  record(id: Id, now: number, by?: () => By): boolean {
    if (now - (this.#noted.peek(id) ?? Number.NEGATIVE_INFINITY) < EVERY_MS) return false
    this.#noted.set(id, now)
    this.#pending.set(id, { at: now, by: by?.() })
    return true
  }

  /** Returns the buffered entries and empties the buffer. */
  take(): ReadonlyMap<Id, Sighting<By>> {
    const taken = this.#pending
    this.#pending = new Map()
    return taken
  }

  /** Puts entries that could not be written back into the buffer. Entries recorded in the meantime take precedence. */
  putBack(taken: ReadonlyMap<Id, Sighting<By>>): void {
    this.#pending = new Map([...taken, ...this.#pending])
  }
}
