interface BuiltIn {
  readonly name: string
  /** The parameter that says for what percentage of contexts the strategy holds; undefined where it does not ask that. */
  readonly percentage?: string
}

/**
 * The activation strategies that every SDK brings, in the order in which SDKs register them.
 * Source: client-specification 01 to 06, 10.
 */
export const BUILT_IN_STRATEGIES = [
  { name: 'default' },
  { name: 'applicationHostname' },
  { name: 'gradualRolloutRandom', percentage: 'percentage' },
  { name: 'gradualRolloutUserId', percentage: 'percentage' },
  { name: 'gradualRolloutSessionId', percentage: 'percentage' },
  { name: 'userWithId' },
  { name: 'remoteAddress' },
  { name: 'flexibleRollout', percentage: 'rollout' },
] as const satisfies readonly BuiltIn[]
