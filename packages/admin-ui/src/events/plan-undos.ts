import type { ReleasePlan } from '@burgee/protocol/administration/release-plan'
import type { Safeguard } from '@burgee/protocol/administration/safeguard'
import type { Event, EventType } from '@burgee/protocol/event'
import type { FlagEnvironment } from '../api/flags.ts'
import * as plans from '../api/release-plans.ts'

/** Undo of an event about a release plan: the operation and the affected queries. */
export interface PlanUndo {
  readonly subject: string
  readonly permission: string
  readonly changes: readonly string[]
  readonly run: () => Promise<unknown>
}

type PlanUndoFactory = (event: Pick<Event, 'data' | 'preData'>, place: FlagEnvironment) => PlanUndo

const CHANGES = ['release-plan', 'flag', 'flags']
const UPDATE = 'UPDATE_FEATURE_STRATEGY'

function createPlanUndo(plan: ReleasePlan, run: () => Promise<unknown>, permission = UPDATE): PlanUndo {
  return { subject: `release plan ${plan.id}`, permission, changes: CHANGES, run }
}

/** Restores the start time of the milestone that an event has changed. */
function createProgressionUndo({ data, preData }: Pick<Event, 'data' | 'preData'>, place: FlagEnvironment): PlanUndo {
  const [after, before] = [data as ReleasePlan, preData as ReleasePlan]
  const index = before.milestones.findIndex(
    ({ transitionCondition }, at) =>
      transitionCondition?.intervalMinutes !== after.milestones[at]?.transitionCondition?.intervalMinutes,
  )
  const [source, target] = [before.milestones[index], before.milestones[index + 1]]
  const intervalMinutes = source?.transitionCondition?.intervalMinutes ?? null
  return createPlanUndo(after, () =>
    plans.setProgression(place, { source: source?.id ?? '', target: target?.id ?? '', intervalMinutes }),
  )
}

function createSafeguardUndo(safeguard: Safeguard, place: FlagEnvironment, before: Safeguard | undefined): PlanUndo {
  const owner = { ...place, planId: safeguard.releasePlanId }
  const run = () =>
    before === undefined
      ? plans.removeSafeguard(owner, safeguard.id)
      : plans.setSafeguard(owner, { ...plans.toSafeguardInput(before), id: before.id })
  return { subject: `safeguard ${safeguard.id}`, permission: UPDATE, changes: CHANGES, run }
}

/** Undo operations for events about release plans, and about safeguards of release plans. */
export const PLAN_UNDOS: Partial<Record<EventType, PlanUndoFactory>> = {
  'release-plan-added': ({ data }, place) => {
    const plan = data as ReleasePlan
    const run = () => plans.removeReleasePlan({ ...place, planId: plan.id })
    return createPlanUndo(plan, run, 'DELETE_FEATURE_STRATEGY')
  },
  'release-plan-milestone-started': ({ data, preData }, place) => {
    const [plan, before] = [data as ReleasePlan, preData as ReleasePlan]
    const milestone = before.activeMilestoneId ?? before.milestones[0]?.id ?? ''
    return createPlanUndo(plan, () => plans.startMilestone({ ...place, planId: plan.id }, milestone))
  },
  'release-plan-progressions-paused': ({ data }, place) => {
    const plan = data as ReleasePlan
    return createPlanUndo(plan, () => plans.resumePlan({ ...place, planId: plan.id }))
  },
  'release-plan-progressions-resumed': ({ data }, place) => {
    const plan = data as ReleasePlan
    return createPlanUndo(plan, () => plans.pausePlan({ ...place, planId: plan.id }))
  },
  'milestone-progression-created': createProgressionUndo,
  'milestone-progression-updated': createProgressionUndo,
  'milestone-progression-deleted': createProgressionUndo,
  'safeguard-changed': ({ data, preData }, place) =>
    createSafeguardUndo(data as Safeguard, place, (preData ?? undefined) as Safeguard | undefined),
}
