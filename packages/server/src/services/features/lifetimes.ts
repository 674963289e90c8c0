import { moveMark } from '../../store/change-marks.ts'
import type { Reader } from '../../store/database.ts'
import { type FeatureRow, variantsOfFeatures } from '../../store/features/features.ts'
import { markOverdue, unmarkedOverdue, wronglyMarked } from '../../store/features/lifetimes.ts'
import { type Change, execute } from '../execute.ts'
import { SYSTEM, type World } from '../world.ts'
import { featureEvent } from './feature-events.ts'

/** Looks from time to time which flags have outlived their type. */
export interface Lifetimes {
  /** Looks now, and then every hour. */
  start(): void
  /** Looks once. Throws what the database throws. */
  run(): Promise<void>
  /** Looks no more, and waits for what is under way. */
  close(): Promise<void>
}

const EVERY_MS = 3_600_000
/** Flags per transaction, so that others do not wait long for the writer lock. */
const AT_ONCE = 200

/**
 * A look that fails is logged, and done again an hour later.
 *
 * @param moved called after marks may have gone, of which there is no event
 */
export function createLifetimes(world: World, moved: () => void = () => {}): Lifetimes {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  let isClosed = false
  const run = async () => {
    world.debug?.('Looking for flags that have outlived their type')
    // read first: most of the time there is nothing to do, and then nobody has to wait for the writer lock
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
 * Marks flags that have outlived their type as potentially stale, an event for each; several nodes that look at once
 * mark each only once, for they look again under the writer lock. A mark that does not hold any more goes without an
 * event, as the established names have none for it.
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
