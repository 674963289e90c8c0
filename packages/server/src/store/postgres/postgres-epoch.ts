import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Schema, Tx } from '../database.ts'
import { POSTGRES_DDL } from '../ddl.ts'
import { isHidden } from './server-identity.ts'

/**
 * Where the row of the epoch was written: cluster, timeline, database, transaction. PostgreSQL knows all of them of a
 * row by itself, so that a row which says otherwise was written again by a restore, or came here in a copy of its
 * database.
 */
export interface Origin {
  /** Of a row that the running transaction writes. */
  readonly ofNew: RawBuilder<string>
  /** Of the row of the table. */
  readonly ofStored: RawBuilder<string>
}

/** Why a new epoch has begun. */
export type NewLife = 'promoted' | 'restored'

/** What the log says then. */
export const NEW_LIFE: Readonly<Record<NewLife, string>> = {
  promoted:
    'A standby was promoted, or the database was recovered to a point in time, since a server wrote to it: a new epoch has begun, and SDKs and proxies take what is there now for new',
  restored:
    'The database was restored or copied since a server wrote to it: a new epoch has begun, and SDKs and proxies take what is there now for new',
}

const DATABASE = sql`(select oid from pg_database where datname = current_database())`
/** Changes when a cluster is made anew; and when one is set back to an earlier time, or a standby takes over. */
const CLUSTER = sql`(select system_identifier from pg_control_system()), left(pg_walfile_name(pg_current_wal_lsn()), 8)`
/** As in the column xmin, which has 32 bits. */
const OWN_TRANSACTION = sql`pg_current_xact_id()::text::numeric % 4294967296`

/** By the clock of the server, so that epochs of one cluster can be compared. */
const NOW = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`

/** Returns when the epoch began, as `begun_at`; -Infinity if that is unknown, undefined if there is no epoch. */
export async function epochBegin(db: Kysely<Schema>): Promise<number | undefined> {
  // also for tables of a version that did not have the column
  const begun = sql<string | null>`to_jsonb(database_epoch) ->> 'begun_at'`
  const row = await db.selectFrom('database_epoch').select(begun.as('begun')).executeTakeFirst()
  if (row === undefined) return undefined
  return row.begun === null ? Number.NEGATIVE_INFINITY : Number(row.begun)
}

/** What this PostgreSQL lets us know: some services keep the functions about the cluster to themselves. */
export async function knownOrigin(db: Kysely<Schema>): Promise<Origin> {
  const ofCluster = sql<string>`concat_ws('/', ${CLUSTER}, ${DATABASE}, ${OWN_TRANSACTION})`
  try {
    await sql`select ${ofCluster}`.execute(db)
    return { ofNew: ofCluster, ofStored: sql`concat_ws('/', ${CLUSTER}, ${DATABASE}, database_epoch.xmin)` }
  } catch (error) {
    if (!isHidden(error)) throw error
    const ofNew = sql<string>`concat_ws('/', ${DATABASE}, ${OWN_TRANSACTION})`
    return { ofNew, ofStored: sql`concat_ws('/', ${DATABASE}, database_epoch.xmin)` }
  }
}

/** Begins a new life. */
export async function renewEpoch(tx: Tx, { ofNew }: Origin): Promise<void> {
  await tx.deleteFrom('database_epoch').execute()
  await tx.insertInto('database_epoch').values({ epoch: POSTGRES_DDL.dice, origin: ofNew, begun_at: NOW }).execute()
}

/**
 * Begins a new life where the row of the epoch is missing or comes from elsewhere, and answers why; undefined where the
 * life goes on. A row whose origin was never noted is that of a new database, and keeps its epoch.
 */
export async function settleEpoch(tx: Tx, origin: Origin): Promise<NewLife | undefined> {
  const rows = await tx
    .selectFrom('database_epoch')
    .select(['origin', origin.ofStored.as('found')])
    .execute()
  const [row] = rows
  if (row !== undefined && rows.length === 1) {
    if (row.origin === row.found) return undefined
    if (row.origin === null) {
      await tx.updateTable('database_epoch').set({ origin: origin.ofNew, begun_at: NOW }).execute()
      return undefined
    }
  }
  await renewEpoch(tx, origin)
  return row?.origin !== null && row !== undefined && isPromotion(row.origin, row.found) ? 'promoted' : 'restored'
}

/** True if only the timeline differs: a standby has everything else from the primary before. */
function isPromotion(before: string, now: string): boolean {
  const [cluster, timeline, ...rest] = before.split('/')
  const [clusterNow, timelineNow, ...restNow] = now.split('/')
  return cluster === clusterNow && timeline !== timelineNow && rest.join('/') === restNow.join('/')
}
