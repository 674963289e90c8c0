import { sql } from 'kysely'
import type { Tx } from '../../database.ts'
import { BATCH_ROWS } from './deletion-batch.ts'

const MAX_ROWS = sql.lit(BATCH_ROWS)

/**
 * Deletes a batch of data that SDKs reported about themselves and that was last seen before a time: instances, unknown
 * flags, and applications with their projects. Keeps applications that users have described. Returns true if more rows
 * may remain.
 */
export async function removeUnseen(tx: Tx, before: number): Promise<boolean> {
  const instances = await sql`delete from client_instances where (app_name, instance_id, environment) in (
    select app_name, instance_id, environment from client_instances where last_seen_at < ${before} limit ${MAX_ROWS}) returning app_name`.execute(
    tx,
  )
  if (isSome(instances)) return true
  const unknown = await sql`delete from unknown_flags where (name, app_name, environment) in (
    select name, app_name, environment from unknown_flags where last_seen_at < ${before} limit ${MAX_ROWS}) returning app_name`.execute(
    tx,
  )
  if (isSome(unknown)) return true
  const rows = await tx
    .selectFrom('client_applications')
    .select('app_name')
    .where('last_seen_at', '<', before)
    .where(({ eb, fn }) => eb(fn.coalesce('description', 'url', 'color', 'icon'), 'is', null))
    .limit(BATCH_ROWS)
    .execute()
  if (rows.length === 0) return false
  const names = rows.map((row) => row.app_name)
  await tx.deleteFrom('client_application_reach').where('app_name', 'in', names).execute()
  await tx.deleteFrom('client_applications').where('app_name', 'in', names).execute()
  return true
}

function isSome({ rows }: { readonly rows: readonly unknown[] }): boolean {
  return rows.length > 0
}
