import type { StoredEvent } from '@burgee/storage/queries/events/events'

/** Queue of events that this node has committed but not published yet, in order. */
export class UnpublishedEvents {
  #queue: StoredEvent[] = []

  /** Id of the first event in the queue; undefined if the queue is empty. */
  get firstId(): number | undefined {
    return this.#queue[0]?.id
  }

  add(events: readonly StoredEvent[]): void {
    // not `push(...events)`: an import has more events than a function call can take as arguments
    this.#queue = this.#queue.concat(events)
  }

  /** Returns true if any of the given events is queued. */
  hasAny(events: readonly StoredEvent[]): boolean {
    return events.some((event) => this.#queue.includes(event))
  }

  /** Removes and returns the first events up to the first gap in their ids. */
  take(): readonly StoredEvent[] {
    const from = this.firstId ?? 0
    const gap = this.#queue.findIndex(({ id }, index) => id !== from + index)
    return this.#queue.splice(0, gap < 0 ? this.#queue.length : gap)
  }

  /** Removes the events for which `isPublished` returns true, because they were published in another way. */
  remove(isPublished: (event: StoredEvent) => boolean): void {
    this.#queue = this.#queue.filter((event) => !isPublished(event))
  }
}
