import type { Insertable, Selectable } from 'kysely'
import { chunks } from '../../chunks.ts'
import type { Reader, Schema, Tx } from '../../database.ts'
import type { AppliedRecord } from './change-request-tables.ts'

/** A change within a change request. */
export type ChangeRow = Selectable<Schema['change_request_changes']>

/** Change in the form that lists contain, without its base. The payload is included only on request. */
export type ChangeSummaryRow = Omit<ChangeRow, 'base' | 'payload'> & { readonly payload?: unknown }

const SUMMARY_COLUMNS = [
  ...(['id', 'request_id', 'feature_name', 'segment_id', 'segment_name', 'action'] as const),
  ...(['created_by_user_id', 'created_by', 'created_at'] as const),
]

/**
 * Returns the changes of the given change requests in short form, in the order in which they were added. Includes the
 * payloads if `isWhole` is true.
 */
export async function listChangeSummaries(
  reader: Reader,
  ids: readonly number[],
  isWhole: boolean,
): Promise<ChangeSummaryRow[]> {
  const found: ChangeSummaryRow[] = []
  for (const part of chunks(ids)) {
    const query = reader
      .selectFrom('change_request_changes')
      .select(SUMMARY_COLUMNS)
      .where('request_id', 'in', part)
      .orderBy('id')
    found.push(...(await (isWhole ? query.select('payload') : query).execute()))
  }
  return found
}

/**
 * Returns the distinct names of the flags and segments that change requests would change, ordered by the first change
 * to each.
 */
export async function listChangedNames(
  reader: Reader,
  ids: readonly number[],
): Promise<Pick<ChangeRow, 'request_id' | 'feature_name' | 'segment_name'>[]> {
  const found: Pick<ChangeRow, 'request_id' | 'feature_name' | 'segment_name'>[] = []
  for (const part of chunks(ids)) {
    const rows = await reader
      .selectFrom('change_request_changes')
      .select(['request_id', 'feature_name', 'segment_name'])
      .where('request_id', 'in', part)
      .groupBy(['request_id', 'feature_name', 'segment_name'])
      .orderBy(({ fn }) => fn.min('id'))
      .execute()
    found.push(...rows)
  }
  return found
}

/** Returns the changes of change requests, in the order in which they were added. */
export async function listChanges(reader: Reader, ids: readonly number[]): Promise<ChangeRow[]> {
  const found: ChangeRow[] = []
  for (const part of chunks(ids)) {
    const query = reader.selectFrom('change_request_changes').selectAll().where('request_id', 'in', part)
    found.push(...(await query.orderBy('id').execute()))
  }
  return found
}

/** Inserts a change into a change request and returns its id. */
export async function insertChange(tx: Tx, { payload, base, ...row }: Omit<ChangeRow, 'id'>): Promise<number> {
  const values: Insertable<Schema['change_request_changes']> = { ...row, ...toJsonColumns({ payload, base }) }
  const { id } = await tx.insertInto('change_request_changes').values(values).returning('id').executeTakeFirstOrThrow()
  return id
}

/** Replaces the action of a change, and the base on which it was proposed. */
export async function updateChange(
  tx: Tx,
  id: number,
  { action, segment_name, ...json }: Pick<ChangeRow, 'action' | 'payload' | 'base' | 'segment_name'>,
): Promise<void> {
  await tx
    .updateTable('change_request_changes')
    .set({ action, segment_name, ...toJsonColumns(json) })
    .where('id', '=', id)
    .execute()
}

/** Stores the state from before a request was applied, together with one of its changes. */
export async function storeApplied(tx: Tx, { id, base }: Pick<ChangeRow, 'id' | 'base'>, applied: AppliedRecord) {
  await tx
    .updateTable('change_request_changes')
    .set({ base: JSON.stringify({ ...base, applied }) })
    .where('id', '=', id)
    .execute()
}

/** Deletes a change from its change request. */
export async function deleteChange(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('change_request_changes').where('id', '=', id).execute()
}

/** Returns other scheduled change requests that change one of the given flags in the same environment. */
export async function listOtherSchedules(
  reader: Reader,
  { id, environment, features }: { id: number; environment: string; features: readonly string[] },
): Promise<{ id: number; title: string; feature: string }[]> {
  const found: { id: number; title: string; feature: string }[] = []
  for (const part of chunks(features)) {
    const rows = await reader
      .selectFrom('change_requests as r')
      .innerJoin('change_request_changes as c', 'c.request_id', 'r.id')
      .select(['r.id', 'r.title', 'c.feature_name'])
      .distinct()
      .where('r.schedule_status', '=', 'pending')
      .where('r.environment', '=', environment)
      .where('r.id', '!=', id)
      .where('c.feature_name', 'in', part)
      .orderBy('r.id')
      .execute()
    for (const { feature_name, ...row } of rows) found.push({ ...row, feature: feature_name ?? '' })
  }
  return found
}

function toJsonColumns({ payload, base }: Pick<ChangeRow, 'payload' | 'base'>) {
  return { payload: JSON.stringify(payload), base: JSON.stringify(base) }
}
