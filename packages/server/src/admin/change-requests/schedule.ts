import { Throttle } from '@burgee/kit/throttle'
import { startTimer } from '@burgee/kit/timer'
import { findNextDueAt, listDueRequests } from '@burgee/storage/queries/change-requests/requests'
import type { World } from '../../core/world.ts'
import { applyScheduled } from './scheduled.ts'

/** Applies change requests at their scheduled time. */
export interface ChangeSchedule {
  /** Applies the requests that are due now, and later requests at their scheduled times. */
  start(): void
  /** Applies requests that are due now. Rejects on database errors. */
  run(): Promise<void>
  /** Stops applying requests, and waits for the request that is being applied. */
  close(): Promise<void>
}

/**
 * Maximum interval between polls. Polling is needed because another node may have scheduled a request, and its event
 * may not have arrived here.
 */
const POLL_MS = 30_000
const MAX_PER_POLL = 50

/** Creates the schedule. Database failures are logged and retried at the next poll. */
export function createChangeSchedule(world: World): ChangeSchedule {
  const throttle = new Throttle()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let unsubscribe = () => {}
  let isClosed = false
  /** True if a poll was requested while one was running. */
  let isAsked = false
  const run = async () => {
    for (;;) {
      const due = await listDueRequests(world.db.reader, world.clock(), MAX_PER_POLL)
      for (const request of due) if (!isClosed) await applyScheduled(world, request)
      if (isClosed || due.length < MAX_PER_POLL) return
    }
  }
  const look = async () => {
    clearTimeout(timer)
    let waitMs = POLL_MS
    try {
      await run()
      const next = await findNextDueAt(world.db.reader)
      if (next !== undefined) waitMs = Math.min(Math.max(next - world.clock(), 0), POLL_MS)
    } catch (error) {
      const more = isClosed ? undefined : throttle.pass('failed')
      if (more !== undefined) world.logger.warn(`Scheduled change requests wait for the database${more}`, error)
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
    start() {
      unsubscribe = world.broadcast.subscribe((events) => {
        if (events.some(({ type }) => type === 'change-request-scheduled')) again()
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
