import type { DebugLog, Logger } from '@burgee/kit/log/logger'
import { type Database, getGeneration } from '@burgee/storage/database'
import { comparePosition, type Position, type PositionComparison, readPosition } from '@burgee/storage/epochs'
import { listEventsAfter } from '@burgee/storage/queries/events/event-tail'
import type { LocalBroadcast } from './broadcast.ts'
import type { ContactMonitor } from './database-contact.ts'
import { renewEpochIfBehind, startEpoch } from './epoch-renewal.ts'
import type { EventOrder } from './event-order.ts'

const POLL_MS = 500
const MAX_EVENTS_PER_READ = 500

/** Dependencies of the poller. */
export interface EventPollerDeps {
  readonly db: Database
  readonly order: EventOrder
  readonly contact: ContactMonitor
  readonly local: Pick<LocalBroadcast, 'notifyRestored'>
  readonly logger: Logger
  readonly debug?: DebugLog | undefined
}

/** Position at which polling begins, and the database from which the position was read. */
export interface PollStart {
  /** Generation of the database in which the position was read. */
  readonly generation: number
  /** True if the position comes from an earlier process because the database is unavailable. */
  readonly isAway: boolean
}

/**
 * Follows the event table. The writer lock ensures that events become visible in the order of their ids. A query for
 * ids greater than the last seen id therefore misses no event within a database epoch. Every poll first verifies that
 * the last seen event still exists.
 */
export class EventPoller {
  readonly #db: Database
  readonly #order: EventOrder
  readonly #contact: ContactMonitor
  readonly #local: Pick<LocalBroadcast, 'notifyRestored'>
  readonly #logger: Logger
  readonly #debug: DebugLog | undefined
  readonly #timer: NodeJS.Timeout
  #generation: number
  #isBeforeFirstRead: boolean
  #reading: Promise<void> | undefined
  #next: Promise<void> | undefined

  constructor({ db, order, contact, local, logger, debug }: EventPollerDeps, { generation, isAway }: PollStart) {
    this.#db = db
    this.#order = order
    this.#contact = contact
    this.#local = local
    this.#logger = logger
    this.#debug = debug
    this.#generation = generation
    this.#isBeforeFirstRead = isAway
    this.#timer = setInterval(() => void this.poll(), POLL_MS).unref()
  }

  /**
   * True if the next event of the database directly follows the position. False before the first read and after a
   * failover.
   */
  get isContinuous(): boolean {
    return !this.#isBeforeFirstRead && this.#generation === getGeneration(this.#db)
  }

  /** Position in the event log, or undefined until the database was reached for the first time. */
  get position(): Position | undefined {
    return this.#isBeforeFirstRead ? undefined : this.#order.position
  }

  /** Reads and publishes the events committed before the call. Resolves to false if the query fails; never rejects. */
  async poll(): Promise<boolean> {
    try {
      this.#db.requirePresent()
      await this.#read()
      this.#contact.recordPoll()
      return true
    } catch (error) {
      this.#contact.recordError(error)
      return false
    }
  }

  /** Stops scheduling polls. `poll` can still be called afterwards. */
  stop(): void {
    clearInterval(this.#timer)
  }

  /** Waits for polls in progress; never rejects. */
  async settle(): Promise<void> {
    await this.#reading?.catch(() => {})
    await this.#next?.catch(() => {})
  }

  /**
   * Queries the new events. A query that is already running may have begun before the caller's commit. All callers that
   * arrive during a query therefore share the next one.
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
      const sequel = await comparePosition(this.#db.reader, this.#order.position)
      // must run before the listeners are called, because they may query the state of the database
      this.#contact.recordAnswer()
      if (this.#isBeforeFirstRead) return this.#catchUpAfterStart(generation)
      const isAnother = sequel.epoch !== this.#order.position.epoch || generation !== this.#generation
      if (!sequel.isUnchanged || isAnother) return this.#handleRestore(sequel)
      this.#order.dropReceived()
      this.#order.publishOwn()
      if (sequel.lastId <= this.#order.position.id) return
      const before = this.#order.firstUnpublishedId
      const events = await listEventsAfter(this.#db.reader, this.#order.position.id, {
        limit: MAX_EVENTS_PER_READ,
        before,
      })
      // these events come from another database server and do not continue the events that this node has received
      if (getGeneration(this.#db) !== generation) continue
      this.#debug?.(`Received ${events.length} events, up to ${events.at(-1)?.id}`)
      this.#order.receive(events)
      // all events that were committed before an event of this node are readable now
      if (events.length < MAX_EVENTS_PER_READ) this.#order.publishOwn(before)
    }
  }

  /** Catches up with a database that was unavailable at the start. After a failure, the next poll tries again. */
  async #catchUpAfterStart(generation: number): Promise<void> {
    await renewEpochIfBehind(this.#db, this.#order.position)
    const now = await readPosition(this.#db.reader)
    await this.#local.notifyRestored(now)
    const isOther = now.epoch !== this.#order.position.epoch
    const what = isOther ? 'It was restored, or is not the database of the snapshot. ' : ''
    this.#logger.warn(`The database is available, at event ${now.id}. ${what}Reloaded all data`)
    this.#generation = generation
    this.#isBeforeFirstRead = false
    this.#order.restart(now)
  }

  /** Handles a restored or replaced database. After a failure, the next poll tries again. */
  async #handleRestore({ epoch, isUnchanged }: PositionComparison): Promise<void> {
    const seen = this.#order.position
    if ((epoch === seen.epoch && !isUnchanged) || epoch === '') await startEpoch(this.#db, seen)
    // after a failover, starting a new epoch may have opened the first connection to the new server
    const generation = getGeneration(this.#db)
    const now = await readPosition(this.#db.reader)
    await this.#local.notifyRestored(now)
    const lost = isUnchanged ? '' : '; events that this server had read are missing'
    this.#logger.warn(
      `The database was restored or replaced, or failed over: it was at event ${seen.id} and is at event ${now.id}${lost}; reloaded all data`,
    )
    this.#generation = generation
    this.#order.restart(now)
  }
}
