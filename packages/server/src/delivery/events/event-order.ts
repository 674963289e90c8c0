import type { Position, Revision } from '@burgee/storage/epochs'
import type { StoredEvent } from '@burgee/storage/queries/events/events'
import type { LocalBroadcast } from './broadcast.ts'
import { UnpublishedEvents } from './unpublished-events.ts'

/**
 * Publishes every event once, in the order of event ids. Events come from two sources: polls, and the memory of this
 * node. An event of this node is published as soon as it directly follows the last published event.
 */
export class EventOrder {
  readonly #local: Pick<LocalBroadcast, 'notify'>
  /** Returns false while the id that follows the position is unknown, for example after a failover. */
  readonly #isContinuous: () => boolean
  readonly #unpublished = new UnpublishedEvents()
  /** Ids of events that were published before earlier events, because the database could not be read. */
  readonly #publishedIds = new Set<number>()
  #position: Position
  #tick: Promise<void> | undefined

  constructor(local: Pick<LocalBroadcast, 'notify'>, position: Position, isContinuous: () => boolean) {
    this.#local = local
    this.#position = position
    this.#isContinuous = isContinuous
  }

  /** Position of the last event that was published in order. */
  get position(): Position {
    return this.#position
  }

  /** Last event that listeners have received. */
  get lastReceived(): Revision {
    let { epoch, id } = this.#position
    for (const published of this.#publishedIds) id = Math.max(id, published)
    return { epoch, id }
  }

  /** Id of the first event of this node that is not published yet. */
  get firstUnpublishedId(): number | undefined {
    return this.#unpublished.firstId
  }

  /** Returns true if all of the given events of this node are published. */
  isPublished(events: readonly StoredEvent[]): boolean {
    return !this.#unpublished.hasAny(events)
  }

  /**
   * Adds events that this node has committed. If possible, publishes them in the same tick as the other events of the
   * same commit.
   */
  addOwn(events: readonly StoredEvent[]): Promise<void> {
    this.#unpublished.add(events)
    this.#tick ??= new Promise((resolve) => {
      process.nextTick(() => {
        this.#tick = undefined
        this.publishOwn()
        resolve()
      })
    })
    return this.#tick
  }

  /**
   * Publishes the events of this node that directly follow the last published event. If `complete` is given, all events
   * up to this id have been read, so this node's events up to it are published as well.
   */
  publishOwn(complete?: number): void {
    if (!this.#isContinuous()) return
    this.#unpublished.remove((event) => this.#isLast(event))
    for (let first = this.#unpublished.firstId; first !== undefined; first = this.#unpublished.firstId) {
      if (first !== this.#position.id + 1 && first !== complete) return
      this.receive(this.#unpublished.take())
    }
  }

  /**
   * Publishes events of this node even though earlier events may be missing. A later poll skips events that were
   * published out of order.
   */
  publishOutOfOrder(events: readonly StoredEvent[]): void {
    this.#unpublished.remove((event) => events.includes(event))
    const fresh = events.filter(({ id }) => id > this.#position.id)
    for (const { id } of fresh) this.#publishedIds.add(id)
    this.#local.notify(fresh)
  }

  /** Publishes events that a poll has read. Skips events that were already published out of order. */
  receive(events: readonly StoredEvent[]): void {
    const fresh = events.filter(({ id }) => id > this.#position.id)
    const last = fresh.at(-1)
    if (last !== undefined) this.#position = { ...this.#position, id: last.id, madeAt: Date.parse(last.createdAt) }
    const unpublished = fresh.filter(({ id }) => !this.#publishedIds.delete(id))
    if (unpublished.length > 0) this.#local.notify(unpublished)
  }

  /** Drops this node's events that a poll has already published before they were added here. */
  dropReceived(): void {
    this.#unpublished.remove(({ id }) => id <= this.#position.id)
  }

  /**
   * Continues at the position of a restored or replaced database. Listeners have already read the content of that
   * database.
   */
  restart(position: Position): void {
    this.#position = position
    this.#publishedIds.clear()
    this.dropReceived()
  }

  /** Returns true if a poll has already read this event. */
  #isLast({ id, createdAt }: StoredEvent): boolean {
    return id === this.#position.id && Date.parse(createdAt) === this.#position.madeAt
  }
}
