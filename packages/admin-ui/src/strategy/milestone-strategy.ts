import type { MilestoneStrategy } from '@burgee/protocol/administration/release-plan'
import type { AdminStrategy } from '@burgee/protocol/targeting/strategy'

/** Converts a strategy of a milestone to the strategy that a flag gets while the milestone is active. */
export const toAdminStrategy = ({ strategyName, ...rest }: MilestoneStrategy): AdminStrategy => ({
  ...rest,
  name: strategyName,
  disabled: false,
})
