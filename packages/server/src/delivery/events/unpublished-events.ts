import type { StoredEvent } from '@burgee/storage/queries/events/events'

/** Queue of events that this node has committed but not yet published, in order. */
export class UnpublishedEvents {
  #queue: StoredEvent[] = []

  /** Id of the first queued event; undefined if the queue is empty. */
  get firstId(): number | undefined {
    return this.#queue[0]?.id
  }

  add(events: readonly StoredEvent[]): void {
    // not as arguments: an import has more events than a call can take
    this.#queue = this.#queue.concat(events)
  }

  /** Returns true if any of the events is queued. */
  hasAny(events: readonly StoredEvent[]): boolean {
    return events.some((event) => this.#queue.includes(event))
  }

  /** Removes and returns the first events up to the first gap in their ids. */
  take(): readonly StoredEvent[] {
    const from = this.firstId ?? 0
    const gap = this.#queue.findIndex(({ id }, index) => id !== from + index)
    return this.#queue.splice(0, gap < 0 ? this.#queue.length : gap)
  }

  /** Removes events that are published by other means. */
  remove(isTold: (event: StoredEvent) => boolean): void {
    this.#queue = this.#queue.filter((event) => !isTold(event))
  }
}
