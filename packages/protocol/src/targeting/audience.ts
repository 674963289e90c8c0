import type { ListStrategy } from '../admin-feature.ts'
import { BUILT_IN_STRATEGIES } from './built-in-strategy.ts'
import type { AdminStrategy } from './strategy.ts'

/** Parts of a strategy that determine to which users it applies. */
export type MatchingStrategy = Pick<AdminStrategy, 'name' | 'parameters' | 'constraints'> &
  Partial<Pick<AdminStrategy, 'segments'>>

/** Rollout percentage of a strategy that applies to all users. */
export const FULL_PERCENTAGE = 100

/** Values of `stickiness` that do not require a certain context field. */
const SHARED_STICKINESS: ReadonlySet<string> = new Set(['', 'default', 'random'])

/**
 * Returns the rollout percentage of a strategy; null if the strategy selects users in another way. A missing or invalid
 * percentage is returned as 0, because a rollout without a valid percentage matches no one.
 */
export function getRolloutPercentage({
  name,
  parameters,
}: Pick<MatchingStrategy, 'name' | 'parameters'>): number | null {
  if (name === 'default') return FULL_PERCENTAGE
  const builtIn = BUILT_IN_STRATEGIES.find((one) => one.name === name)
  if (builtIn === undefined || !('percentage' in builtIn)) return null
  const percentage = Number(parameters[builtIn.percentage] ?? 0)
  return Number.isNaN(percentage) ? 0 : Math.min(FULL_PERCENTAGE, Math.max(0, percentage))
}

/** Returns the audience of a strategy: which context fields and segments its conditions use, but not the values. */
export function toListStrategy(strategy: MatchingStrategy): ListStrategy {
  const { name, parameters, constraints, segments = [] } = strategy
  const { stickiness = '' } = parameters
  // a rollout with a stickiness other than the default skips users who lack that context field
  const required = SHARED_STICKINESS.has(stickiness) ? [] : [stickiness]
  const fields = new Set([...constraints.map(({ contextName }) => contextName), ...required])
  return { name, rollout: getRolloutPercentage(strategy), segments: [...segments], fields: [...fields] }
}

/** Returns true if a strategy matches all users. */
export function matchesAllUsers({
  rollout,
  segments,
  fields,
}: Pick<ListStrategy, 'rollout'> & {
  readonly segments: readonly unknown[]
  readonly fields: readonly string[]
}): boolean {
  return rollout === FULL_PERCENTAGE && segments.length === 0 && fields.length === 0
}
