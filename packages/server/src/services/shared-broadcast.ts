import type { Debug, Logger } from '@burgee/kit/log/logger'
import type { Database, Watch } from '../store/database.ts'
import { currentMark, type Mark, type Sequel, sequelOf } from '../store/epochs.ts'
import { DatabaseGone } from '../store/errors.ts'
import { eventsAfter } from '../store/events/event-tail.ts'
import type { StoredEvent } from '../store/events/events.ts'
import { type Broadcast, createBroadcast, type LocalBroadcast } from './broadcast.ts'

/** When the database was last heard of. Times are in milliseconds since 1970. */
export interface DatabaseContact {
  /** When it was last known that every event had been heard. */
  readonly lastMs: number
  /** Undefined while the database answers. */
  readonly lostSinceMs: number | undefined
}

/** A broadcast that ends. */
export interface OpenBroadcast extends Broadcast {
  contact(): DatabaseContact
  /** Looks for nothing any more. */
  close(): Promise<void>
}

const POLL_MS = 500
const MOST_AT_ONCE = 500
/** A look that takes longer will hardly be answered. */
const LONGEST_LOOK_MS = 3000
const SAID = {
  postgres: { begins: 'Changes of other nodes may be heard late', ends: 'Changes of other nodes are heard again' },
  sqlite: { begins: 'The database cannot be read', ends: 'The database can be read again' },
} as const

/** What a broadcast needs. */
export interface BroadcastDeps {
  readonly logger: Logger
  readonly debug?: Debug | undefined
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

/**
 * A broadcast of what any node commits: listeners hear every event that is committed from now on, once and in the order
 * of ids, whether its hint arrives or is lost, for twice a second it looks by itself. A look that finds the database
 * set back, or another one in its place, has them told to begin anew; where nobody has drawn a new epoch yet, this node
 * does.
 */
export async function openBroadcast(db: Database, { logger, debug, clock }: BroadcastDeps): Promise<OpenBroadcast> {
  const local = createBroadcast(logger)
  const tail = new Tail(db, local, { logger, debug, clock }, await currentMark(db.reader))
  const watch = db.watch?.(
    () => void tail.look(),
    (error) => tail.trouble(error),
  )
  return {
    subscribe: local.subscribe,
    contact: () => tail.contact(),
    publish: (events) => tail.publish(events).then(local.settled),
    close: () => tail.close(watch),
  }
}

/**
 * Follows the table of events. The writer lock makes ids visible in their order, so "greater than seen" misses none, as
 * long as the database lives on: every look first makes sure that what was seen last is still there.
 */
class Tail {
  readonly #db: Database
  readonly #local: LocalBroadcast
  readonly #logger: Logger
  readonly #debug: Debug | undefined
  readonly #timer: NodeJS.Timeout
  readonly #clock: () => number
  #lastMs: number
  #lostSinceMs: number | undefined
  #seen: Mark
  /** Told before their turn came, because they could not be read. */
  readonly #told = new Set<number>()
  #reading: Promise<void> | undefined
  #next: Promise<void> | undefined

  constructor(db: Database, local: LocalBroadcast, { logger, debug, clock }: BroadcastDeps, seen: Mark) {
    this.#clock = clock
    this.#lastMs = clock()
    this.#debug = debug
    this.#db = db
    this.#local = local
    this.#logger = logger
    this.#seen = seen
    this.#timer = setInterval(() => void this.look(), POLL_MS).unref()
  }

  /** This node's own events, after those of other nodes that were committed before them. */
  async publish(events: readonly StoredEvent[]): Promise<void> {
    const [first, last] = [events[0], events.at(-1)]
    if (first === undefined || last === undefined || this.#isLast(last)) return
    // not the next one: those of others were before, or the database was set back and counts from there
    if (first.id !== this.#seen.id + 1 && !(await this.look())) {
      // committed but not to be read: told at once, for the caller must find its own change in effect
      const untold = events.filter(({ id }) => id > this.#seen.id)
      for (const { id } of untold) this.#told.add(id)
      this.#local.tell(untold)
      return
    }
    this.#tell(events)
  }

  /** Reads what was committed before the call and tells it. False when it could not be read; never rejects. */
  async look(): Promise<boolean> {
    try {
      this.#db.requirePresent()
      await this.#read()
      if (this.#lostSinceMs !== undefined) this.#logger.info(SAID[this.#db.kind].ends)
      this.#lostSinceMs = undefined
      this.#lastMs = this.#clock()
      return true
    } catch (error) {
      this.trouble(error)
      return false
    }
  }

  /** Said when it begins, not each time. */
  trouble(error: unknown): void {
    if (this.#lostSinceMs !== undefined) return
    this.#lostSinceMs = this.#lastMs
    if (error instanceof DatabaseGone) this.#logger.error(error.message)
    else this.#logger.warn(SAID[this.#db.kind].begins, error)
  }

  contact(): DatabaseContact {
    const isSilent = this.#clock() - this.#lastMs > LONGEST_LOOK_MS
    return { lastMs: this.#lastMs, lostSinceMs: this.#lostSinceMs ?? (isSilent ? this.#lastMs : undefined) }
  }

  async close(watch: Watch | undefined): Promise<void> {
    clearInterval(this.#timer)
    await watch?.close()
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
      const sequel = await sequelOf(this.#db.reader, this.#seen)
      if (!sequel.isKept || sequel.epoch !== this.#seen.epoch) return this.#beginAnew(sequel)
      if (sequel.lastId === this.#seen.id) return
      const events = await eventsAfter(this.#db.reader, this.#seen.id, MOST_AT_ONCE)
      this.#debug?.(`Heard of ${events.length} events, up to ${events.at(-1)?.id}`)
      this.#tell(events)
    }
  }

  /** What fails here is done again at the next look. */
  async #beginAnew({ epoch }: Sequel): Promise<void> {
    const seen = this.#seen
    if (epoch === seen.epoch || epoch === '') await drawEpoch(this.#db, seen)
    const now = await currentMark(this.#db.reader)
    await this.#local.restored(now)
    this.#logger.warn(
      `The database was restored or replaced: it was at event ${seen.id} and is at event ${now.id}; everything was read anew`,
    )
    this.#seen = now
    this.#told.clear()
  }

  /** Whether a look was faster. */
  #isLast({ id, createdAt }: StoredEvent): boolean {
    return id === this.#seen.id && Date.parse(createdAt) === this.#seen.madeAt
  }

  #tell(events: readonly StoredEvent[]): void {
    const fresh = events.filter(({ id }) => id > this.#seen.id)
    const last = fresh.at(-1)
    if (last !== undefined) this.#seen = { ...this.#seen, id: last.id, madeAt: Date.parse(last.createdAt) }
    const untold = fresh.filter(({ id }) => !this.#told.delete(id))
    if (untold.length > 0) this.#local.tell(untold)
  }
}

/** One of the nodes that see the database set back draws the epoch; the others find that it is drawn. */
function drawEpoch(db: Database, seen: Mark): Promise<void> {
  return db.write(async (tx) => {
    const { epoch, isKept } = await sequelOf(tx, seen)
    if (epoch === '' || (epoch === seen.epoch && !isKept)) await db.renewEpoch(tx)
  })
}
