import { moveMark } from '../../store/change-marks.ts'
import type { Reader } from '../../store/database.ts'
import { type FeatureRow, variantsOfFeatures } from '../../store/features/features.ts'
import { markOverdue, unmarkedOverdue, wronglyMarked } from '../../store/features/lifetimes.ts'
import { type Change, execute } from '../execute.ts'
import { SYSTEM, type World } from '../world.ts'
import { featureEvent } from './feature-events.ts'

/** Periodic check for flags that have outlived the lifetime of their type. */
export interface Lifetimes {
  /** Checks immediately and then every hour. */
  start(): void
  /** Checks once. Rejects on database errors. */
  run(): Promise<void>
  /** Stops checking and waits for a running check. */
  close(): Promise<void>
}

const EVERY_MS = 3_600_000
/** Maximum number of flags per transaction, so that the writer lock is released soon. */
const AT_ONCE = 200

/**
 * Creates the check. A failure is logged, and the check repeated an hour later.
 *
 * @param moved called after marks may have been removed; no event reports that
 */
export function createLifetimes(world: World, moved: () => void = () => {}): Lifetimes {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  let isClosed = false
  const run = async () => {
    world.debug?.('Looking for flags that have outlived their type')
    // query first: usually there is nothing to do, and then the writer lock is not needed
    while (!isClosed && (await world.db.view((reader) => isAnyDue(reader, world.clock())))) {
      await execute(world, SYSTEM, markPotentiallyStale, undefined)
      moved()
    }
  }
  const runLogged = () => {
    running = run().catch((error: unknown) => {
      world.logger.warn('Which flags have outlived their type could not be found out; tried again in an hour', error)
    })
  }
  return {
    start() {
      runLogged()
      timer = setInterval(runLogged, EVERY_MS).unref()
    },
    run,
    async close() {
      isClosed = true
      clearInterval(timer)
      await running
    },
  }
}

async function isAnyDue(reader: Reader, now: number): Promise<boolean> {
  return (await unmarkedOverdue(reader, now, 1)).length + (await wronglyMarked(reader, now, 1)).length > 0
}

/**
 * Marks flags that have outlived their type as potentially stale, with an event each. Checks again under the writer
 * lock, so that concurrent nodes mark each flag only once. A mark that no longer applies is removed without an event,
 * because the protocol defines no such event.
 */
export const markPotentiallyStale: Change<undefined, void> = async (tx, _input, { now }) => {
  const names = await wronglyMarked(tx, now, AT_ONCE)
  await markOverdue(tx, names, false)
  const due = await unmarkedOverdue(tx, now, AT_ONCE)
  await markOverdue(
    tx,
    due.map((row) => row.name),
    true,
  )
  const events = await eventsOf(tx, due)
  if (names.length > 0) await moveMark(tx, 'overdue')
  return { result: undefined, events }
}

async function eventsOf(tx: Reader, due: readonly FeatureRow[]) {
  const variants = await variantsOfFeatures(
    tx,
    due.map((row) => row.name),
  )
  return due.map((before) => {
    const change = { before, after: { ...before, potentially_stale: 1 }, variants: variants.get(before.name) ?? [] }
    return featureEvent('feature-potentially-stale-on', change)
  })
}
