import { sql } from 'kysely'
import type { Tx } from '../../database.ts'

/** Maximum number of rows in each table. */
export interface UsageBounds {
  readonly unknownFlags: number
  readonly applications: number
  readonly instances: number
}

/**
 * Limits the amount of data that SDKs report about themselves. Keeps the unknown flags that were requested most
 * recently. Applications and instances that were reported with a secret token are removed last; applications that users
 * have described are never removed.
 */
export async function trimUsage(tx: Tx, most: UsageBounds): Promise<void> {
  if ((await countRows(tx, 'unknown_flags')) > most.unknownFlags) await trimUnknownFlags(tx, most.unknownFlags)
  if ((await countRows(tx, 'client_instances')) > most.instances) await trimInstances(tx, most.instances)
  if ((await countRows(tx, 'client_applications')) > most.applications) await trimApplications(tx, most.applications)
}

type TrimmedTable = 'unknown_flags' | 'client_instances' | 'client_applications'

async function countRows(tx: Tx, table: TrimmedTable): Promise<number> {
  const row = await tx
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirst()
  return Number(row?.count ?? 0)
}

async function trimUnknownFlags(tx: Tx, most: number): Promise<void> {
  await sql`delete from unknown_flags where (name, app_name, environment) in (
    select name, app_name, environment from unknown_flags
    order by last_seen_at desc, name, app_name, environment limit ${ALL} offset ${most})`.execute(tx)
}

async function trimInstances(tx: Tx, most: number): Promise<void> {
  await sql`delete from client_instances where (app_name, instance_id, environment) in (
    select app_name, instance_id, environment from client_instances
    order by by_public_token, last_seen_at desc, app_name, instance_id, environment limit ${ALL} offset ${most})`.execute(
    tx,
  )
}

async function trimApplications(tx: Tx, most: number): Promise<void> {
  await sql`delete from client_applications where app_name in (
    select app_name from client_applications
    order by case when coalesce(description, url, color, icon) is null then 1 else 0 end,
      by_public_token, last_seen_at desc, app_name limit ${ALL} offset ${most})
    and coalesce(description, url, color, icon) is null`.execute(tx)
  await sql`delete from client_instances where app_name not in (select app_name from client_applications)`.execute(tx)
}

/** SQLite accepts an offset only after a limit, so this limit stands for no limit. */
const ALL = sql.lit(2_147_483_647)
