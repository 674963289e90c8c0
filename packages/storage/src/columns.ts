import type { ColumnType } from 'kysely'

/**
 * Column with a JSON document. Queries return the parsed value. Writes expect the result of `JSON.stringify`. Queries
 * never filter by a JSON column.
 */
export type Json<T> = ColumnType<T, string, string>

/** Boolean column, stored as 0 or 1 in both databases. */
export type Bit = number

/** Point in time in milliseconds since 1970. */
export type Millis = number
