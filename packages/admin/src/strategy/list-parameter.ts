import { BUILT_IN_STRATEGIES } from '@burgee/protocol/targeting/built-in-strategy'

const LISTS: ReadonlyMap<string, string> = new Map(
  BUILT_IN_STRATEGIES.flatMap((one) => ('list' in one ? [[one.name, one.list] as const] : [])),
)

/** The parameter of a built-in strategy that holds a list, its parts divided by commas; undefined for all others. */
export const listParameterOf = (strategy: string): string | undefined => LISTS.get(strategy)
