import type { SafeguardTrip } from '@burgee/protocol/administration/safeguard'
import { type Selectable, sql } from 'kysely'
import { chunks } from '../../chunks.ts'
import type { Reader, Schema, Tx } from '../../database.ts'

/** Stored safeguard. */
export type SafeguardRow = Selectable<Schema['safeguards']>

/** Lists the safeguards of a flag in an environment, oldest first. */
export function listSafeguards(
  reader: Reader,
  { feature, environment }: { readonly feature: string; readonly environment: string },
): Promise<SafeguardRow[]> {
  return reader
    .selectFrom('safeguards')
    .selectAll()
    .where('feature_name', '=', feature)
    .where('environment', '=', environment)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** Counts the safeguards of all flags, including archived flags. */
export async function countSafeguards(reader: Reader): Promise<number> {
  const count = reader.selectFrom('safeguards').select(({ fn }) => fn.countAll<number>().as('count'))
  return Number((await count.executeTakeFirst())?.count ?? 0)
}

/** Safeguard, with the project of its flag. */
export type SafeguardWithProject = SafeguardRow & { readonly project: string }

/** Returns safeguards by id, with the projects of their flags. Omits safeguards of archived flags. */
export async function findSafeguards(reader: Reader, ids: readonly string[]): Promise<SafeguardWithProject[]> {
  const found: SafeguardWithProject[] = []
  for (const part of chunks(ids)) {
    const rows = await reader
      .selectFrom('safeguards as s')
      .innerJoin('features as f', 'f.name', 's.feature_name')
      .selectAll('s')
      .select('f.project')
      .where('s.id', 'in', part)
      .where('f.archived_at', 'is', null)
      .execute()
    found.push(...rows)
  }
  return found
}

/** Returns the armed safeguards that wait for an alert with one of the given names. */
export async function listAlertedSafeguards(
  reader: Reader,
  names: readonly string[],
  limit: number,
): Promise<SafeguardWithProject[]> {
  if (names.length === 0) return []
  return reader
    .selectFrom('safeguards as s')
    .innerJoin('features as f', 'f.name', 's.feature_name')
    .selectAll('s')
    .select('f.project')
    .where('s.alert_name', 'in', [...names])
    .where('s.trip', 'is', null)
    .where('f.archived_at', 'is', null)
    .orderBy('s.id')
    .limit(limit)
    .execute()
}

/** Interval between regular checks of a safeguard, in milliseconds. */
export const CHECK_INTERVAL_MS = 60_000

/**
 * Returns the ids of safeguards that are due for a check. A check time in the far future also counts as due, because it
 * shows that the clock was set back after the time was stored.
 */
export async function listDueSafeguards(reader: Reader, now: number, limit: number): Promise<string[]> {
  const rows = await reader
    .selectFrom('safeguards')
    .select('id')
    .where(({ or, eb }) => or([eb('check_at', '<=', now), eb('check_at', '>', now + 2 * CHECK_INTERVAL_MS)]))
    .orderBy('check_at')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Returns the time of the next check; undefined if no safeguard is checked. */
export async function findNextCheckAt(reader: Reader): Promise<number | undefined> {
  const row = await reader
    .selectFrom('safeguards')
    .select(({ fn }) => fn.min<number | null>('check_at').as('at'))
    .executeTakeFirst()
  return row?.at === null || row?.at === undefined ? undefined : Number(row.at)
}

/**
 * Claims due checks for this node by setting the time of the following check. Returns the ids that no other node has
 * already claimed.
 */
export async function claimSafeguards(tx: Tx, ids: readonly string[], now: number): Promise<string[]> {
  const claimed: string[] = []
  for (const part of chunks(ids)) {
    const rows = await tx
      .updateTable('safeguards')
      .set({ check_at: now + CHECK_INTERVAL_MS })
      .where('id', 'in', part)
      .where(({ or, eb }) => or([eb('check_at', '<=', now), eb('check_at', '>', now + 2 * CHECK_INTERVAL_MS)]))
      .returning('id')
      .execute()
    claimed.push(...rows.map(({ id }) => id))
  }
  return claimed
}

/**
 * Minimum time between two checks of a safeguard, in milliseconds. A safeguard may trip later by this time, because a
 * check can run just before a report is written.
 */
const MIN_CHECK_GAP_MS = 3000
/** Maximum time by which a check can be moved forward. */
const MAX_ADVANCE_MS = CHECK_INTERVAL_MS - MIN_CHECK_GAP_MS
/** Maximum number of checks that one report can bring forward; this limits the work that frequent reports cause. */
const MAX_ADVANCED_CHECKS = 100

/** Metrics that were reported for an environment. */
export interface ReportedMetrics {
  readonly environment: string
  /** Metric names without the metric type. */
  readonly names: readonly string[]
}

/**
 * Returns the ids of armed safeguards that check a reported metric and whose next check is not due soon. Omits
 * safeguards that count values only from a later time.
 */
export async function listAdvanceableSafeguards(
  reader: Reader,
  { environment, names }: ReportedMetrics,
  now: number,
): Promise<string[]> {
  const ids: string[] = []
  for (const part of chunks(names)) {
    const rows = await reader
      .selectFrom('safeguards')
      .select('id')
      .where('environment', '=', environment)
      .where('metric_name', 'in', part)
      .where('armed_at', '<=', now)
      .where('check_at', '>', now + MIN_CHECK_GAP_MS)
      .orderBy('check_at')
      .limit(MAX_ADVANCED_CHECKS)
      .execute()
    ids.push(...rows.map(({ id }) => id))
  }
  return ids.slice(0, MAX_ADVANCED_CHECKS)
}

/** Moves checks forward to now, or to the earliest time that the minimum time between checks allows. */
export async function advanceChecks(tx: Tx, ids: readonly string[], now: number): Promise<void> {
  const earliest = sql<number>`check_at - ${sql.lit(MAX_ADVANCE_MS)}`
  await tx
    .updateTable('safeguards')
    .set(({ eb, val }) => ({
      check_at: eb.case().when(earliest, '>', now).then(earliest).else(val(now)).end(),
    }))
    .where('id', 'in', [...ids])
    .where('check_at', '>', now + MIN_CHECK_GAP_MS)
    .execute()
}

/** Result of a check that did not trip the safeguard. */
export interface CheckState {
  readonly id: string
  readonly armed_at: number
  readonly held: 0 | 1
  readonly breached_since: number | null
}

/** Stores the result of a check, unless the safeguard has tripped or was armed again after `armedAt`. */
export async function updateCheckState(
  tx: Tx,
  { id, armed_at, held, breached_since }: CheckState,
  armedAt: number,
): Promise<void> {
  await tx
    .updateTable('safeguards')
    .set({ armed_at, held, breached_since })
    .where('id', '=', id)
    .where('armed_at', '=', armedAt)
    .where('trip', 'is', null)
    .execute()
}

/** Inserts a safeguard, or replaces the safeguard with the same id. */
export async function putSafeguard(tx: Tx, row: SafeguardRow): Promise<void> {
  const values = {
    ...row,
    definition: JSON.stringify(row.definition),
    trip: row.trip === null ? null : JSON.stringify(row.trip),
  }
  const { id: _id, created_at: _at, created_by_user_id: _by, ...changed } = values
  await tx
    .insertInto('safeguards')
    .values(values)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(changed))
    .execute()
}

/**
 * Records that a safeguard has tripped. A tripped safeguard is no longer checked, and no longer prevents its plan from
 * continuing.
 */
export async function storeTrip(tx: Tx, id: string, trip: SafeguardTrip): Promise<void> {
  await tx
    .updateTable('safeguards')
    .set({ trip: JSON.stringify(trip), check_at: null, breached_since: null, held: 0 })
    .where('id', '=', id)
    .execute()
}

/** Deletes a safeguard. */
export async function deleteSafeguard(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('safeguards').where('id', '=', id).execute()
}
