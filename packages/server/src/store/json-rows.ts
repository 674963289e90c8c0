import { type RawBuilder, sql } from 'kysely'
import type { Tx } from './database.ts'
import { isSqlite } from './dialect.ts'

/** Columns in their order, with their types. */
export type JsonColumns<C extends string> = readonly (readonly [name: C, type: 'text' | 'bigint'])[]

/**
 * Returns a query that expands a JSON list of lists of values into rows, in the order of the list. Any number of rows
 * is one parameter of the same SQL, which is built once and costs the sending thread next to nothing.
 */
export function rowsOutOf<C extends string>(tx: Tx, json: string, columns: JsonColumns<C>): RawBuilder<unknown> {
  const source = isSqlite(tx) ? sql`json_each(${json})` : sql`json_array_elements(${json}::json) as r(value)`
  const values = columns.map(([, type], index) => {
    const value = sql`value ->> ${sql.lit(index)}`
    return type === 'text' ? value : sql`cast(${value} as bigint)`
  })
  // without a condition, SQLite would parse a conflict clause after it as the ON clause of a join
  return sql`select ${sql.join(values)} from ${source} where true`
}
