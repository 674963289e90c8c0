import type { ColumnType } from 'kysely'

/** JSON document: read as a value, written as text (`JSON.stringify`). Never filtered on. */
export type Json<T> = ColumnType<T, string, string>

/** Boolean as 0 or 1, in both databases. */
export type Bit = number

/** Point in time in milliseconds since 1970. */
export type Millis = number
