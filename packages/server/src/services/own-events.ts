import type { StoredEvent } from '../store/events/events.ts'

/** Events that this node has committed and not told yet, in their order. */
export class OwnEvents {
  #waiting: StoredEvent[] = []

  /** Id of the first; undefined where none waits. */
  get firstId(): number | undefined {
    return this.#waiting[0]?.id
  }

  add(events: readonly StoredEvent[]): void {
    this.#waiting.push(...events)
  }

  /** Whether one of these waits. */
  hasAny(events: readonly StoredEvent[]): boolean {
    return events.some((event) => this.#waiting.includes(event))
  }

  /** Takes the first ones, without a gap between them. */
  take(): readonly StoredEvent[] {
    const from = this.firstId ?? 0
    const gap = this.#waiting.findIndex(({ id }, index) => id !== from + index)
    return this.#waiting.splice(0, gap < 0 ? this.#waiting.length : gap)
  }

  /** These are told otherwise. */
  remove(isTold: (event: StoredEvent) => boolean): void {
    this.#waiting = this.#waiting.filter((event) => !isTold(event))
  }
}
