import { splitList } from '@burgee/kit/split-list'

/** Maximum number of rows per statement, because databases limit the number of parameters. */
export const ROWS_PER_STATEMENT = 500

/**
 * Maximum number of flags per query if the query returns many rows for each flag. Larger results would block the event
 * loop when they arrive.
 */
export const FLAGS_PER_QUERY = 250

/** Splits a list into parts of at most `max` items; by default, a part is as large as one statement allows. */
export function chunks<T>(list: readonly T[], max = ROWS_PER_STATEMENT): T[][] {
  return splitList(list, max)
}
