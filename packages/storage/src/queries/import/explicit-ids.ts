import { type Insertable, sql } from 'kysely'
import { chunks } from '../../chunks.ts'
import type { Schema, Tx } from '../../database.ts'
import { isSqlite } from '../../dialect.ts'

/** Tables with generated ids into which an import can insert rows with the ids of another server. */
export type NumberedTable = 'events' | 'segments' | 'users'

/**
 * Inserts rows with their existing ids. All rows must have the same columns. Waits for each statement, so that an
 * import of a million rows keeps only a few hundred rows in memory.
 */
export async function insertWithIds<T extends NumberedTable>(
  tx: Tx,
  table: T,
  rows: readonly (Insertable<Schema[T]> & { readonly id: number })[],
): Promise<void> {
  const [first] = rows
  if (first === undefined) return
  const columns = Object.keys(first)
  const names = sql.join(columns.map((column) => sql.ref(column)))
  const overriding = isSqlite(tx) ? sql`` : sql`overriding system value`
  for (const part of chunks(rows)) {
    const values = part.map((row) => {
      const cells = row as Readonly<Record<string, unknown>>
      return sql`(${sql.join(columns.map((column) => cells[column] ?? null))})`
    })
    await sql`insert into ${sql.table(table)} (${names}) ${overriding} values ${sql.join(values)} returning id`.execute(
      tx,
    )
  }
}

/** Inserts all rows, a few hundred per statement. */
export async function insertAll<T extends keyof Schema>(
  tx: Tx,
  table: T,
  rows: readonly Insertable<Schema[T]>[],
): Promise<void> {
  for (const part of chunks(rows)) {
    await tx
      .insertInto<keyof Schema>(table)
      .values(part as never)
      .execute()
  }
}

/**
 * Makes the next generated id greater than `id`, greater than all existing ids, and greater than every id that was ever
 * generated. Ids of deleted rows are therefore never reused.
 */
export async function raiseNextId(tx: Tx, table: NumberedTable, id: number): Promise<void> {
  const row = await tx
    .selectFrom<NumberedTable>(table)
    .select(({ fn }) => fn.max('id').as('id'))
    .executeTakeFirst()
  const last = Math.max(id, Number(row?.id ?? 0))
  if (last === 0) return
  if (!isSqlite(tx)) {
    const sequence = sql`pg_get_serial_sequence(${table}, 'id')`
    const before = sql`coalesce(pg_sequence_last_value(${sequence}::regclass), 0)`
    await sql`select setval(${sequence}, greatest(${last}, ${before}))`.execute(tx)
    return
  }
  const { rows } = await sql<{ seq: number }>`select seq from sqlite_sequence where name = ${table}`.execute(tx)
  const highest = Math.max(last, Number(rows[0]?.seq ?? 0))
  await sql`delete from sqlite_sequence where name = ${table}`.execute(tx)
  await sql`insert into sqlite_sequence (name, seq) values (${table}, ${highest})`.execute(tx)
}
