import type { Milestone, ReleasePlan } from '@burgee/protocol/administration/release-plan'

/** State of a release plan. */
export type PlanStatus = 'paused' | 'waitsForFlag' | 'waitsForValues' | 'running' | 'byHand' | 'complete'

/**
 * Returns the index of the active milestone. While a plan waits for its flag to be turned on, no milestone has started,
 * but the flag already has the strategies of the first one.
 */
export function findActiveIndex({ milestones, activeMilestoneId }: ReleasePlan): number {
  return Math.max(
    0,
    milestones.findIndex(({ id }) => id === activeMilestoneId),
  )
}

/** Returns the state of a release plan. `isOn` is true if the flag is on in the environment. */
export function getPlanStatus(plan: ReleasePlan, isOn: boolean): PlanStatus {
  const index = findActiveIndex(plan)
  if (isPaused(plan)) return 'paused'
  if (!isOn || plan.activeMilestoneId === null) return 'waitsForFlag'
  if (index === plan.milestones.length - 1) return 'complete'
  if (plan.safeguards.some(({ status, onNoData }) => status === 'waiting' && onNoData === 'hold')) {
    return 'waitsForValues'
  }
  return plan.milestones[index]?.transitionCondition === null ? 'byHand' : 'running'
}

/** Returns true if a plan has been paused by a user or by a safeguard. */
export const isPaused = ({ milestones }: ReleasePlan): boolean => milestones.some(({ pausedAt }) => pausedAt !== null)

/** Progress of a single milestone within its plan. */
export type MilestoneState = 'done' | 'active' | 'next' | 'later'

/** Returns the progress of the milestone at the given index. */
export function getMilestoneState(plan: ReleasePlan, index: number): MilestoneState {
  const active = findActiveIndex(plan)
  if (index < active) return 'done'
  if (index === active) return 'active'
  return index === active + 1 ? 'next' : 'later'
}

/** Returns how many minutes after the start of the previous milestone a milestone starts. */
export const getIntervalBefore = (milestones: readonly Milestone[], index: number): number | null =>
  milestones[index - 1]?.transitionCondition?.intervalMinutes ?? null
