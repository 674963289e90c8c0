import type { Logger } from '@burgee/kit/logger'
import type { Database, Watch } from '../store/database.ts'
import { eventsAfter, lastEventId } from '../store/event-tail.ts'
import type { StoredEvent } from '../store/events.ts'
import { type Broadcast, createBroadcast } from './broadcast.ts'

/** A broadcast that ends. */
export interface OpenBroadcast extends Broadcast {
  /** Looks for nothing any more. */
  close(): Promise<void>
}

const POLL_MS = 500
const MOST_AT_ONCE = 500

/**
 * A broadcast of what any node commits. Where the database is this process's own, it only passes on; where others write
 * to it as well, listeners hear every event that is committed from now on, once and in the order of ids, whether its
 * hint arrives or is lost: twice a second it looks by itself.
 */
export async function openBroadcast(db: Database, logger: Logger): Promise<OpenBroadcast> {
  const local = createBroadcast(logger)
  if (db.watch === undefined) return { ...local, close: async () => {} }
  const tail = new Tail(db, local, logger, await lastEventId(db.reader))
  const watch = db.watch(
    () => void tail.look(),
    (error) => tail.trouble(error),
  )
  return { subscribe: local.subscribe, publish: (events) => tail.publish(events), close: () => tail.close(watch) }
}

/** Follows the table of events. The writer lock makes ids visible in their order, so "greater than seen" misses none. */
class Tail {
  readonly #db: Database
  readonly #local: Broadcast
  readonly #logger: Logger
  readonly #timer: NodeJS.Timeout
  #seen: number
  /** Told before their turn came, because they could not be read. */
  readonly #told = new Set<number>()
  #reading: Promise<void> | undefined
  #next: Promise<void> | undefined
  #isTroubled = false

  constructor(db: Database, local: Broadcast, logger: Logger, seen: number) {
    this.#db = db
    this.#local = local
    this.#logger = logger
    this.#seen = seen
    this.#timer = setInterval(() => void this.look(), POLL_MS).unref()
  }

  /** This node's own events, after those of other nodes that were committed before them. */
  async publish(events: readonly StoredEvent[]): Promise<void> {
    const [first] = events
    if (first === undefined) return
    if (first.id > this.#seen + 1 && !(await this.look())) {
      // committed but not to be read: told at once, for the caller must find its own change in effect
      const untold = events.filter(({ id }) => id > this.#seen)
      for (const { id } of untold) this.#told.add(id)
      this.#local.publish(untold)
      return
    }
    this.#tell(events)
  }

  /** Reads what was committed before the call and tells it. False when it could not be read; never rejects. */
  async look(): Promise<boolean> {
    try {
      await this.#read()
      if (this.#isTroubled) this.#logger.info('Changes of other nodes are heard again')
      this.#isTroubled = false
      return true
    } catch (error) {
      this.trouble(error)
      return false
    }
  }

  /** Said when it begins, not each time. */
  trouble(error: unknown): void {
    if (!this.#isTroubled) this.#logger.warn('Changes of other nodes may be heard late', error)
    this.#isTroubled = true
  }

  async close(watch: Watch): Promise<void> {
    clearInterval(this.#timer)
    await watch.close()
    await this.#reading?.catch(() => {})
    await this.#next?.catch(() => {})
  }

  /** What runs already may have begun before the caller's commit: then one more is due, for all who wait. */
  #read(): Promise<void> {
    if (this.#reading === undefined) {
      this.#reading = this.#readAll().finally(() => {
        this.#reading = undefined
      })
      return this.#reading
    }
    this.#next ??= this.#reading
      .catch(() => {})
      .then(() => {
        this.#next = undefined
        return this.#read()
      })
    return this.#next
  }

  async #readAll(): Promise<void> {
    for (;;) {
      const events = await eventsAfter(this.#db.reader, this.#seen, MOST_AT_ONCE)
      this.#tell(events)
      if (events.length < MOST_AT_ONCE) return
    }
  }

  #tell(events: readonly StoredEvent[]): void {
    const fresh = events.filter(({ id }) => id > this.#seen)
    this.#seen = fresh.at(-1)?.id ?? this.#seen
    const untold = fresh.filter(({ id }) => !this.#told.delete(id))
    if (untold.length > 0) this.#local.publish(untold)
  }
}
