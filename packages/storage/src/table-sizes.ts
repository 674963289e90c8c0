import { sql } from 'kysely'
import type { Database } from './database.ts'

/** Tables that grow as the installation is used. */
export const GROWING_TABLES = [
  'events',
  'client_metrics',
  'client_metrics_variants',
  'client_applications',
  'client_instances',
  'impact_points',
  'unknown_flags',
  'sessions',
] as const

export type GrowingTable = (typeof GROWING_TABLES)[number]

/**
 * Number of rows that one statement counts in the embedded database. Counting this many rows takes one or two
 * milliseconds.
 */
const ROWS_PER_COUNT = 20_000

/**
 * Counts the rows of a table. In the embedded database, each statement counts a limited number of rows, and `pause` is
 * awaited between statements so that other reads can run.
 */
export async function countRows(db: Database, table: GrowingTable, pause: () => Promise<void>): Promise<number> {
  if (db.kind === 'postgres') {
    const all = sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`
    const { rows } = await db.scan((reader) => all.execute(reader as never))
    return Number(rows[0]?.count ?? 0)
  }
  let [total, last] = [0, -1]
  for (;;) {
    const some = sql<{ count: number; last: number | null }>`select count(*) as count, max(rowid) as last from
      (select rowid from ${sql.table(table)} where rowid > ${last} order by rowid limit ${sql.lit(ROWS_PER_COUNT)})`
    const { rows } = await db.scan((reader) => some.execute(reader as never))
    const { count, last: reached } = rows[0] ?? { count: 0, last: null }
    total += count
    if (reached === null || count < ROWS_PER_COUNT) return total
    last = reached
    await pause()
  }
}

/**
 * Returns the size of the database in bytes: the size of the SQLite file without its log, or the size that PostgreSQL
 * reports.
 */
export async function readDatabaseBytes(db: Database): Promise<number> {
  const size =
    db.kind === 'postgres'
      ? sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`
      : sql<{ bytes: number }>`select p.page_count * s.page_size as bytes from pragma_page_count p, pragma_page_size s`
  const { rows } = await size.execute(db.reader as never)
  return Number(rows[0]?.bytes ?? 0)
}
