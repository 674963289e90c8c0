import type { Creator } from '@burgee/protocol/administration/project-status'
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Reader } from '../database.ts'

/** Columns of events that a text is looked for in; each has an index of its own, by name and id. */
export const TEXT_COLUMNS = ['type', 'feature_name', 'project', 'environment', 'created_by'] as const

export type TextColumn = (typeof TEXT_COLUMNS)[number]

/** Names that hold a text, by column; columns without any are left out. */
export type NamesByColumn = ReadonlyMap<TextColumn, readonly string[]>

/**
 * Finds the names of events that hold a text, whatever its case, in one query. Events are many and names are few: each
 * name is one look into an index for the next greater one.
 */
export async function namesHolding(reader: Reader, text: string): Promise<NamesByColumn> {
  const lists = TEXT_COLUMNS.map((column) => listOf(column))
  const found = TEXT_COLUMNS.map(
    (column) =>
      sql`select ${sql.lit(column)} as place, name from ${sql.table(listName(column))} where ${holds(sql.ref('name'), text)}`,
  )
  const query = sql<{
    place: TextColumn
    name: string
  }>`with recursive ${sql.join(lists)} ${sql.join(found, sql` union all `)}`
  const { rows } = await query.execute(reader as never)
  return new Map([...Map.groupBy(rows, ({ place }) => place)].map(([place, names]) => [place, names.map(nameOf)]))
}

const nameOf = ({ name }: { readonly name: string }): string => name
const listName = (column: TextColumn): string => `names_of_${column}`

function listOf(column: TextColumn): RawBuilder<unknown> {
  const [list, name] = [sql.table(listName(column)), sql.ref(column)]
  return sql`${list}(name) as (select min(${name}) from events union all
    select (select min(${name}) from events where ${name} > ${list}.name) from ${list} where ${list}.name is not null)`
}

/** Everybody of whom there are events, by name, with the id of the last of them; names are few, see `namesHolding`. */
export async function eventCreators(reader: Reader): Promise<Creator[]> {
  const [list, name] = [sql.table(listName('created_by')), sql.ref('created_by')]
  const last = sql`(select e.created_by_user_id from events e where e.${name} = ${list}.name order by e.id desc limit 1)`
  const query = sql<Creator>`with recursive ${listOf('created_by')}
    select name, ${last} as id from ${list} where name is not null order by name`
  return (await query.execute(reader as never)).rows.map((row) => ({ id: Number(row.id), name: row.name }))
}

/** Patterns differ between databases in case and escapes; that a text is shorter without the part does not. */
export function holds(name: Expression<unknown>, text: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`replace(lower(${name}), lower(cast(${text} as text)), '') <> lower(${name})`
}
