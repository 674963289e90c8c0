import { BUILT_IN_STRATEGIES } from '@burgee/protocol/targeting/built-in-strategy'

const LIST_PARAMETERS: ReadonlyMap<string, string> = new Map(
  BUILT_IN_STRATEGIES.flatMap((one) => ('list' in one ? [[one.name, one.list] as const] : [])),
)

/** Returns the comma-separated list parameter of a built-in strategy; undefined for all others. */
export const findListParameter = (strategy: string): string | undefined => LIST_PARAMETERS.get(strategy)
