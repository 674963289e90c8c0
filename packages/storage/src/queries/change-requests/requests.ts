import type { ChangeRequestState } from '@burgee/protocol/administration/change-request'
import type { Insertable, Selectable } from 'kysely'
import type { Reader, Schema, Tx } from '../../database.ts'
import type { ProjectEnvironmentKey } from '../projects/environments.ts'

/** Change request without its changes. */
export type RequestRow = Selectable<Schema['change_requests']>

/** Returns a change request by id. */
export function findRequestById(reader: Reader, id: number): Promise<RequestRow | undefined> {
  return reader.selectFrom('change_requests').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Returns the draft of a user in an environment of a project. */
export function findDraft(
  reader: Reader,
  { project, environment }: ProjectEnvironmentKey,
  userId: number,
): Promise<RequestRow | undefined> {
  return reader
    .selectFrom('change_requests')
    .selectAll()
    .where('project', '=', project)
    .where('state', '=', 'Draft')
    .where('environment', '=', environment)
    .where('created_by_user_id', '=', userId)
    .orderBy('id')
    .executeTakeFirst()
}

/** Filter for change requests; an omitted field matches everything. */
export interface RequestFilter {
  readonly project?: string
  readonly states?: readonly ChangeRequestState[]
  readonly createdBy?: number
  /** Flag that the change request changes. */
  readonly feature?: string
  readonly environment?: string
}

/** Returns the change requests that match a filter, newest first. Includes drafts only if the user is their author. */
export function listRequestRows(
  reader: Reader,
  { project, states, createdBy, feature, environment }: RequestFilter,
  { asker, limit }: { readonly asker: number; readonly limit: number },
): Promise<RequestRow[]> {
  let query = reader
    .selectFrom('change_requests')
    .selectAll()
    .where((eb) => eb.or([eb('state', '!=', 'Draft'), eb('created_by_user_id', '=', asker)]))
  if (project !== undefined) query = query.where('project', '=', project)
  if (states !== undefined) query = query.where('state', 'in', states)
  if (createdBy !== undefined) query = query.where('created_by_user_id', '=', createdBy)
  if (environment !== undefined) query = query.where('environment', '=', environment)
  if (feature !== undefined) {
    query = query.where('id', 'in', (eb) =>
      eb.selectFrom('change_request_changes').select('request_id').where('feature_name', '=', feature),
    )
  }
  return query.orderBy('id', 'desc').limit(limit).execute()
}

/** Counts the change requests of a project by state. */
export async function countByState(reader: Reader, project: string): Promise<Map<ChangeRequestState, number>> {
  const rows = await reader
    .selectFrom('change_requests')
    .select(({ fn }) => ['state', fn.countAll<number>().as('count')])
    .where('project', '=', project)
    .groupBy('state')
    .execute()
  return new Map(rows.map(({ state, count }) => [state, Number(count)]))
}

/** Returns the scheduled change requests that are due, earliest first. */
export function listDueRequests(reader: Reader, now: number, limit: number): Promise<RequestRow[]> {
  return reader
    .selectFrom('change_requests')
    .selectAll()
    .where('schedule_status', '=', 'pending')
    .where('scheduled_at', '<=', now)
    .orderBy('scheduled_at')
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Returns the time of the next scheduled change request; undefined if none is scheduled. */
export async function findNextDueAt(reader: Reader): Promise<number | undefined> {
  const row = await reader
    .selectFrom('change_requests')
    .select(({ fn }) => fn.min<number | null>('scheduled_at').as('at'))
    .where('schedule_status', '=', 'pending')
    .executeTakeFirst()
  return row?.at ?? undefined
}

/** Inserts a change request and returns its id. */
export async function insertRequest(tx: Tx, row: Omit<Insertable<Schema['change_requests']>, 'id'>): Promise<number> {
  const { id } = await tx.insertInto('change_requests').values(row).returning('id').executeTakeFirstOrThrow()
  return id
}

/** Columns of a change request that may be updated. */
export type RequestChange = Partial<
  Pick<
    RequestRow,
    | 'title'
    | 'state'
    | 'state_times'
    | 'scheduled_at'
    | 'scheduled_by_user_id'
    | 'schedule_status'
    | 'schedule_reason'
    | 'from_files'
  >
>

/** Column values that cancel the schedule of a change request. */
export const UNSCHEDULED = {
  scheduled_at: null,
  scheduled_by_user_id: null,
  schedule_status: null,
  schedule_reason: null,
} as const

/** Updates columns of a change request. */
export async function updateRequest(tx: Tx, id: number, { state_times, ...columns }: RequestChange): Promise<void> {
  const times = state_times === undefined ? {} : { state_times: JSON.stringify(state_times) }
  await tx
    .updateTable('change_requests')
    .set({ ...columns, ...times })
    .where('id', '=', id)
    .execute()
}

/** Deletes a change request with its changes, reviews and comments. */
export async function deleteRequest(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('change_requests').where('id', '=', id).execute()
}
