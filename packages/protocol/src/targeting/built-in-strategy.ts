interface BuiltIn {
  readonly name: string
  /** The parameter that says for what percentage of contexts the strategy holds; undefined where it does not ask that. */
  readonly percentage?: string
  /** The parameter that holds a list, its parts divided by commas; undefined where there is none. */
  readonly list?: string
}

/**
 * The activation strategies that every SDK brings, in the order in which SDKs register them.
 * Source: client-specification 01 to 06, 10.
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

/** The name of a built-in strategy. */
export type BuiltInStrategy = (typeof BUILT_IN_STRATEGIES)[number]['name']
