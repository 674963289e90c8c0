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
export function createDueSchedule<T>(
  world: Pick<World, 'db' | 'clock' | 'broadcast' | 'logger'>,
  work: DueWork<T>,
): DueSchedule {
  const throttle = new Throttle()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let unsubscribe = () => {}
  let isStarted = false
  let isClosed = false
  /** True if a poll was requested while another poll was running. */
  let isAsked = false
  const run = async () => {
    for (;;) {
      const due = await work.listDue(world.db.reader, world.clock(), MAX_PER_POLL)
      for (const item of due) if (!isClosed) await work.handle(item)
      if (isClosed || due.length < MAX_PER_POLL) return
    }
  }
  const look = async () => {
    clearTimeout(timer)
    let waitMs = POLL_MS
    try {
      await run()
      const next = await work.findNextDueAt(world.db.reader)
      if (next !== undefined) waitMs = Math.min(Math.max(next - world.clock(), 0), POLL_MS)
    } catch (error) {
      const more = isClosed ? undefined : throttle.pass('failed')
      if (more !== undefined) world.logger.warn(`${work.name} wait for the database${more}`, error)
    }
    if (!isClosed) timer = startTimer(waitMs, again).unref()
  }
  const again = () => {
    if (isClosed) return
    isAsked = running !== undefined
    running ??= look().finally(() => {
      running = undefined
      if (isAsked) again()
    })
  }
  return {
    wake() {
      if (isStarted) again()
    },
    start() {
      isStarted = true
      unsubscribe = world.broadcast.subscribe((events) => {
        if (events.some(work.isAffectedBy)) again()
      }, again)
      again()
    },
    run,
    async close() {
      isClosed = true
      unsubscribe()
      clearTimeout(timer)
      await running
    },
  }
}
