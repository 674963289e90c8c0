import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Schema, Tx } from '../../database.ts'
import { POSTGRES_DDL } from '../../ddl.ts'
import { isHiddenFunction } from './server-identity.ts'

/**
 * Origin of the epoch row: the cluster, timeline, database and transaction in which the row was written. PostgreSQL
 * itself records the actual origin of every row. If the actual origin differs from the stored origin, a restore has
 * rewritten the row, or the row is in a copy of the database.
 */
export interface Origin {
  /** Origin that a row gets if the current transaction writes it. */
  readonly forNewRow: RawBuilder<string>
  /** Actual origin of the stored row. */
  readonly ofStoredRow: RawBuilder<string>
}

/** Reason for starting a new epoch. */
export type NewEpochReason = 'promoted' | 'restored'

/** Log line for each reason. */
export const NEW_EPOCH_MESSAGES: Readonly<Record<NewEpochReason, string>> = {
  promoted:
    'A standby was promoted, or the database was recovered to a point in time, since a server wrote to it: a new epoch has begun, so SDKs and proxies reload everything',
  restored:
    'The database was restored or copied since a server wrote to it: a new epoch has begun, so SDKs and proxies reload everything',
}

const DATABASE = sql`(select oid from pg_database where datname = current_database())`
/**
 * SQL that identifies the cluster and its timeline. The result changes when a cluster is recreated, when it is reset to
 * an earlier time, and when a standby becomes the primary.
 */
const CLUSTER = sql`(select system_identifier from pg_control_system()), left(pg_walfile_name(pg_current_wal_lsn()), 8)`
/** SQL for the current transaction id in the same form as in the column xmin, which has 32 bits. */
const OWN_TRANSACTION = sql`pg_current_xact_id()::text::numeric % 4294967296`

/** SQL for the server's current time in milliseconds, so that epochs of the same cluster can be compared. */
const NOW = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`

/**
 * Returns the time at which the epoch started, in milliseconds. Returns -Infinity if that time is unknown, undefined if
 * there is no epoch.
 */
export async function readEpochBegin(db: Kysely<Schema>): Promise<number | undefined> {
  // also works with tables of an older version, which have no column `begun_at`
  const begun = sql<string | null>`to_jsonb(database_epoch) ->> 'begun_at'`
  const row = await db.selectFrom('database_epoch').select(begun.as('begun')).executeTakeFirst()
  if (row === undefined) return undefined
  return row.begun === null ? Number.NEGATIVE_INFINITY : Number(row.begun)
}

/**
 * Returns the SQL expressions that identify where the epoch row was written: cluster, database and transaction. Omits
 * the cluster on hosted services that hide the functions that identify it.
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

/** Starts a new epoch. */
export async function renewEpoch(tx: Tx, { forNewRow }: Origin): Promise<void> {
  await tx.deleteFrom('database_epoch').execute()
  await tx
    .insertInto('database_epoch')
    .values({ epoch: POSTGRES_DDL.randomHex, origin: forNewRow, begun_at: NOW })
    .execute()
}

/**
 * Starts a new database epoch if the epoch row is missing or has another origin. Returns the reason for the new epoch,
 * or undefined if the existing epoch continues. If the row contains no origin, the database is new: the origin is
 * stored, and the epoch stays the same.
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
 * Returns true if two origins differ only in the timeline. The origin on a promoted standby is the same as on the
 * former primary, except for the timeline.
 */
function isPromotion(before: string, now: string): boolean {
  const [cluster, timeline, ...rest] = before.split('/')
  const [clusterNow, timelineNow, ...restNow] = now.split('/')
  return cluster === clusterNow && timeline !== timelineNow && rest.join('/') === restNow.join('/')
}
