import type { ColumnType } from 'kysely'

/** A JSON document: read as a value, written as text (`JSON.stringify`). Never filtered on. */
export type Json<T> = ColumnType<T, string, string>

/** A yes or no: 0 or 1 in both databases. */
export type Bit = number

/** A point in time: milliseconds since 1970. */
export type Millis = number
