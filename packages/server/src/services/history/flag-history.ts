import type { FlagHistory, FlagMoment } from '@burgee/protocol/administration/flag-history'
import type { Reader } from '../../store/database.ts'
import { wasInProject } from '../../store/events/past-events.ts'
import { featureNamed } from '../../store/features/features.ts'
import type { Actor } from '../access/rights/rights.ts'
import type { FeatureRef } from '../features/feature-ref.ts'
import { differencesOf } from './differences.ts'
import type { When } from './moment.ts'
import { flagAt } from './past-flag.ts'

/** Flag and two moments to compare. */
export interface HistoryAsked {
  readonly ref: FeatureRef
  readonly when: When
  readonly compared: When
}

/**
 * Returns a flag at two moments and the differences. Returns undefined if the flag is not in the given project now and
 * was not in it at either moment. States of the flag in hidden projects are reported as unknown.
 */
export async function flagHistory(
  reader: Reader,
  { ref, when, compared }: HistoryAsked,
  actor: Pick<Actor, 'hidden'>,
): Promise<FlagHistory | undefined> {
  const { hidden = [] } = actor
  const moments = [await flagAt(reader, ref.feature, when), await flagAt(reader, ref.feature, compared)] as const
  const current = await featureNamed(reader, ref.feature)
  const projects = [current?.project, ...moments.map(({ flag }) => flag?.project)]
  if (hidden.includes(ref.project)) return undefined
  const isUnknown = moments.some(({ isKnown }) => !isKnown)
  const isThere =
    projects.includes(ref.project) || (isUnknown && (await wasInProject(reader, ref.feature, ref.project)))
  if (!isThere) return undefined
  const [moment, other] = moments.map((one) => seen(one, hidden)) as [FlagMoment, FlagMoment]
  return { moment, compared: other, changes: moment.isKnown && other.isKnown ? differencesOf(moment, other) : null }
}

/** Replaces a state in a hidden project with an unknown one. */
function seen(moment: FlagMoment, hidden: readonly string[]): FlagMoment {
  if (moment.flag === null || !hidden.includes(moment.flag.project)) return moment
  const nothing = { eventId: null, at: null, isKnown: false, flag: null, segments: [], untoldSegments: [] }
  return { ...nothing, knownFrom: { eventId: null, at: null, why: 'untold' } }
}
