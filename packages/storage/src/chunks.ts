import { splitList } from '@burgee/kit/split-list'

/** Maximum number of rows per statement, because databases limit the number of parameters. */
export const ROWS_PER_STATEMENT = 500

/**
 * Maximum number of flags per query if the query returns many rows for each flag. Larger results would block the event
 * loop when they arrive.
 */
export const FLAGS_PER_QUERY = 250

/** From this number of environments on, each query reads fewer flags, because a flag has one row per environment. */
const MANY_ENVIRONMENTS = 8
const FLAGS_OF_MANY_ENVIRONMENTS = 20

/** Returns the number of flags that a query reads if the query returns the rows of all these environments. */
export function getFlagsPerQuery(environments: number): number {
  return environments > MANY_ENVIRONMENTS ? FLAGS_OF_MANY_ENVIRONMENTS : FLAGS_PER_QUERY
}

/** Splits a list into parts of at most `max` items; by default, a part is as large as one statement allows. */
export function chunks<T>(list: readonly T[], max = ROWS_PER_STATEMENT): T[][] {
  return splitList(list, max)
}
