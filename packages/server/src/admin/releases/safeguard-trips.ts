import type { SafeguardTrip } from '@burgee/protocol/administration/safeguard'
import type { Tx } from '@burgee/storage/database'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import { findPlan, type PlanRow } from '@burgee/storage/queries/releases/release-plans'
import { findSafeguards, type SafeguardWithProject, storeTrip } from '@burgee/storage/queries/releases/safeguards'
import type { Change, ChangeContext } from '../../core/execute.ts'
import { type FeatureEnvironmentRef, requireFeatureEnvironment } from '../flags/feature-ref.ts'
import { setEnabled } from '../flags/switch-flag.ts'
import { pausePlan } from './plan-progress.ts'
import { moveTo, storePlan } from './release-plans.ts'
import { buildSafeguardEvent, toSafeguardView } from './safeguards.ts'

/** Trip of a safeguard, with the time at which the safeguard had been armed. */
export interface TripInput {
  readonly id: string
  readonly armedAt: number
  readonly trip: Omit<SafeguardTrip, 'at'>
}

/**
 * Trips a safeguard: writes its event, pauses the plan and performs its action, in one transaction. Does nothing if the
 * safeguard has been tripped, armed again or deleted since its values were read, so that it trips only once even with
 * several nodes.
 */
export const tripSafeguard: Change<TripInput, void> = async (tx, { id, armedAt, trip: observed }, context) => {
  const [safeguard] = await findSafeguards(tx, [id])
  if (safeguard === undefined || safeguard.trip !== null || safeguard.armed_at !== armedAt) {
    return { result: undefined, events: [] }
  }
  const trip = { at: new Date(context.now).toISOString(), ...observed }
  await storeTrip(tx, id, trip)
  const { project, ...row } = safeguard
  const ref = { project, feature: row.feature_name, environment: row.environment }
  const states = {
    data: toSafeguardView({ ...row, trip, check_at: null, breached_since: null }),
    preData: toSafeguardView(row),
  }
  const event = buildSafeguardEvent('safeguard-tripped', ref, states)
  const events = [event, ...(await act(tx, ref, safeguard, context))]
  return { result: undefined, events, isUnlimited: true }
}

async function act(
  tx: Tx,
  ref: FeatureEnvironmentRef,
  { definition: { action } }: SafeguardWithProject,
  context: ChangeContext,
): Promise<NewEvent[]> {
  const events: NewEvent[] = []
  if (action.type === 'disableEnvironment') {
    const { events: own } = await setEnabled(tx, { ...ref, enabled: false }, context)
    events.push(...own)
  }
  const plan = await findPlan(tx, ref)
  if (plan === undefined) return events
  const paused = plan.paused_at === null ? await pause(tx, { ref, plan }, context) : { plan, events: [] }
  events.push(...paused.events)
  if (action.type === 'previousMilestone') events.push(...(await stepBack(tx, { ref, plan: paused.plan }, context)))
  return events
}

/** Plan of a flag in an environment. */
interface OwnedPlan {
  readonly ref: FeatureEnvironmentRef
  readonly plan: PlanRow
}

async function pause(tx: Tx, { ref, plan }: OwnedPlan, { now }: ChangeContext) {
  const step = { ref, plan, next: pausePlan(plan, { now }) }
  const { result, events } = await storePlan(tx, step, 'release-plan-progressions-paused')
  return { plan: result, events }
}

/**
 * Starts the milestone before the active one, so that the flag is on for the same users as before. Does nothing if the
 * first milestone is active.
 */
async function stepBack(tx: Tx, { ref, plan }: OwnedPlan, context: ChangeContext): Promise<readonly NewEvent[]> {
  const index = plan.milestones.findIndex(({ id }) => id === plan.active_milestone_id)
  const previous = plan.milestones[index - 1]
  if (previous === undefined) return []
  const { enabled } = await requireFeatureEnvironment(tx, ref)
  const step = { ref, plan, milestoneId: previous.id, time: { now: context.now, isOn: enabled === 1 } }
  const { events } = await moveTo(tx, step, context)
  return events
}
