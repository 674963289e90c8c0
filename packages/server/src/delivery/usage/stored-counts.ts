import { incrementChangeCounter } from '@burgee/storage/change-counters'
import type { Tx } from '@burgee/storage/database'
import { recordStages } from '@burgee/storage/queries/usage/stages'
import { putUnknownFlags } from '@burgee/storage/queries/usage/unknown-flags'
import { addUsage, touchFeatures } from '@burgee/storage/queries/usage/usage'
import type { ReportedCount } from './buffered-counts.ts'
import type { FlagsByEnvironment, LastSeenCache } from './last-seen.ts'
import type { NameWindow } from './name-window.ts'
import { type AdmittedCount, admitCounts } from './usage-admission.ts'

/** Result of storing reported counts. */
export interface StoredCounts {
  readonly counts: readonly AdmittedCount[]
  /** Number of names that were dropped: neither counted nor recorded as unknown. */
  readonly dropped: number
  /** Flags that were marked as seen. */
  readonly touched: FlagsByEnvironment
  /** Number of unknown flag names that were recorded. */
  readonly noted: number
}

/**
 * Stores the reported counts of flags. Also updates the flags' last-seen times and lifecycle stages, and records
 * unknown flag names.
 */
export async function storeCounts(
  tx: Tx,
  reported: readonly ReportedCount[],
  now: number,
  { lastSeen, unknownFlags }: { readonly lastSeen: LastSeenCache; readonly unknownFlags: NameWindow },
): Promise<StoredCounts> {
  const { counts, unknown, dropped } = await admitCounts(tx, reported)
  await addUsage(tx, counts)
  const touched = lastSeen.listDue(counts, now)
  await touchFeatures(tx, touched, now)
  await recordStages(tx, touched, now)
  const noted = unknown.filter(({ reporter, name, appName }) =>
    unknownFlags.admits(reporter, JSON.stringify([name, appName]), now),
  )
  await putUnknownFlags(tx, noted, now)
  if (counts.length > 0) await incrementChangeCounter(tx, 'usage')
  return { counts, dropped: dropped + unknown.length - noted.length, touched, noted: noted.length }
}
