import type { Debug, Logger } from '@burgee/kit/log/logger'
import { type Database, generationOf, type Watch } from '../store/database.ts'
import { currentMark, type Mark, type Revision, type Sequel, sequelOf } from '../store/epochs.ts'
import { classifyDbError, DatabaseGone, dbErrorLine } from '../store/errors.ts'
import { eventsAfter } from '../store/events/event-tail.ts'
import type { StoredEvent } from '../store/events/events.ts'
import { type Broadcast, createBroadcast, type LocalBroadcast } from './broadcast.ts'
import { OwnEvents } from './own-events.ts'

/** State of the contact with the database. Times are in milliseconds since 1970. */
export interface DatabaseContact {
  /** Time of the last successful poll, at which every committed event had been received. */
  readonly lastMs: number
  /** Milliseconds since the last answered poll (monotonic). */
  readonly silentMs: number
  /** Time at which contact was lost, or undefined while the database answers. */
  readonly lostSinceMs: number | undefined
  /** Error of the last failed poll, or undefined while polls succeed. */
  readonly trouble: unknown
}

/** Broadcast that can be closed. */
export interface OpenBroadcast extends Broadcast {
  contact(): DatabaseContact
  /** Position in the event log, or undefined until the database was reached for the first time. */
  mark(): Mark | undefined
  /** Last event that listeners have received. */
  heard(): Revision
  /**
   * Polls the event table and publishes everything committed before the call. Resolves to false if the query failed;
   * never rejects.
   */
  look(): Promise<boolean>
  /** Stops polling. */
  close(): Promise<void>
}

const POLL_MS = 500
const MOST_AT_ONCE = 500
/** Maximum duration of a poll; a longer one counts as lost contact. */
const LONGEST_LOOK_MS = 3000
const SAID = {
  postgres: { begins: 'Changes of other nodes may be heard late', ends: 'Changes of other nodes are heard again' },
  sqlite: { begins: 'The database cannot be read', ends: 'The database can be read again' },
} as const
const HINTS = {
  begins: 'Changes of other nodes are heard half a second later: listening for them failed',
  ends: 'Listening for changes of other nodes works again',
} as const

/** Dependencies of a broadcast. */
export interface BroadcastDeps {
  readonly logger: Logger
  readonly debug?: Debug | undefined
  /** Milliseconds since 1970. */
  readonly clock: () => number
}

/**
 * Creates a broadcast of the events that any node commits. Listeners receive every event committed from now on, once
 * and in the order of ids. The table is also polled twice a second, in case a notification is lost. If a poll finds
 * that the database was restored or replaced, listeners get `restored`; if no node has started a new epoch yet, this
 * node does. With `away` (the last known position), the function does not wait for an unreachable database. In this
 * case too, the first poll that reaches it calls `restored`.
 */
export async function openBroadcast(
  db: Database,
  { logger, debug, clock }: BroadcastDeps,
  away?: Mark,
): Promise<OpenBroadcast> {
  const local = createBroadcast(logger)
  const generation = generationOf(db)
  const seen = away ?? (await currentMark(db.reader))
  const tail = new Tail(db, local, { logger, debug, clock }, { seen, generation, isAway: away !== undefined })
  const watch = db.watch?.(
    () => tail.hinted(),
    (error) => tail.unhinted(error),
  )
  return {
    subscribe: local.subscribe,
    contact: () => tail.contact(),
    mark: () => tail.mark(),
    heard: () => tail.heard(),
    look: () => tail.look(),
    publish: (events) => tail.publish(events).then(local.settled),
    close: () => tail.close(watch),
  }
}

/**
 * Follows the event table. The writer lock makes ids visible in order, so a query for ids greater than the last seen
 * one misses no event while the database epoch lasts. Every poll first verifies that the last seen event still exists.
 */
class Tail {
  readonly #db: Database
  readonly #local: LocalBroadcast
  readonly #logger: Logger
  readonly #debug: Debug | undefined
  readonly #timer: NodeJS.Timeout
  readonly #clock: () => number
  #lastMs: number
  #answeredAt = performance.now()
  #lostSinceMs: number | undefined
  #trouble: unknown
  #isListening = true
  #seen: Mark
  /** Generation of the database in which `#seen` was read. */
  #generation: number
  /** True until the first successful poll since the start. Until then, `#seen` comes from an earlier process. */
  #isAway: boolean
  readonly #own = new OwnEvents()
  #tick: Promise<void> | undefined
  /** Ids of events that were published before earlier events because the database could not be read. */
  readonly #told = new Set<number>()
  #reading: Promise<void> | undefined
  #next: Promise<void> | undefined

  constructor(
    db: Database,
    local: LocalBroadcast,
    { logger, debug, clock }: BroadcastDeps,
    { seen, generation, isAway }: { readonly seen: Mark; readonly generation: number; readonly isAway: boolean },
  ) {
    this.#clock = clock
    this.#lastMs = clock()
    this.#debug = debug
    this.#db = db
    this.#local = local
    this.#logger = logger
    this.#seen = seen
    this.#generation = generation
    this.#isAway = isAway
    if (isAway) this.#lostSinceMs = this.#lastMs
    this.#timer = setInterval(() => void this.look(), POLL_MS).unref()
  }

  /**
   * Publishes this node's own events from memory. Events that other nodes committed before them are published first.
   */
  async publish(events: readonly StoredEvent[]): Promise<void> {
    if (events.length === 0) return
    this.#own.add(events)
    await this.#telling()
    // either events of other nodes come first, or the database was restored and its ids restarted
    if (!this.#own.hasAny(events) || ((await this.look()) && !this.#own.hasAny(events))) return
    // committed but not readable: publish now, because the caller must find its own change in effect
    this.#own.remove((event) => events.includes(event))
    const untold = events.filter(({ id }) => id > this.#seen.id)
    for (const { id } of untold) this.#told.add(id)
    this.#local.tell(untold)
  }

  /** Publishes changes of one commit in the same tick. */
  #telling(): Promise<void> {
    this.#tick ??= new Promise((resolve) => {
      process.nextTick(() => {
        this.#tick = undefined
        this.#tellOwn()
        resolve()
      })
    })
    return this.#tick
  }

  /**
   * Publishes own events that directly follow the last published one. If `complete` is given, also publishes those up
   * to `complete`, because every event up to that id has been read.
   */
  #tellOwn(complete?: number): void {
    // after a failover, it is unknown which events come next
    if (this.#isAway || this.#generation !== generationOf(this.#db)) return
    this.#own.remove((event) => this.#isLast(event))
    for (let first = this.#own.firstId; first !== undefined; first = this.#own.firstId) {
      if (first !== this.#seen.id + 1 && first !== complete) return
      this.#tell(this.#own.take())
    }
  }

  /** Reads and publishes the events committed before the call. Resolves to false if the query failed; never rejects. */
  async look(): Promise<boolean> {
    try {
      this.#db.requirePresent()
      await this.#read()
      if (this.#lostSinceMs !== undefined) this.#logger.info(SAID[this.#db.kind].ends)
      this.#lostSinceMs = undefined
      this.#trouble = undefined
      this.#lastMs = this.#clock()
      return true
    } catch (error) {
      this.trouble(error)
      return false
    }
  }

  /** Records an error; logs only when contact is first lost. */
  trouble(error: unknown): void {
    this.#trouble = error
    if (this.#lostSinceMs !== undefined) return
    this.#lostSinceMs = this.#lastMs
    if (error instanceof DatabaseGone) this.#logger.error(error.message)
    else this.#warn(SAID[this.#db.kind].begins, error)
  }

  /** Called on a notification: there may be new events, and notifications work. */
  hinted(): void {
    if (!this.#isListening) this.#logger.info(HINTS.ends)
    this.#isListening = true
    void this.look()
  }

  /** Called when notifications fail. Logs once, and not while the database is unreachable anyway. */
  unhinted(error: unknown): void {
    if (this.#isListening && this.#lostSinceMs === undefined) this.#warn(HINTS.begins, error)
    this.#isListening = false
    void this.look()
  }

  #warn(line: string, error: unknown): void {
    if (classifyDbError(error) === 'other') this.#logger.warn(line, error)
    else this.#logger.warn(`${line}: ${dbErrorLine(error)}`)
  }

  contact(): DatabaseContact {
    // monotonic: a clock change or a resume from sleep must not look like lost contact
    const silentMs = performance.now() - this.#answeredAt
    const lostSinceMs = this.#lostSinceMs ?? (silentMs > LONGEST_LOOK_MS ? this.#lastMs : undefined)
    return { lastMs: this.#lastMs, silentMs, lostSinceMs, trouble: this.#trouble }
  }

  mark(): Mark | undefined {
    return this.#isAway ? undefined : this.#seen
  }

  heard(): Revision {
    return { epoch: this.#seen.epoch, id: Math.max(this.#seen.id, ...this.#told) }
  }

  async close(watch: Watch | undefined): Promise<void> {
    clearInterval(this.#timer)
    await watch?.close()
    await this.#reading?.catch(() => {})
    await this.#next?.catch(() => {})
  }

  /**
   * Queries the new events. A query in progress may have begun before the caller's commit, so all callers share one
   * further query.
   */
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
      const generation = generationOf(this.#db)
      const sequel = await sequelOf(this.#db.reader, this.#seen)
      // set before listeners run, because they may call `contact`
      this.#answeredAt = performance.now()
      if (this.#isAway) return this.#beginLate(generation)
      const isAnother = sequel.epoch !== this.#seen.epoch || generation !== this.#generation
      if (!sequel.isKept || isAnother) return this.#beginAnew(sequel)
      // a poll may have read events before they were published
      this.#own.remove(({ id }) => id <= this.#seen.id)
      this.#tellOwn()
      if (sequel.lastId <= this.#seen.id) return
      const before = this.#own.firstId
      const events = await eventsAfter(this.#db.reader, this.#seen.id, { limit: MOST_AT_ONCE, before })
      // these events come from another database server and do not continue the events already seen
      if (generationOf(this.#db) !== generation) continue
      this.#debug?.(`Heard of ${events.length} events, up to ${events.at(-1)?.id}`)
      this.#tell(events)
      // every event committed before an own event is readable by now
      if (events.length < MOST_AT_ONCE) this.#tellOwn(before)
    }
  }

  /** Catches up with a database that was away at the start. After a failure, the next poll tries again. */
  async #beginLate(generation: number): Promise<void> {
    await renewWhereBehind(this.#db, this.#seen)
    const now = await currentMark(this.#db.reader)
    await this.#local.restored(now)
    const isOther = now.epoch !== this.#seen.epoch
    const what = isOther ? 'It was restored, or is another one than that which flags were kept of. ' : ''
    this.#logger.warn(`The database is there, at event ${now.id}. ${what}Everything was read anew`)
    this.#seen = now
    this.#generation = generation
    this.#isAway = false
    this.#own.remove(({ id }) => id <= this.#seen.id)
  }

  /** Handles a restored or replaced database. After a failure, the next poll tries again. */
  async #beginAnew({ epoch, isKept }: Sequel): Promise<void> {
    const seen = this.#seen
    if ((epoch === seen.epoch && !isKept) || epoch === '') await drawEpoch(this.#db, seen)
    // after a failover, starting a new epoch may have used the first connection to the new server
    const generation = generationOf(this.#db)
    const now = await currentMark(this.#db.reader)
    await this.#local.restored(now)
    const lost = isKept ? '' : '; events that this server had seen are gone'
    this.#logger.warn(
      `The database was restored or replaced, or another server has taken over: it was at event ${seen.id} and is at event ${now.id}${lost}; everything was read again`,
    )
    this.#seen = now
    this.#generation = generation
    this.#told.clear()
    this.#own.remove(({ id }) => id <= this.#seen.id)
  }

  /** Returns true if a poll already read this event. */
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

/**
 * Starts a new epoch if the newest event is older than `seen` in the same epoch, because then the database was restored
 * while no node was polling.
 */
export async function renewWhereBehind(db: Database, seen: Mark): Promise<void> {
  const isBehind = ({ epoch, lastId }: Sequel) => epoch === seen.epoch && lastId < seen.id
  if (!isBehind(await sequelOf(db.reader, seen))) return
  await db.write(async (tx) => {
    if (isBehind(await sequelOf(tx, seen))) await db.renewEpoch(tx)
  })
}

/**
 * Starts a new epoch on the first node that detects a restore; the other nodes find that the epoch has already started.
 */
function drawEpoch(db: Database, seen: Mark): Promise<void> {
  return db.write(async (tx) => {
    const { epoch, isKept } = await sequelOf(tx, seen)
    if (epoch === '' || (epoch === seen.epoch && !isKept)) await db.renewEpoch(tx)
  })
}
