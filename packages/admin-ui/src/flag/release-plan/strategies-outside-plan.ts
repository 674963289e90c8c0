import type { Milestone } from '@burgee/protocol/administration/release-plan'
import type { AdminStrategy } from '@burgee/protocol/targeting/strategy'

/** Returns the strategies of a flag that do not belong to the active milestone of its plan. */
export function listStrategiesOutsidePlan(
  strategies: readonly AdminStrategy[],
  active: Milestone | undefined,
): readonly AdminStrategy[] {
  const planned = new Set(active?.strategies.map(({ id }) => id))
  return strategies.filter(({ id }) => !planned.has(id))
}
