import { notFound } from '@burgee/kit/input/refusals'
import type { ChangeRequestState } from '@burgee/protocol/administration/change-request'
import { Problem } from '@burgee/protocol/problem'
import { type ChangeRow, changesOf } from '../../store/change-requests/changes.ts'
import { type RequestRow, requestById } from '../../store/change-requests/requests.ts'
import type { Reader } from '../../store/database.ts'
import type { NewEvent } from '../../store/events/events.ts'
import type { Actor } from '../access/rights/rights.ts'

/** States of what is still to be decided or done. */
export const OPEN_STATES: readonly ChangeRequestState[] = ['Draft', 'In review', 'Approved', 'Scheduled']

/** Whether something is still to be decided or done. */
export function isOpen({ state }: Pick<RequestRow, 'state'>): boolean {
  return OPEN_STATES.includes(state)
}

/** A change request of a project. */
export interface RequestRef {
  readonly project: string
  readonly id: number
}

/** An act on a change request, by somebody. */
export interface RequestAct extends RequestRef {
  readonly actor: Actor & { readonly user: NonNullable<Actor['user']> }
}

/** A person who acts. Throws InvalidOperationError for API tokens: whoever proposes or approves is somebody. */
export function personActing(actor: Actor): RequestAct['actor'] {
  const { user } = actor
  if (user !== undefined) return { ...actor, user }
  const message = 'Only a person can do this: who proposes and who approves must be somebody, and not the same one.'
  throw new Problem('InvalidOperationError', message)
}

/** A change request of that project; drafts are there for their maker only. Throws NotFoundError. */
export async function requireRequest(reader: Reader, { project, id }: RequestRef, asker: number): Promise<RequestRow> {
  const row = await requestById(reader, id)
  if (row !== undefined && row.project === project && isSeenBy(row, asker)) return row
  throw notFound(`There is no change request ${id} in project "${project}".`)
}

/** Who asks, and of which projects they may not know. */
export type Asking = Pick<Actor, 'userId' | 'hidden'>

/** The same, whatever its project. Throws NotFoundError. */
export async function requireKnownRequest(reader: Reader, id: number, { userId, hidden }: Asking): Promise<RequestRow> {
  const row = await requestById(reader, id)
  if (row !== undefined && isSeenBy(row, userId) && hidden?.includes(row.project) !== true) return row
  throw notFound(`There is no change request ${id}.`)
}

/** Whether somebody sees a change request at all. */
export function isSeenBy({ state, created_by_user_id }: RequestRow, asker: number): boolean {
  return state !== 'Draft' || created_by_user_id === asker
}

/** A change of a request. Throws NotFoundError. */
export async function requireChange(
  reader: Reader,
  { id }: Pick<RequestRow, 'id'>,
  change: number,
): Promise<ChangeRow> {
  const found = (await changesOf(reader, [id])).find((row) => row.id === change)
  if (found !== undefined) return found
  throw notFound(`There is no change ${change} in the change request ${id}.`)
}

/** Refuses everybody but who made it. Throws NoAccessError. */
export function requireOwn({ created_by_user_id, id }: RequestRow, { userId }: Pick<Actor, 'userId'>): void {
  if (created_by_user_id === userId) return
  const message = `Only who made the change request ${id} may do this.`
  throw new Problem('NoAccessError', message)
}

/** The event of a change request. */
export function requestEvent(
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
    ...{ type, project, environment },
    ...(featureName === undefined ? {} : { featureName }),
    data: { changeRequestId: id, changeRequestTitle: title, ...data },
    ...(preData === undefined ? {} : { preData }),
  }
}
