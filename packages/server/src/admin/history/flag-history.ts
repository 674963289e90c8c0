import type { FlagHistory, FlagHistoryPoint } from '@burgee/protocol/administration/flag-history'
import type { Reader } from '@burgee/storage/database'
import { wasInProject } from '@burgee/storage/queries/events/past-events'
import { findFeature } from '@burgee/storage/queries/flags/features'
import type { Actor } from '../../core/access/rights/rights.ts'
import type { FeatureRef } from '../flags/feature-ref.ts'
import { listDifferences } from './differences.ts'
import { readFlagAt } from './past-flag.ts'
import type { PointInTime } from './point-in-time.ts'

/** Flag, and the two points in time to compare. */
export interface HistoryComparison {
  readonly ref: FeatureRef
  readonly when: PointInTime
  readonly compared: PointInTime
}

/**
 * Returns undefined if the flag belongs to the given project neither now nor at either point in time. Returns undefined
 * if the flag is in the given project neither now nor at one of the two points in time. Reports states that the flag
 * had in hidden projects as unknown.
 */
export async function readFlagHistory(
  reader: Reader,
  { ref, when, compared }: HistoryComparison,
  actor: Pick<Actor, 'hidden'>,
): Promise<FlagHistory | undefined> {
  const { hidden } = actor
  const moments = [
    await readFlagAt(reader, ref.feature, when),
    await readFlagAt(reader, ref.feature, compared),
  ] as const
  const current = await findFeature(reader, ref.feature)
  const projects = [current?.project, ...moments.map(({ flag }) => flag?.project)]
  if (hidden.includes(ref.project)) return undefined
  const isUnknown = moments.some(({ isKnown }) => !isKnown)
  const isThere =
    projects.includes(ref.project) || (isUnknown && (await wasInProject(reader, ref.feature, ref.project)))
  if (!isThere) return undefined
  const [moment, other] = moments.map((one) => maskHidden(one, hidden)) as [FlagHistoryPoint, FlagHistoryPoint]
  return { moment, compared: other, changes: moment.isKnown && other.isKnown ? listDifferences(moment, other) : null }
}

/** Replaces a state from the time when the flag was in a hidden project with an unknown state. */
function maskHidden(moment: FlagHistoryPoint, hidden: readonly string[]): FlagHistoryPoint {
  if (moment.flag === null || !hidden.includes(moment.flag.project)) return moment
  const nothing = { eventId: null, at: null, isKnown: false, flag: null, segments: [], untoldSegments: [] }
  return { ...nothing, knownFrom: { eventId: null, at: null, why: 'untold' } }
}
