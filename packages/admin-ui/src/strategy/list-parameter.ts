import { BUILT_IN_STRATEGIES } from '@burgee/protocol/targeting/built-in-strategy'

const LIST_PARAMETERS: ReadonlyMap<string, string> = new Map(
  BUILT_IN_STRATEGIES.flatMap((one) => ('list' in one ? [[one.name, one.list] as const] : [])),
)

/**
 * Returns the name of the parameter of a built-in strategy that contains a comma-separated list; undefined for
 * strategies without such a parameter.
 */
export const findListParameter = (strategy: string): string | undefined => LIST_PARAMETERS.get(strategy)
