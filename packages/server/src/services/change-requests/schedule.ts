import { Throttle } from '@burgee/kit/throttle'
import { after } from '@burgee/kit/timer'
import { dueRequests, nextDueAt } from '../../store/change-requests/requests.ts'
import type { World } from '../world.ts'
import { applyScheduled } from './scheduled.ts'

/** Applies change requests when their time has come. */
export interface ChangeSchedule {
  /** Applies what is due, and from then on what becomes due. */
  start(): void
  /** Applies what is due now. Throws what the database throws. */
  run(): Promise<void>
  /** Begins nothing more, and waits for what is under way. */
  close(): Promise<void>
}

/** Looked for at least so often: another node may have scheduled something that nobody told of. */
const LOOK_MS = 30_000
const AT_ONCE = 50

/** What fails for want of the database is logged, and tried again at the next look. */
export function createChangeSchedule(world: World): ChangeSchedule {
  const throttle = new Throttle()
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let unsubscribe = () => {}
  let isClosed = false
  /** Asked for while a look was under way. */
  let isAsked = false
  const run = async () => {
    for (;;) {
      const due = await dueRequests(world.db.reader, world.clock(), AT_ONCE)
      for (const request of due) if (!isClosed) await applyScheduled(world, request)
      if (isClosed || due.length < AT_ONCE) return
    }
  }
  const look = async () => {
    clearTimeout(timer)
    let waitMs = LOOK_MS
    try {
      await run()
      const next = await nextDueAt(world.db.reader)
      if (next !== undefined) waitMs = Math.min(Math.max(next - world.clock(), 0), LOOK_MS)
    } catch (error) {
      const more = isClosed ? undefined : throttle.pass('failed')
      if (more !== undefined) world.logger.warn(`Scheduled change requests wait for the database${more}`, error)
    }
    if (!isClosed) timer = after(waitMs, again).unref()
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
