import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Schema, Tx } from '../../database.ts'
import { POSTGRES_DDL } from '../../ddl.ts'
import { isHiddenFunction } from './server-identity.ts'

/**
 * Origin of the epoch row: the cluster, timeline, database and transaction in which it was written. PostgreSQL knows
 * the actual origin of every row. If the actual origin differs from the stored origin, a restore has rewritten the row,
 * or the row belongs to a copy of the database.
 */
export interface Origin {
  /** Origin of a row that the running transaction writes. */
  readonly forNewRow: RawBuilder<string>
  /** Actual origin of the stored row. */
  readonly ofStoredRow: RawBuilder<string>
}

/** Reason for a new epoch. */
export type NewEpochReason = 'promoted' | 'restored'

/** Log lines by reason. */
export const NEW_EPOCH_MESSAGES: Readonly<Record<NewEpochReason, string>> = {
  promoted:
    'A standby was promoted, or the database was recovered to a point in time, since a server wrote to it: a new epoch has begun, and SDKs and proxies take what is there now for new',
  restored:
    'The database was restored or copied since a server wrote to it: a new epoch has begun, and SDKs and proxies take what is there now for new',
}

const DATABASE = sql`(select oid from pg_database where datname = current_database())`
/**
 * SQL for the identity of the cluster and its timeline. The identity changes when a cluster is created again, when it
 * is set back to an earlier time, and when a standby becomes the primary server.
 */
const CLUSTER = sql`(select system_identifier from pg_control_system()), left(pg_walfile_name(pg_current_wal_lsn()), 8)`
/** SQL for the transaction id in the form of the column xmin, which has 32 bits. */
const OWN_TRANSACTION = sql`pg_current_xact_id()::text::numeric % 4294967296`

/** SQL for the current time of the server in milliseconds, so that epochs of one cluster can be compared. */
const NOW = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`

/**
 * Returns the time at which the epoch began, in milliseconds. Returns -Infinity if the time is unknown, undefined if
 * there is no epoch.
 */
export async function readEpochBegin(db: Kysely<Schema>): Promise<number | undefined> {
  // also works for tables of an older version that have no column `begun_at`
  const begun = sql<string | null>`to_jsonb(database_epoch) ->> 'begun_at'`
  const row = await db.selectFrom('database_epoch').select(begun.as('begun')).executeTakeFirst()
  if (row === undefined) return undefined
  return row.begun === null ? Number.NEGATIVE_INFINITY : Number(row.begun)
}

/**
 * Returns the parts of the origin that this PostgreSQL server exposes. Some services hide the functions about the
 * cluster.
 */
export async function readOrigin(db: Kysely<Schema>): Promise<Origin> {
  const ofCluster = sql<string>`concat_ws('/', ${CLUSTER}, ${DATABASE}, ${OWN_TRANSACTION})`
  try {
    await sql`select ${ofCluster}`.execute(db)
    return { forNewRow: ofCluster, ofStoredRow: sql`concat_ws('/', ${CLUSTER}, ${DATABASE}, database_epoch.xmin)` }
  } catch (error) {
    if (!isHiddenFunction(error)) throw error
    const ofNew = sql<string>`concat_ws('/', ${DATABASE}, ${OWN_TRANSACTION})`
    return { forNewRow: ofNew, ofStoredRow: sql`concat_ws('/', ${DATABASE}, database_epoch.xmin)` }
  }
}

/** Begins a new epoch. */
export async function renewEpoch(tx: Tx, { forNewRow }: Origin): Promise<void> {
  await tx.deleteFrom('database_epoch').execute()
  await tx
    .insertInto('database_epoch')
    .values({ epoch: POSTGRES_DDL.randomHex, origin: forNewRow, begun_at: NOW })
    .execute()
}

/**
 * Begins a new database epoch if the epoch row is missing or has another origin. Returns the reason, or undefined if
 * the epoch continues. If the row has no origin, the database is new: its origin is recorded and the epoch stays the
 * same.
 */
export async function settleEpoch(tx: Tx, origin: Origin): Promise<NewEpochReason | undefined> {
  const rows = await tx
    .selectFrom('database_epoch')
    .select(['origin', origin.ofStoredRow.as('found')])
    .execute()
  const [row] = rows
  if (row !== undefined && rows.length === 1) {
    if (row.origin === row.found) return undefined
    if (row.origin === null) {
      await tx.updateTable('database_epoch').set({ origin: origin.forNewRow, begun_at: NOW }).execute()
      return undefined
    }
  }
  await renewEpoch(tx, origin)
  return row?.origin !== null && row !== undefined && isPromotion(row.origin, row.found) ? 'promoted' : 'restored'
}

/**
 * Returns true if only the timeline differs. A promoted standby agrees with the former primary in everything except the
 * timeline.
 */
function isPromotion(before: string, now: string): boolean {
  const [cluster, timeline, ...rest] = before.split('/')
  const [clusterNow, timelineNow, ...restNow] = now.split('/')
  return cluster === clusterNow && timeline !== timelineNow && rest.join('/') === restNow.join('/')
}
