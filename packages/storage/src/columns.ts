import type { ColumnType } from 'kysely'

/**
 * Column with a JSON document. Queries return the parsed JSON value. Writes expect a string, as returned by
 * `JSON.stringify`. No query filters by a JSON column.
 */
export type Json<T> = ColumnType<T, string, string>

/** Boolean column, stored as 0 or 1 on both SQLite and PostgreSQL. */
export type Bit = number

/** Point in time in milliseconds since 1970. */
export type Millis = number
