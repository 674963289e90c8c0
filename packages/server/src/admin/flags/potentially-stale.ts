import { OutageLog } from '@burgee/kit/log/outage-log'
import { PeriodicJob } from '@burgee/kit/periodic-job'
import { incrementChangeCounter } from '@burgee/storage/change-counters'
import type { Reader } from '@burgee/storage/database'
import { type FeatureRow, readVariantsOfFeatures } from '@burgee/storage/queries/flags/features'
import { listUnmarkedOverdue, listWronglyMarked, markOverdue } from '@burgee/storage/queries/flags/lifetimes'
import { type Change, execute } from '../../core/execute.ts'
import { SYSTEM, type World } from '../../core/world.ts'
import { buildFeatureEvent } from './feature-events.ts'

/** Periodic check for flags that have outlived the lifetime of their type. */
export interface PotentiallyStaleCheck {
  /** Checks immediately and then every hour. */
  start(): void
  /** Checks once. Rejects on database errors. */
  run(): Promise<void>
  /** Stops checking and waits for a running check. */
  close(): Promise<void>
}

const EVERY_MS = 3_600_000
/** Maximum number of flags per transaction, so that the writer lock is released soon. */
const MAX_FLAGS_PER_TRANSACTION = 200

/**
 * Creates the check. A failure is logged, and the check is repeated an hour later.
 *
 * @param moved called after marks may have been removed, which no event reports
 */
export function createPotentiallyStaleCheck(world: World, moved: () => void = () => {}): PotentiallyStaleCheck {
  const run = async () => {
    world.debug?.('Detecting flags past their expected lifetime')
    // query first: usually no flag is due, and the writer lock is not needed
    while (!job.isClosed && (await world.db.view((reader) => isAnyDue(reader, world.clock())))) {
      await execute(world, SYSTEM, markPotentiallyStale, undefined)
      moved()
    }
  }
  const outage = new OutageLog({
    begins: (error) =>
      world.logger.warn('Cannot detect flags past their expected lifetime; retrying in an hour', error),
    ends: () => world.logger.info('Detecting flags past their expected lifetime works again'),
  })
  const job = new PeriodicJob({ run, everyMs: EVERY_MS, outage })
  return { start: () => job.start(), run, close: () => job.close() }
}

async function isAnyDue(reader: Reader, now: number): Promise<boolean> {
  return (await listUnmarkedOverdue(reader, now, 1)).length + (await listWronglyMarked(reader, now, 1)).length > 0
}

/**
 * Marks flags that have outlived the lifetime of their type as potentially stale, with an event for each flag. Checks
 * again under the writer lock, so that concurrent nodes mark each flag only once. A mark that no longer applies is
 * removed without an event, because the protocol defines no such event.
 */
export const markPotentiallyStale: Change<undefined, void> = async (tx, _input, { now }) => {
  const names = await listWronglyMarked(tx, now, MAX_FLAGS_PER_TRANSACTION)
  await markOverdue(tx, names, false)
  const due = await listUnmarkedOverdue(tx, now, MAX_FLAGS_PER_TRANSACTION)
  await markOverdue(
    tx,
    due.map((row) => row.name),
    true,
  )
  const events = await buildEvents(tx, due)
  if (names.length > 0) await incrementChangeCounter(tx, 'overdue')
  return { result: undefined, events }
}

async function buildEvents(tx: Reader, due: readonly FeatureRow[]) {
  const variants = await readVariantsOfFeatures(
    tx,
    due.map((row) => row.name),
  )
  return due.map((before) => {
    const change = { before, after: { ...before, potentially_stale: 1 }, variants: variants.get(before.name) ?? [] }
    return buildFeatureEvent('feature-potentially-stale-on', change)
  })
}
