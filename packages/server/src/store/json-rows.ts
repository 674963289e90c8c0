import { type RawBuilder, sql } from 'kysely'
import type { Tx } from './database.ts'
import { isSqlite } from './dialect.ts'

/** Columns in their order, and what is in them. */
export type JsonColumns<C extends string> = readonly (readonly [name: C, type: 'text' | 'bigint'])[]

/**
 * A query that gives rows out of a JSON list of lists of values, in the order of the list. As one value many rows are one
 * text for any number of them, which is made once and costs the thread that sends it next to nothing.
 */
export function rowsOutOf<C extends string>(tx: Tx, json: string, columns: JsonColumns<C>): RawBuilder<unknown> {
  const source = isSqlite(tx) ? sql`json_each(${json})` : sql`json_array_elements(${json}::json) as r(value)`
  const values = columns.map(([, type], index) => {
    const value = sql`value ->> ${sql.lit(index)}`
    return type === 'text' ? value : sql`cast(${value} as bigint)`
  })
  // with a condition SQLite does not take a conflict clause behind it for that of a join
  return sql`select ${sql.join(values)} from ${source} where true`
}
