import type { ChangeRequestState } from '@burgee/protocol/administration/change-request'
import type { Insertable, Selectable } from 'kysely'
import type { Reader, Schema, Tx } from '../database.ts'
import type { ProjectPlace } from '../projects/environments.ts'

/** A change request, without what it holds. */
export type RequestRow = Selectable<Schema['change_requests']>

/** A change request by id. */
export function requestById(reader: Reader, id: number): Promise<RequestRow | undefined> {
  return reader.selectFrom('change_requests').selectAll().where('id', '=', id).executeTakeFirst()
}

/** The draft of a person in an environment of a project. */
export function draftOf(
  reader: Reader,
  { project, environment }: ProjectPlace,
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

/** Which change requests are read; what is left out does not matter. */
export interface RequestFilter {
  readonly project?: string
  readonly states?: readonly ChangeRequestState[]
  readonly createdBy?: number
  /** With a change of this flag. */
  readonly feature?: string
  readonly environment?: string
}

/** Change requests, newest first; drafts only of the person who asks. */
export function requestsWhere(
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

/** How many change requests of a project are in each state. */
export async function countByState(reader: Reader, project: string): Promise<Map<ChangeRequestState, number>> {
  const rows = await reader
    .selectFrom('change_requests')
    .select(({ fn }) => ['state', fn.countAll<number>().as('count')])
    .where('project', '=', project)
    .groupBy('state')
    .execute()
  return new Map(rows.map(({ state, count }) => [state, Number(count)]))
}

/** Those whose time has come, the earliest first. */
export function dueRequests(reader: Reader, now: number, limit: number): Promise<RequestRow[]> {
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

/** When the next one is due; undefined where none is. */
export async function nextDueAt(reader: Reader): Promise<number | undefined> {
  const row = await reader
    .selectFrom('change_requests')
    .select(({ fn }) => fn.min<number | null>('scheduled_at').as('at'))
    .where('schedule_status', '=', 'pending')
    .executeTakeFirst()
  return row?.at ?? undefined
}

/** Adds a change request; its id. */
export async function insertRequest(tx: Tx, row: Omit<Insertable<Schema['change_requests']>, 'id'>): Promise<number> {
  const { id } = await tx.insertInto('change_requests').values(row).returning('id').executeTakeFirstOrThrow()
  return id
}

/** What changes of a change request. */
export type RequestChange = Partial<
  Pick<
    RequestRow,
    'title' | 'state' | 'state_times' | 'scheduled_at' | 'scheduled_by_user_id' | 'schedule_status' | 'schedule_reason'
  >
>

/** A change request without a time. */
export const UNSCHEDULED = {
  scheduled_at: null,
  scheduled_by_user_id: null,
  schedule_status: null,
  schedule_reason: null,
} as const

/** Changes columns of a change request. */
export async function updateRequest(tx: Tx, id: number, { state_times, ...columns }: RequestChange): Promise<void> {
  const times = state_times === undefined ? {} : { state_times: JSON.stringify(state_times) }
  await tx
    .updateTable('change_requests')
    .set({ ...columns, ...times })
    .where('id', '=', id)
    .execute()
}

/** Removes a change request with all it holds. */
export async function deleteRequest(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('change_requests').where('id', '=', id).execute()
}
