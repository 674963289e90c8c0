import type { MilestoneStrategy } from '@burgee/protocol/administration/release-plan'
import type { AdminStrategy } from '@burgee/protocol/targeting/strategy'

/** Converts a milestone's strategy to the one that a flag gets while the milestone is active. */
export const toAdminStrategy = ({ strategyName, ...rest }: MilestoneStrategy): AdminStrategy => ({
  ...rest,
  name: strategyName,
  disabled: false,
})
