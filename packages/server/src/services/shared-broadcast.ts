import type { Debug, Logger } from '@burgee/kit/log/logger'
import { type Database, generationOf, type Watch } from '../store/database.ts'
import { currentMark, type Mark, type Revision, type Sequel, sequelOf } from '../store/epochs.ts'
import { classifyDbError, DatabaseGone, dbErrorLine } from '../store/errors.ts'
import { eventsAfter } from '../store/events/event-tail.ts'
import type { StoredEvent } from '../store/events/events.ts'
import { type Broadcast, createBroadcast, type LocalBroadcast } from './broadcast.ts'
import { OwnEvents } from './own-events.ts'

/** When the database was last heard of. Times are in milliseconds since 1970. */
export interface DatabaseContact {
  /** When it was last known that every event had been heard. */
  readonly lastMs: number
  /** For how long it has answered no look, in milliseconds; whatever the clock says. */
  readonly silentMs: number
  /** Undefined while the database answers. */
  readonly lostSinceMs: number | undefined
  /** Why it does not answer; undefined while it does. */
  readonly trouble: unknown
}

/** A broadcast that ends. */
export interface OpenBroadcast extends Broadcast {
  contact(): DatabaseContact
  /** What it has heard of last; undefined until the database was there for the first time. */
  mark(): Mark | undefined
  /** The last event that listeners have heard of. */
  heard(): Revision
  /** Has told everything that was committed before the call. False where it could not be read; never rejects. */
  look(): Promise<boolean>
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
const HINTS = {
  begins: 'Changes of other nodes are heard half a second later: listening for them failed',
  ends: 'Listening for changes of other nodes works again',
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
 * does. A database that is away is not waited for, where it is given
 * how far it was known: the first look that finds it has them told in the same way.
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
  #answeredAt = performance.now()
  #lostSinceMs: number | undefined
  #trouble: unknown
  #isListening = true
  #seen: Mark
  /** Of the database in which that was seen. */
  #generation: number
  /** Nothing was read since the start: what was seen, an earlier process has seen. */
  #isAway: boolean
  readonly #own = new OwnEvents()
  #tick: Promise<void> | undefined
  /** Told before their turn came, because they could not be read. */
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

  /** This node's own events, from memory, after those of other nodes that were committed before them. */
  async publish(events: readonly StoredEvent[]): Promise<void> {
    if (events.length === 0) return
    this.#own.add(events)
    await this.#telling()
    // those of others come first, or the database was set back and counts from there
    if (!this.#own.hasAny(events) || ((await this.look()) && !this.#own.hasAny(events))) return
    // committed but not to be read: told at once, for the caller must find its own change in effect
    this.#own.remove((event) => events.includes(event))
    const untold = events.filter(({ id }) => id > this.#seen.id)
    for (const { id } of untold) this.#told.add(id)
    this.#local.tell(untold)
  }

  /** Changes that were committed together are told together: whoever shares the commit is heard in the same tick. */
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

  /** Tells own events as long as they come next, or nothing is any more that comes before. */
  #tellOwn(complete?: number): void {
    // which events come next is not known where another server has taken over
    if (this.#isAway || this.#generation !== generationOf(this.#db)) return
    this.#own.remove((event) => this.#isLast(event))
    for (let first = this.#own.firstId; first !== undefined; first = this.#own.firstId) {
      if (first !== this.#seen.id + 1 && first !== complete) return
      this.#tell(this.#own.take())
    }
  }

  /** Reads what was committed before the call and tells it. False when it could not be read; never rejects. */
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

  /** Said when it begins, not each time. */
  trouble(error: unknown): void {
    this.#trouble = error
    if (this.#lostSinceMs !== undefined) return
    this.#lostSinceMs = this.#lastMs
    if (error instanceof DatabaseGone) this.#logger.error(error.message)
    else this.#warn(SAID[this.#db.kind].begins, error)
  }

  /** There may be something new, and hints arrive. */
  hinted(): void {
    if (!this.#isListening) this.#logger.info(HINTS.ends)
    this.#isListening = true
    void this.look()
  }

  /** Hints do not arrive for now; said when it begins, and not where nothing else arrives either. */
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
    // not by the wall clock: when that is set, or the machine wakes up, the database is no further away
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
      const generation = generationOf(this.#db)
      const sequel = await sequelOf(this.#db.reader, this.#seen)
      // before anybody is told, who may ask it then
      this.#answeredAt = performance.now()
      if (this.#isAway) return this.#beginLate(generation)
      const isAnother = sequel.epoch !== this.#seen.epoch || generation !== this.#generation
      if (!sequel.isKept || isAnother) return this.#beginAnew(sequel)
      // a look may have found them before they were published
      this.#own.remove(({ id }) => id <= this.#seen.id)
      this.#tellOwn()
      if (sequel.lastId <= this.#seen.id) return
      const before = this.#own.firstId
      const events = await eventsAfter(this.#db.reader, this.#seen.id, { limit: MOST_AT_ONCE, before })
      // its events are no sequel of those that were seen
      if (generationOf(this.#db) !== generation) continue
      this.#debug?.(`Heard of ${events.length} events, up to ${events.at(-1)?.id}`)
      this.#tell(events)
      // whatever was committed before an own event was there to be read
      if (events.length < MOST_AT_ONCE) this.#tellOwn(before)
    }
  }

  /** What fails here is done again at the next look. */
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

  /** What fails here is done again at the next look. */
  async #beginAnew({ epoch, isKept }: Sequel): Promise<void> {
    const seen = this.#seen
    if ((epoch === seen.epoch && !isKept) || epoch === '') await drawEpoch(this.#db, seen)
    // the connection that drew the epoch may have been the first one with the server that has taken over
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

/** Begins a new epoch where a database is behind what was seen of it in this one: it was set back while nobody looked. */
export async function renewWhereBehind(db: Database, seen: Mark): Promise<void> {
  const isBehind = ({ epoch, lastId }: Sequel) => epoch === seen.epoch && lastId < seen.id
  if (!isBehind(await sequelOf(db.reader, seen))) return
  await db.write(async (tx) => {
    if (isBehind(await sequelOf(tx, seen))) await db.renewEpoch(tx)
  })
}

/** One of the nodes that see the database set back draws the epoch; the others find that it is drawn. */
function drawEpoch(db: Database, seen: Mark): Promise<void> {
  return db.write(async (tx) => {
    const { epoch, isKept } = await sequelOf(tx, seen)
    if (epoch === '' || (epoch === seen.epoch && !isKept)) await db.renewEpoch(tx)
  })
}
