import type { PlanRow } from '@burgee/storage/queries/releases/release-plans'
import { findNextMilestone, getIntervalMs, requireMilestone } from './milestones.ts'

/** Time of a change, and the on/off state of the plan's flag in its environment. */
export interface PlanTime {
  readonly now: number
  readonly isOn: boolean
}

/**
 * Returns a plan whose milestone `milestoneId` has just become active. The clock of the milestone starts at zero. If
 * the plan is paused, it stays paused.
 */
export function activateMilestone(plan: PlanRow, milestoneId: string, time: PlanTime): PlanRow {
  requireMilestone(plan.milestones, milestoneId)
  const milestones = plan.milestones.map((one) =>
    one.id === plan.active_milestone_id ? { ...one, startedAt: plan.started_at } : one,
  )
  const started = { ...plan, milestones, active_milestone_id: milestoneId, elapsed_ms: 0, active_since: null }
  return startClock({ ...started, started_at: null, due_at: null }, time)
}

/** Returns the plan in its paused state. The plan's clock stops and retains the elapsed time. */
export function pausePlan(plan: PlanRow, { now }: Pick<PlanTime, 'now'>): PlanRow {
  const passedMs = plan.active_since === null ? 0 : Math.max(now - plan.active_since, 0)
  return { ...plan, elapsed_ms: plan.elapsed_ms + passedMs, active_since: null, due_at: null, paused_at: now }
}

/** Returns the plan in its resumed state. The plan's clock continues if the flag is on. */
export function resumePlan(plan: PlanRow, time: PlanTime): PlanRow {
  return startClock({ ...plan, paused_at: null }, time)
}

/**
 * Returns the plan with a new interval after which the milestone following `milestoneId` starts; null disables the
 * automatic start.
 */
export function setInterval(plan: PlanRow, milestoneId: string, intervalMinutes: number | null): PlanRow {
  const milestones = plan.milestones.map((one) => (one.id === milestoneId ? { ...one, intervalMinutes } : one))
  return withDueTime({ ...plan, milestones })
}

/** Returns the milestone that is due; undefined if no milestone is due at this time. */
export function findDueMilestone(plan: PlanRow, now: number): string | undefined {
  if (plan.due_at === null || plan.due_at > now) return undefined
  return findNextMilestone(plan.milestones, plan.active_milestone_id)?.id
}

function startClock(plan: PlanRow, { now, isOn }: PlanTime): PlanRow {
  if (!isOn) return withDueTime(plan)
  const since = plan.paused_at === null ? { active_since: plan.active_since ?? now } : {}
  return withDueTime({ ...plan, started_at: plan.started_at ?? now, ...since })
}

function withDueTime(plan: PlanRow): PlanRow {
  const intervalMs = getIntervalMs(plan.milestones, plan.active_milestone_id)
  const { active_since: since, elapsed_ms: elapsedMs } = plan
  const dueAt = intervalMs === null || since === null ? null : since + intervalMs - elapsedMs
  return { ...plan, interval_ms: intervalMs, due_at: dueAt }
}
