import {
  type DuePlan,
  findNextPlanDueAt,
  findPlanById,
  listDuePlans,
} from '@burgee/storage/queries/releases/release-plans'
import { createDueSchedule, type DueSchedule } from '../../core/due-schedule.ts'
import { type Change, execute } from '../../core/execute.ts'
import { SYSTEM, type World } from '../../core/world.ts'
import { findDueMilestone } from './plan-progress.ts'
import { moveTo } from './release-plans.ts'

const CHANGES_DUE_TIMES =
  /^(release-plan-|milestone-progression-|feature-environment-(enabled|disabled)$|feature-revived$)/

/** Creates the schedule that starts the next milestone of each release plan when it is due. */
export function createReleaseSchedule(world: World): DueSchedule {
  return createDueSchedule(world, {
    name: 'Release plans',
    listDue: listDuePlans,
    findNextDueAt: findNextPlanDueAt,
    handle: (due) => execute(world, SYSTEM, advancePlan, due),
    isAffectedBy: ({ type }) => CHANGES_DUE_TIMES.test(type),
  })
}

/**
 * Starts the milestone that is due, unless the plan has changed since it was listed. If several nodes try at the same
 * time, only one of them starts the milestone. The clock of the new milestone starts now, so that a plan never skips a
 * milestone.
 */
const advancePlan: Change<DuePlan, void> = async (tx, { id, due_at: dueAt }, context) => {
  const plan = await findPlanById(tx, id)
  const milestoneId = plan?.due_at === dueAt ? findDueMilestone(plan, context.now) : undefined
  const isWaiting = plan?.safeguards.some(({ held, trip }) => held === 1 && trip === null)
  if (plan === undefined || milestoneId === undefined || isWaiting === true) return { result: undefined, events: [] }
  const { project, ...row } = plan
  const milestones = row.milestones.map((one) =>
    one.id === row.active_milestone_id ? { ...one, progressionExecutedAt: context.now } : one,
  )
  const ref = { project, feature: row.feature_name, environment: row.environment }
  const step = { ref, plan: { ...row, milestones }, milestoneId, time: { now: context.now, isOn: true } }
  const { events } = await moveTo(tx, step, context)
  return { result: undefined, events, isUnlimited: true }
}
