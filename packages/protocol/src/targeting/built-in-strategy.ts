interface BuiltIn {
  readonly name: string
  /** Parameter with the percentage of contexts; undefined if the strategy has none. */
  readonly percentage?: string
  /** Parameter with a comma-separated list; undefined if the strategy has none. */
  readonly list?: string
}

/**
 * Activation strategies that every SDK supports, in the order in which SDKs register them. Source: client-specification
 * 01 to 06, 10.
 */
export const BUILT_IN_STRATEGIES = [
  { name: 'default' },
  { name: 'applicationHostname', list: 'hostNames' },
  { name: 'gradualRolloutRandom', percentage: 'percentage' },
  { name: 'gradualRolloutUserId', percentage: 'percentage' },
  { name: 'gradualRolloutSessionId', percentage: 'percentage' },
  { name: 'userWithId', list: 'userIds' },
  { name: 'remoteAddress', list: 'IPs' },
  { name: 'flexibleRollout', percentage: 'rollout' },
] as const satisfies readonly BuiltIn[]

/** Name of a built-in strategy. */
export type BuiltInStrategy = (typeof BUILT_IN_STRATEGIES)[number]['name']
