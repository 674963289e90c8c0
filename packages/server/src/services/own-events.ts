import type { StoredEvent } from '../store/events/events.ts'

/** Queue of events that this node has committed but not yet published, in order. */
export class OwnEvents {
  #waiting: StoredEvent[] = []

  /** Id of the first queued event; undefined if the queue is empty. */
  get firstId(): number | undefined {
    return this.#waiting[0]?.id
  }

  add(events: readonly StoredEvent[]): void {
    this.#waiting.push(...events)
  }

  /** Returns true if any of the events is queued. */
  hasAny(events: readonly StoredEvent[]): boolean {
    return events.some((event) => this.#waiting.includes(event))
  }

  /** Removes and returns the first events up to the first gap in their ids. */
  take(): readonly StoredEvent[] {
    const from = this.firstId ?? 0
    const gap = this.#waiting.findIndex(({ id }, index) => id !== from + index)
    return this.#waiting.splice(0, gap < 0 ? this.#waiting.length : gap)
  }

  /** Removes events that are published by other means. */
  remove(isTold: (event: StoredEvent) => boolean): void {
    this.#waiting = this.#waiting.filter((event) => !isTold(event))
  }
}
