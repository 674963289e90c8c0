import type { DebugLog, Logger } from '@burgee/kit/log/logger'
import { type Database, getGeneration, type Watch } from '@burgee/storage/database'
import {
  comparePosition,
  type Position,
  type PositionComparison,
  type Revision,
  readPosition,
} from '@burgee/storage/epochs'
import { classifyDbError, DatabaseGone, formatDbError } from '@burgee/storage/errors'
import { listEventsAfter } from '@burgee/storage/queries/events/event-tail'
import type { StoredEvent } from '@burgee/storage/queries/events/events'
import { type Broadcast, createBroadcast, type LocalBroadcast } from './broadcast.ts'
import { type NotificationFailure, NotificationStatus } from './notification-status.ts'
import { UnpublishedEvents } from './unpublished-events.ts'

/** State of the contact with the database. Times are in milliseconds since 1970. */
export interface DatabaseContact {
  /** Time of the last successful poll, at which every committed event had been received. */
  readonly lastMs: number
  /** Milliseconds since the last answered poll (monotonic). */
  readonly silentMs: number
  /** Time at which contact was lost, or undefined while the database answers. */
  readonly lostSinceMs: number | undefined
  /** Error of the last failed poll, or undefined while polls succeed. */
  readonly lastError: unknown
  /** Failure of notifications, while polling alone finds changes of other nodes; undefined while they arrive. */
  readonly notificationFailure: NotificationFailure | undefined
}

/** Broadcast that can be closed. */
export interface OpenBroadcast extends Broadcast {
  contact(): DatabaseContact
  /** Position in the event log, or undefined until the database was reached for the first time. */
  position(): Position | undefined
  /** Last event that listeners have received. */
  lastReceived(): Revision
  /**
   * Polls the event table and publishes everything committed before the call. Resolves to false if the query failed;
   * never rejects.
   */
  poll(): Promise<boolean>
  /** Stops polling. */
  close(): Promise<void>
}

const POLL_MS = 500
const MAX_EVENTS_PER_READ = 500
/** Maximum duration of a poll; a longer one counts as lost contact. */
const MAX_POLL_MS = 3000
const CONTACT_LOG_TEXTS = {
  postgres: { begins: 'Changes of other nodes may be heard late', ends: 'Changes of other nodes are heard again' },
  sqlite: { begins: 'The database cannot be read', ends: 'The database can be read again' },
} as const

/** Dependencies of a broadcast. */
export interface BroadcastDeps {
  readonly logger: Logger
  readonly debug?: DebugLog | undefined
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
  away?: Position,
): Promise<OpenBroadcast> {
  const local = createBroadcast(logger)
  const generation = getGeneration(db)
  const seen = away ?? (await readPosition(db.reader))
  const tail = new EventTail(db, local, { logger, debug, clock }, { seen, generation, isAway: away !== undefined })
  const watch = db.watch?.(
    () => tail.onNotification(),
    (error) => void tail.onNotificationsLost(error),
  )
  return {
    subscribe: local.subscribe,
    contact: () => tail.contact(),
    position: () => tail.mark(),
    lastReceived: () => tail.heard(),
    poll: () => tail.look(),
    publish: (events) => tail.publish(events).then(local.settled),
    close: () => tail.close(watch),
  }
}

/**
 * Follows the event table. The writer lock makes ids visible in order, so a query for ids greater than the last seen
 * one misses no event while the database epoch lasts. Every poll first verifies that the last seen event still exists.
 */
class EventTail {
  readonly #db: Database
  readonly #local: LocalBroadcast
  readonly #logger: Logger
  readonly #debug: DebugLog | undefined
  readonly #timer: NodeJS.Timeout
  readonly #clock: () => number
  #lastMs: number
  #answeredAt = performance.now()
  #lostSinceMs: number | undefined
  #lastError: unknown
  #position: Position
  /** Generation of the database in which `#seen` was read. */
  #generation: number
  /** True until the first successful poll since the start. Until then, `#seen` comes from an earlier process. */
  #isBeforeFirstRead: boolean
  readonly #notifications: NotificationStatus
  readonly #unpublished = new UnpublishedEvents()
  #tick: Promise<void> | undefined
  /** Ids of events that were published before earlier events because the database could not be read. */
  readonly #publishedIds = new Set<number>()
  #reading: Promise<void> | undefined
  #next: Promise<void> | undefined

  constructor(
    db: Database,
    local: LocalBroadcast,
    { logger, debug, clock }: BroadcastDeps,
    { seen, generation, isAway }: { readonly seen: Position; readonly generation: number; readonly isAway: boolean },
  ) {
    this.#clock = clock
    this.#lastMs = clock()
    this.#debug = debug
    this.#db = db
    this.#local = local
    this.#logger = logger
    this.#notifications = new NotificationStatus({ clock, logger, warn: (line, error) => this.#warn(line, error) })
    this.#position = seen
    this.#generation = generation
    this.#isBeforeFirstRead = isAway
    if (isAway) this.#lostSinceMs = this.#lastMs
    this.#timer = setInterval(() => void this.look(), POLL_MS).unref()
  }

  /**
   * Publishes this node's own events from memory. Events that other nodes committed before them are published first.
   */
  async publish(events: readonly StoredEvent[]): Promise<void> {
    if (events.length === 0) return
    this.#unpublished.add(events)
    await this.#publishOneCommit()
    // either events of other nodes come first, or the database was restored and its ids restarted
    if (!this.#unpublished.hasAny(events) || ((await this.look()) && !this.#unpublished.hasAny(events))) return
    // committed but not readable: publish now, because the caller must find its own change in effect
    this.#unpublished.remove((event) => events.includes(event))
    const untold = events.filter(({ id }) => id > this.#position.id)
    for (const { id } of untold) this.#publishedIds.add(id)
    this.#local.notify(untold)
  }

  /** Publishes changes of one commit in the same tick. */
  #publishOneCommit(): Promise<void> {
    this.#tick ??= new Promise((resolve) => {
      process.nextTick(() => {
        this.#tick = undefined
        this.#publishOwn()
        resolve()
      })
    })
    return this.#tick
  }

  /**
   * Publishes own events that directly follow the last published one. If `complete` is given, also publishes those up
   * to `complete`, because every event up to that id has been read.
   */
  #publishOwn(complete?: number): void {
    // after a failover, it is unknown which events come next
    if (this.#isBeforeFirstRead || this.#generation !== getGeneration(this.#db)) return
    this.#unpublished.remove((event) => this.#isLast(event))
    for (let first = this.#unpublished.firstId; first !== undefined; first = this.#unpublished.firstId) {
      if (first !== this.#position.id + 1 && first !== complete) return
      this.#notify(this.#unpublished.take())
    }
  }

  /** Reads and publishes the events committed before the call. Resolves to false if the query failed; never rejects. */
  async look(): Promise<boolean> {
    try {
      this.#db.requirePresent()
      await this.#read()
      if (this.#lostSinceMs !== undefined) this.#logger.info(CONTACT_LOG_TEXTS[this.#db.kind].ends)
      this.#lostSinceMs = undefined
      this.#lastError = undefined
      this.#lastMs = this.#clock()
      this.#notifications.endIfStable()
      return true
    } catch (error) {
      this.recordError(error)
      return false
    }
  }

  /** Records an error; logs only when contact is first lost. */
  recordError(error: unknown): void {
    this.#lastError = error
    if (this.#lostSinceMs !== undefined) return
    this.#lostSinceMs = this.#lastMs
    if (error instanceof DatabaseGone) this.#logger.error(error.message)
    else this.#warn(CONTACT_LOG_TEXTS[this.#db.kind].begins, error)
  }

  /** Called on a notification: there may be new events, and notifications work. */
  onNotification(): void {
    this.#notifications.recordNotification()
    void this.look()
  }

  /** Called when notifications fail. A database that cannot be read either is not their failure. Never rejects. */
  async onNotificationsLost(error: unknown): Promise<void> {
    this.#notifications.recordDisconnect()
    if (await this.look()) this.#notifications.recordFailure(error)
  }

  #warn(line: string, error: unknown): void {
    if (classifyDbError(error) === 'other') this.#logger.warn(line, error)
    else this.#logger.warn(`${line}: ${formatDbError(error)}`)
  }

  contact(): DatabaseContact {
    // monotonic: a clock change or a resume from sleep must not look like lost contact
    const silentMs = performance.now() - this.#answeredAt
    const lostSinceMs = this.#lostSinceMs ?? (silentMs > MAX_POLL_MS ? this.#lastMs : undefined)
    const notificationFailure = this.#notifications.failure
    return { lastMs: this.#lastMs, silentMs, lostSinceMs, lastError: this.#lastError, notificationFailure }
  }

  mark(): Position | undefined {
    return this.#isBeforeFirstRead ? undefined : this.#position
  }

  heard(): Revision {
    return { epoch: this.#position.epoch, id: Math.max(this.#position.id, ...this.#publishedIds) }
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
      const generation = getGeneration(this.#db)
      const sequel = await comparePosition(this.#db.reader, this.#position)
      // set before listeners run, because they may call `contact`
      this.#answeredAt = performance.now()
      if (this.#isBeforeFirstRead) return this.#catchUpAfterStart(generation)
      const isAnother = sequel.epoch !== this.#position.epoch || generation !== this.#generation
      if (!sequel.isUnchanged || isAnother) return this.#handleRestore(sequel)
      // a poll may have read events before they were published
      this.#unpublished.remove(({ id }) => id <= this.#position.id)
      this.#publishOwn()
      if (sequel.lastId <= this.#position.id) return
      const before = this.#unpublished.firstId
      const events = await listEventsAfter(this.#db.reader, this.#position.id, { limit: MAX_EVENTS_PER_READ, before })
      // these events come from another database server and do not continue the events already seen
      if (getGeneration(this.#db) !== generation) continue
      this.#debug?.(`Heard of ${events.length} events, up to ${events.at(-1)?.id}`)
      this.#notify(events)
      // every event committed before an own event is readable by now
      if (events.length < MAX_EVENTS_PER_READ) this.#publishOwn(before)
    }
  }

  /** Catches up with a database that was away at the start. After a failure, the next poll tries again. */
  async #catchUpAfterStart(generation: number): Promise<void> {
    await renewEpochIfBehind(this.#db, this.#position)
    const now = await readPosition(this.#db.reader)
    await this.#local.notifyRestored(now)
    const isOther = now.epoch !== this.#position.epoch
    const what = isOther ? 'It was restored, or is another one than that which flags were kept of. ' : ''
    this.#logger.warn(`The database is there, at event ${now.id}. ${what}Everything was read anew`)
    this.#position = now
    this.#generation = generation
    this.#isBeforeFirstRead = false
    this.#unpublished.remove(({ id }) => id <= this.#position.id)
  }

  /** Handles a restored or replaced database. After a failure, the next poll tries again. */
  async #handleRestore({ epoch, isUnchanged }: PositionComparison): Promise<void> {
    const seen = this.#position
    if ((epoch === seen.epoch && !isUnchanged) || epoch === '') await startEpoch(this.#db, seen)
    // after a failover, starting a new epoch may have used the first connection to the new server
    const generation = getGeneration(this.#db)
    const now = await readPosition(this.#db.reader)
    await this.#local.notifyRestored(now)
    const lost = isUnchanged ? '' : '; events that this server had seen are gone'
    this.#logger.warn(
      `The database was restored or replaced, or another server has taken over: it was at event ${seen.id} and is at event ${now.id}${lost}; everything was read again`,
    )
    this.#position = now
    this.#generation = generation
    this.#publishedIds.clear()
    this.#unpublished.remove(({ id }) => id <= this.#position.id)
  }

  /** Returns true if a poll already read this event. */
  #isLast({ id, createdAt }: StoredEvent): boolean {
    return id === this.#position.id && Date.parse(createdAt) === this.#position.madeAt
  }

  #notify(events: readonly StoredEvent[]): void {
    const fresh = events.filter(({ id }) => id > this.#position.id)
    const last = fresh.at(-1)
    if (last !== undefined) this.#position = { ...this.#position, id: last.id, madeAt: Date.parse(last.createdAt) }
    const untold = fresh.filter(({ id }) => !this.#publishedIds.delete(id))
    if (untold.length > 0) this.#local.notify(untold)
  }
}

/**
 * Starts a new epoch if the newest event is older than `seen` in the same epoch, because then the database was restored
 * while no node was polling.
 */
export async function renewEpochIfBehind(db: Database, seen: Position): Promise<void> {
  const isBehind = ({ epoch, lastId }: PositionComparison) => epoch === seen.epoch && lastId < seen.id
  if (!isBehind(await comparePosition(db.reader, seen))) return
  await db.write(async (tx) => {
    if (isBehind(await comparePosition(tx, seen))) await db.renewEpoch(tx)
  })
}

/**
 * Starts a new epoch on the first node that detects a restore; the other nodes find that the epoch has already started.
 */
function startEpoch(db: Database, seen: Position): Promise<void> {
  return db.write(async (tx) => {
    const { epoch, isUnchanged } = await comparePosition(tx, seen)
    if (epoch === '' || (epoch === seen.epoch && !isUnchanged)) await db.renewEpoch(tx)
  })
}
