import { notFound } from '@burgee/kit/input/refusals'
import type { ChangeRequestState } from '@burgee/protocol/administration/change-request'
import { Problem } from '@burgee/protocol/problem'
import type { Reader } from '@burgee/storage/database'
import { type ChangeRow, listChanges } from '@burgee/storage/queries/change-requests/changes'
import { findRequestById, type RequestRow } from '@burgee/storage/queries/change-requests/requests'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import type { Actor } from '../../core/access/rights/rights.ts'

/** States in which requests count as open. */
export const OPEN_STATES: readonly ChangeRequestState[] = ['Draft', 'In review', 'Approved', 'Scheduled']

/** Returns true if a request is not closed. */
export function isOpen({ state }: Pick<RequestRow, 'state'>): boolean {
  return OPEN_STATES.includes(state)
}

/** Change request of a project. */
export interface RequestRef {
  readonly project: string
  readonly id: number
}

/** Action of a user on a change request, with the context of the action. */
export interface RequestAct extends RequestRef {
  readonly actor: Actor & { readonly user: NonNullable<Actor['user']> }
}

/**
 * Returns the actor if it is a person. Throws InvalidOperationError for API tokens, because proposals and approvals
 * must come from two different people.
 */
export function requirePerson(actor: Actor): RequestAct['actor'] {
  const { user } = actor
  if (user !== undefined) return { ...actor, user }
  const message = 'Only users can do this: a change request must be proposed and approved by two different users.'
  throw new Problem('InvalidOperationError', message)
}

/** Returns a change request of a project. Returns a draft only to its author. Throws NotFoundError. */
export async function requireRequest(reader: Reader, { project, id }: RequestRef, asker: number): Promise<RequestRow> {
  const row = await findRequestById(reader, id)
  if (row !== undefined && row.project === project && isVisibleTo(row, asker)) return row
  throw notFound(`There is no change request ${id} in project "${project}".`)
}

/** User who views change requests, and the projects that are hidden from this user. */
export type RequestViewer = Pick<Actor, 'userId' | 'hidden'>

/**
 * Returns a change request of any project that the caller may see. Returns a draft only to its author. Throws
 * NotFoundError.
 */
export async function requireVisibleRequest(
  reader: Reader,
  id: number,
  { userId, hidden }: RequestViewer,
): Promise<RequestRow> {
  const row = await findRequestById(reader, id)
  if (row !== undefined && isVisibleTo(row, userId) && hidden?.includes(row.project) !== true) return row
  throw notFound(`There is no change request ${id}.`)
}

/** Returns true if a user may see a change request. */
export function isVisibleTo({ state, created_by_user_id }: RequestRow, asker: number): boolean {
  return state !== 'Draft' || created_by_user_id === asker
}

/** Returns one of the changes that a request contains. Throws NotFoundError. */
export async function requireChange(
  reader: Reader,
  { id }: Pick<RequestRow, 'id'>,
  change: number,
): Promise<ChangeRow> {
  const found = (await listChanges(reader, [id])).find((row) => row.id === change)
  if (found !== undefined) return found
  throw notFound(`There is no change ${change} in the change request ${id}.`)
}

/** Throws NoAccessError unless the user is the author of the request. */
export function requireAuthor({ created_by_user_id, id }: RequestRow, { userId }: Pick<Actor, 'userId'>): void {
  if (created_by_user_id === userId) return
  const message = `Only the creator of the change request ${id} may do this.`
  throw new Problem('NoAccessError', message)
}

/** Creates an event of a change request. */
export function buildRequestEvent(
  type: NewEvent['type'],
  { project, environment, id, title }: Pick<RequestRow, 'project' | 'environment' | 'id' | 'title'>,
  states: {
    readonly data?: Readonly<Record<string, unknown>>
    readonly preData?: unknown
    readonly featureName?: string | undefined
  } = {},
): NewEvent {
  const { data = {}, preData, featureName } = states
  return {
    type,
    project,
    environment,
    ...(featureName === undefined ? {} : { featureName }),
    data: { changeRequestId: id, changeRequestTitle: title, ...data },
    ...(preData === undefined ? {} : { preData }),
  }
}
