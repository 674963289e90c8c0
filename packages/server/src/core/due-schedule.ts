import { Throttle } from '@burgee/kit/throttle'
import { startTimer } from '@burgee/kit/timer'
import type { Reader } from '@burgee/storage/database'
import type { StoredEvent } from '@burgee/storage/queries/events/events'
import type { World } from './world.ts'

/** Kind of work that becomes due at certain times. */
export interface DueWork<T> {
  /** Plural noun for log lines, such as "scheduled change requests". */
  readonly name: string
  /** Returns the items that are due, at most `limit`. */
  readonly listDue: (reader: Reader, now: number, limit: number) => Promise<readonly T[]>
  /** Returns the time at which the next item is due; undefined if there is none. */
  readonly findNextDueAt: (reader: Reader) => Promise<number | undefined>
  /**
   * Handles one item that is due. Several nodes can call this function for the same item. Rejects on database errors.
   */
  readonly handle: (item: T) => Promise<void>
  /** Returns true if an event may have changed which work is due. */
  readonly isAffectedBy: (event: StoredEvent) => boolean
}

/** Handles work when it becomes due. */
export interface DueSchedule {
  /** Runs the work that is due now, and schedules the rest. */
  start(): void
  /** Checks for due work now, in the background. Does nothing before `start` is called. */
  wake(): void
  /** Handles the work that is due now. Rejects on database errors. */
  run(): Promise<void>
  /** Stops handling work, and waits for the item that is being handled. */
  close(): Promise<void>
}

/**
 * Maximum interval between polls. Polling is needed because another node may have created work whose event has not
 * reached this node.
 */
const POLL_MS = 30_000
const MAX_PER_POLL = 50

/** Creates a schedule. Database failures are logged and retried at the next poll. */
export function createDueSchedule<T>(world: ScheduleDeps, work: DueWork<T>): DueSchedule {
  return new PolledSchedule(world, work)
}

type ScheduleDeps = Pick<World, 'db' | 'clock' | 'broadcast' | 'logger'>

class PolledSchedule<T> implements DueSchedule {
  readonly #world: ScheduleDeps
  readonly #work: DueWork<T>
  readonly #throttle = new Throttle()
  #timer: NodeJS.Timeout | undefined
  #polling: Promise<void> | undefined
  #unsubscribe = () => {}
  #isStarted = false
  #isClosed = false
  /** True if a poll was requested while another poll was running. */
  #isRequested = false

  constructor(world: ScheduleDeps, work: DueWork<T>) {
    this.#world = world
    this.#work = work
  }

  wake(): void {
    if (this.#isStarted) this.#requestPoll()
  }

  start(): void {
    this.#isStarted = true
    this.#unsubscribe = this.#world.broadcast.subscribe(
      (events) => {
        if (events.some(this.#work.isAffectedBy)) this.#requestPoll()
      },
      () => this.#requestPoll(),
    )
    this.#requestPoll()
  }

  async run(): Promise<void> {
    const { db, clock } = this.#world
    for (;;) {
      const due = await this.#work.listDue(db.reader, clock(), MAX_PER_POLL)
      for (const item of due) if (!this.#isClosed) await this.#work.handle(item)
      if (this.#isClosed || due.length < MAX_PER_POLL) return
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#unsubscribe()
    clearTimeout(this.#timer)
    await this.#polling
  }

  #requestPoll(): void {
    if (this.#isClosed) return
    this.#isRequested = this.#polling !== undefined
    this.#polling ??= this.#poll().finally(() => {
      this.#polling = undefined
      if (this.#isRequested) this.#requestPoll()
    })
  }

  async #poll(): Promise<void> {
    const { db, clock, logger } = this.#world
    clearTimeout(this.#timer)
    let waitMs = POLL_MS
    try {
      await this.run()
      const next = await this.#work.findNextDueAt(db.reader)
      if (next !== undefined) waitMs = Math.min(Math.max(next - clock(), 0), POLL_MS)
    } catch (error) {
      const more = this.#isClosed ? undefined : this.#throttle.pass('failed')
      if (more !== undefined) logger.warn(`${this.#work.name} wait for the database${more}`, error)
    }
    if (!this.#isClosed) this.#timer = startTimer(waitMs, () => this.#requestPoll()).unref()
  }
}
