import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../database.ts'
import { addUsage, addVariants, type UsageCount } from '../usage/usage.ts'
import { DAY_MS, startOfDay } from '../usage/usage-reads.ts'
import { BATCH_ROWS } from './deletion-batch.ts'

type Table = 'client_metrics' | 'client_metrics_variants'
const TABLES: readonly Table[] = ['client_metrics', 'client_metrics_variants']

/**
 * Adds up hourly usage counts by day, for days before the given day (milliseconds since 1970, 0:00 UTC). The row for
 * the first hour of each day then contains the counts of the whole day. Processes one batch. Returns true if more rows
 * may remain.
 */
export async function foldUsage(tx: Tx, before: number): Promise<boolean> {
  for (const table of TABLES) {
    const hour = await findFirstUnfolded(tx, table, before)
    if (hour === undefined) continue
    if (table === 'client_metrics') await foldCounts(tx, hour)
    else await foldVariants(tx, hour)
    return true
  }
  return false
}

/** Returns the oldest hour with stored counts that is not the first hour of its day. Needs one index lookup per day. */
async function findFirstUnfolded(tx: Tx, table: Table, before: number): Promise<number | undefined> {
  let from = -1
  for (;;) {
    const row = await tx
      .selectFrom(table)
      .select(({ fn }) => fn.min<number | null>('hour').as('hour'))
      .where('hour', '>', from)
      .where('hour', '<', before)
      .executeTakeFirst()
    if (row === undefined || row.hour === null) return undefined
    const hour = Number(row.hour)
    if (hour % DAY_MS !== 0) return hour
    // the next lookup finds either a later hour of this day or a later day
    from = hour
  }
}

async function foldCounts(tx: Tx, hour: number): Promise<void> {
  const rows = await tx.selectFrom('client_metrics').selectAll().where('hour', '=', hour).limit(BATCH_ROWS).execute()
  const counts = rows.map(
    (row): UsageCount => ({
      environment: row.environment,
      appName: row.app_name,
      featureName: row.feature_name,
      hour: startOfDay(hour),
      yes: Number(row.yes),
      no: Number(row.no),
      variants: new Map(),
    }),
  )
  await addUsage(tx, counts)
  const keys = rows.map((row) => [row.feature_name, row.environment, row.app_name])
  await sql`delete from client_metrics where hour = ${hour} and (feature_name, environment, app_name) in (${buildValues(keys)})`.execute(
    tx,
  )
}

async function foldVariants(tx: Tx, hour: number): Promise<void> {
  const rows = await tx
    .selectFrom('client_metrics_variants')
    .selectAll()
    .where('hour', '=', hour)
    .limit(BATCH_ROWS)
    .execute()
  const counts = rows.map((row) => ({ ...row, hour: startOfDay(hour), count: Number(row.count) }))
  await addVariants(tx, counts)
  const keys = rows.map((row) => [row.feature_name, row.environment, row.app_name, row.variant])
  await sql`delete from client_metrics_variants where hour = ${hour}
    and (feature_name, environment, app_name, variant) in (${buildValues(keys)})`.execute(tx)
}

function buildValues(rows: readonly (readonly string[])[]): RawBuilder<unknown> {
  const row = (values: readonly string[]) => sql`(${sql.join(values.map((value) => sql`cast(${value} as text)`))})`
  return sql`values ${sql.join(rows.map(row))}`
}

/** Deletes a batch of usage counts from hours before a time. Returns true if more rows may remain. */
export async function removeUsage(tx: Tx, before: number): Promise<boolean> {
  for (const table of TABLES) {
    const row = await tx
      .selectFrom(table)
      .select(({ fn }) => fn.min<number | null>('hour').as('hour'))
      .where('hour', '<', before)
      .executeTakeFirst()
    if (row === undefined || row.hour === null) continue
    const rest = table === 'client_metrics' ? sql`` : sql`, variant`
    const keys = sql`feature_name, environment, app_name${rest}`
    const name = sql.table(table)
    await sql`delete from ${name} where hour = ${row.hour} and (${keys}) in
      (select ${keys} from ${name} where hour = ${row.hour} limit ${sql.lit(BATCH_ROWS)})`.execute(tx)
    return true
  }
  return false
}

/** Returns the day (0:00 UTC) before which usage is stored by day; undefined if all usage is stored by hour. */
export function getFoldedBefore(now: number, hourlyDays: number): number | undefined {
  return hourlyDays === 0 ? undefined : startOfDay(now - hourlyDays * DAY_MS)
}
