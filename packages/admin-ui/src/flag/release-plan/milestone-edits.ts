import type { Milestone } from '@burgee/protocol/administration/release-plan'
import type { AdminStrategy, StrategyInput } from '@burgee/protocol/targeting/strategy'
import type { LiveEdit } from '../../go-live/flag-edit.ts'
import { calculateEffect, type Effect, type StrategyRule } from '../../impact/edit-effect.ts'
import { toAdminStrategy } from '../../strategy/milestone-strategy.ts'

/** Returns the strategies that a flag gets while a milestone is active. */
export const listMilestoneStrategies = (milestone: Milestone | undefined, feature: string): AdminStrategy[] =>
  (milestone?.strategies ?? []).map(toAdminStrategy).map((strategy) => ({
    ...strategy,
    parameters: withGroupId(strategy.parameters, feature),
  }))

/** Returns parameters with the group id that the server assigns to strategies without one. */
function withGroupId(parameters: AdminStrategy['parameters'], feature: string): AdminStrategy['parameters'] {
  if (parameters.rollout === undefined || parameters.groupId) return parameters
  return { stickiness: 'default', ...parameters, groupId: feature }
}

/**
 * Returns the edits that replace the strategies of one milestone with those of another. Strategies at the same position
 * are compared with each other, so that a changed percentage becomes visible.
 */
export function listMilestoneEdits(from: readonly AdminStrategy[], to: readonly AdminStrategy[]): readonly LiveEdit[] {
  const edits: LiveEdit[] = to.map(({ id: _, ...strategy }, index) => {
    const replaced = from[index]
    return { strategy: { ...(strategy as StrategyInput), ...(replaced === undefined ? {} : { id: replaced.id }) } }
  })
  return [...edits, ...from.slice(to.length).map(({ id }) => ({ removeStrategy: id }))]
}

/** State of a flag in an environment before the plan starts. */
export interface FlagBefore {
  readonly isOn: boolean
  readonly strategies: readonly StrategyRule[]
}

/** Returns the effect of each milestone compared with the previous one. */
export function listMilestoneEffects(before: FlagBefore, milestones: readonly Milestone[], feature: string): Effect[] {
  let previous: FlagBefore = before
  return milestones.map((milestone) => {
    const strategies = listMilestoneStrategies(milestone, feature)
    const planned = strategies.map((one, index) => ({ ...one, id: `planned ${index}` }))
    const next = { isOn: true, strategies: [...before.strategies, ...planned] }
    const effect = calculateEffect(previous, next)
    previous = next
    return effect
  })
}
