import { type RawBuilder, sql } from 'kysely'
import type { Reader } from './database.ts'
import { isSqlite } from './dialect.ts'

/** Names and types of the columns, in order. */
export type JsonColumns<C extends string> = readonly (readonly [name: C, type: 'text' | 'bigint'])[]

/**
 * Returns a query that expands a JSON list into rows, in the order of the list; each item is a list with the values of
 * one row. The list is a single parameter, so the SQL is the same however many rows there are. The SQL is built only
 * once, to save time on the main thread.
 */
export function expandRows<C extends string>(
  handle: Reader,
  json: string,
  columns: JsonColumns<C>,
): RawBuilder<unknown> {
  const source = isSqlite(handle) ? sql`json_each(${json})` : sql`json_array_elements(${json}::json) as r(value)`
  const values = columns.map(([, type], index) => {
    const value = sql`value ->> ${sql.lit(index)}`
    return type === 'text' ? value : sql`cast(${value} as bigint)`
  })
  // without this condition, SQLite would parse a conflict clause that follows as the ON clause of a join
  return sql`select ${sql.join(values)} from ${source} where true`
}
