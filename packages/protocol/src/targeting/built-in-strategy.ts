interface BuiltIn {
  readonly name: string
  /** Name of the parameter that contains the percentage of contexts; undefined if the strategy has no percentage. */
  readonly percentage?: string
  /** Name of the parameter that contains a comma-separated list; undefined if the strategy has no list. */
  readonly list?: string
}

/**
 * Activation strategies that every SDK supports, in the order in which SDKs list them at registration. Source:
 * client-specification 01 to 06, 10.
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
