import { invalid, notFound } from '@burgee/kit/input/refusals'
import type { ChangeEdit, ChangeInput } from '@burgee/protocol/administration/change-request'
import { Problem } from '@burgee/protocol/problem'
import {
  type ChangeRow,
  changesOf,
  deleteChange,
  insertChange,
  updateChange,
} from '../../store/change-requests/changes.ts'
import { dropOpinions } from '../../store/change-requests/opinions.ts'
import {
  deleteRequest,
  draftOf,
  insertRequest,
  type RequestRow,
  requestsWhere,
  UNSCHEDULED,
  updateRequest,
} from '../../store/change-requests/requests.ts'
import type { Reader, Tx } from '../../store/database.ts'
import type { NewEvent } from '../../store/events/events.ts'
import type { ProjectPlace } from '../../store/projects/environments.ts'
import type { Change, Moment } from '../execute.ts'
import { bytesOf } from '../storage-budget.ts'
import { requireSegment } from '../targeting/segments.ts'
import { checkedChange, isOfSegment, type Proposed } from './actions.ts'
import { baseOf, subjectOf, withUsed } from './bases.ts'
import { shortened, toldEdit } from './edit-events.ts'
import { requirePlaceToPropose } from './proposers.ts'
import {
  isOpen,
  OPEN_STATES,
  type RequestAct,
  requestEvent,
  requireChange,
  requireOwn,
  requireRequest,
} from './request-ref.ts'

const MOST_CHANGES = 500
/** Maximum total length of a request's payloads, as JSON. */
const MOST_CHARACTERS = 1_000_000
/** Maximum number of open requests per user and environment, including drafts. */
const MOST_OPEN = 200

/** Proposed changes with their author, project and environment. */
export interface Proposal extends ProjectPlace {
  readonly actor: RequestAct['actor']
  readonly changes: readonly ChangeInput[]
}

/**
 * Adds changes to the user's draft for an environment, creating the draft if necessary, and returns its id. Each change
 * records the state that it was proposed against. Throws NotFoundError, NoAccessError, ValidationError,
 * InvalidOperationError.
 */
export const proposeChanges: Change<Proposal, number> = async (tx, { actor, changes, ...place }, moment) => {
  await requirePlaceToPropose(tx, actor, place)
  const checked = changes.map(checkedChange)
  const { request, events } = await ownDraft(tx, place, actor, moment)
  const held = await changesOf(tx, [request.id])
  if (held.length + checked.length > MOST_CHANGES)
    throw invalid(`A change request holds ${MOST_CHANGES} changes at most`)
  refuseTooLong([...held, ...checked])
  const added: NewEvent[] = []
  let stores = 0
  for (const change of checked) {
    const about = await aboutOf(tx, change, { ...place, actor })
    const { action, payload } = change
    stores += bytesOf(payload) + bytesOf(about.base)
    const id = await insertChange(tx, {
      ...{ request_id: request.id, ...about, action, payload },
      ...{ created_by_user_id: actor.userId, created_by: actor.name, created_at: moment.now },
    })
    const featureName = about.feature_name ?? undefined
    added.push(requestEvent('change-added', request, { data: told(request, { id, action, payload }), featureName }))
  }
  return { result: request.id, events: [...events, ...added], stores }
}

/** Returns a change in the form used in events. The payload is omitted for drafts, which only their author may see. */
function told(
  { state }: Pick<RequestRow, 'state'>,
  { id, action, payload }: Pick<ChangeRow, 'id' | 'action' | 'payload'>,
) {
  return { changeId: id, action, ...(state === 'Draft' ? {} : { payload }) }
}

function refuseTooLong(changes: readonly { readonly payload: unknown }[]): void {
  const characters = changes.reduce((sum, { payload }) => sum + JSON.stringify(payload ?? null).length, 0)
  if (characters <= MOST_CHARACTERS) return
  const message = `A change request holds payloads of ${MOST_CHARACTERS} characters at most, and would hold ${characters}`
  throw invalid(message, 'body/payload')
}

async function ownDraft(tx: Tx, place: ProjectPlace, actor: RequestAct['actor'], moment: Moment) {
  const found = await draftOf(tx, place, actor.userId)
  if (found !== undefined) return { request: found, events: [] }
  await requireRoom(tx, place, actor.userId)
  const row = {
    ...{ ...place, state: 'Draft' as const, state_times: JSON.stringify({ Draft: moment.now }) },
    ...{ created_by_user_id: actor.userId, created_by: actor.name, created_at: moment.now, title: '' },
    ...UNSCHEDULED,
  }
  const id = await insertRequest(tx, row)
  const title = `Change request #${id}`
  await updateRequest(tx, id, { title })
  const request: RequestRow = { ...row, id, title, state_times: { Draft: moment.now } }
  return { request, events: [requestEvent('change-request-created', request)] }
}

async function requireRoom(reader: Reader, place: ProjectPlace, userId: number): Promise<void> {
  const open = await requestsWhere(
    reader,
    { ...place, createdBy: userId, states: OPEN_STATES },
    { asker: userId, limit: MOST_OPEN },
  )
  if (open.length < MOST_OPEN) return
  const message = `You have ${MOST_OPEN} open change requests in "${place.environment}": end some of them first.`
  throw new Problem('InvalidOperationError', message)
}

/** Returns the flag or segment that a change affects, and its current state. Throws NotFoundError. */
async function aboutOf(
  tx: Tx,
  { feature, action, payload }: Proposed & { readonly feature: string | null },
  place: ProjectPlace & Pick<RequestAct, 'actor'>,
) {
  const about = isOfSegment(action)
    ? await segmentNamed(tx, payload, place.actor)
    : { feature_name: feature, segment_id: null, segment_name: null }
  const { environment } = place
  const base = await withUsed(tx, await baseOf(tx, subjectOf(about, environment)), { action, payload, environment })
  const isElsewhere = base !== undefined && 'project' in base && base.project !== place.project
  if (base === undefined || isElsewhere) throw notFound(`There is no flag "${feature}" in project "${place.project}".`)
  if ('archived' in base && base.archived) throw notFound(`The flag "${feature}" is archived.`)
  return { ...about, base }
}

async function segmentNamed(reader: Reader, payload: unknown, { hidden }: RequestAct['actor']) {
  const { id, name } = await requireSegment(reader, (payload as { readonly id: number }).id, hidden)
  return { feature_name: null, segment_id: id, segment_name: name }
}

/**
 * Replaces a proposed change, and records the current state of its flag as the base of the new one. Drops approvals,
 * because no one has reviewed the new change. Throws NotFoundError, NoAccessError, ValidationError, ConflictError if
 * the request is closed.
 */
export const editChange: Change<RequestAct & { change: number; body: ChangeEdit }, void> = async (
  tx,
  { change: id, body, ...act },
  moment,
) => {
  const request = await requireEditable(tx, act)
  const before = await requireChange(tx, request, id)
  const checked = checkedChange({ action: body.action, payload: body.payload, feature: before.feature_name })
  if (isOfSegment(body.action) !== (before.feature_name === null)) throw sameSubject()
  const about = await aboutOf(tx, checked, { ...request, actor: act.actor })
  if (about.segment_id !== before.segment_id) throw sameSubject()
  const { action, payload } = checked
  const others = (await changesOf(tx, [request.id])).filter((one) => one.id !== id)
  refuseTooLong([...others, checked])
  await updateChange(tx, id, { action, payload, base: about.base, segment_name: about.segment_name })
  await dropReview(tx, request, moment)
  const states = toldEdit(told(request, before), told(request, { id, action, payload }))
  const event = requestEvent('change-edited', request, { ...states, featureName: before.feature_name ?? undefined })
  return { result: undefined, events: [event], stores: bytesOf(payload) + bytesOf(about.base) }
}

function sameSubject(): Problem {
  return invalid('The change must stay one of the same flag or segment: discard it, and add another one', 'body/action')
}

/** Removes a change from a request and drops approvals. Throws NotFoundError, NoAccessError, ConflictError. */
export const discardChange: Change<RequestAct & { change: number }, void> = async (
  tx,
  { change: id, ...act },
  moment,
) => {
  const request = await requireEditable(tx, act)
  const before = await requireChange(tx, request, id)
  await deleteChange(tx, id)
  await dropReview(tx, request, moment)
  const states = { preData: shortened(told(request, before)), featureName: before.feature_name ?? undefined }
  return { result: undefined, events: [requestEvent('change-discarded', request, states)] }
}

/** Deletes a draft or a cancelled request permanently. Throws NotFoundError, NoAccessError, ConflictError. */
export const discardRequest: Change<RequestAct, void> = async (tx, act) => {
  const request = await requireRequest(tx, act, act.actor.userId)
  requireOwn(request, act.actor)
  if (request.state !== 'Draft' && request.state !== 'Cancelled') {
    throw new Problem(
      'ConflictError',
      `The change request is "${request.state}": only a draft or a cancelled one can be removed.`,
    )
  }
  await deleteRequest(tx, request.id)
  return { result: undefined, events: [requestEvent('change-request-discarded', request)] }
}

/**
 * Renames a change request. An unchanged title creates no event. Throws NotFoundError, NoAccessError, ConflictError.
 */
export const renameRequest: Change<RequestAct & { title: string }, void> = async (tx, { title, ...act }) => {
  const request = await requireEditable(tx, act)
  if (request.title === title) return { result: undefined, events: [] }
  await updateRequest(tx, request.id, { title })
  const event = requestEvent(
    'change-request-title-updated',
    { ...request, title },
    { preData: { title: request.title } },
  )
  return { result: undefined, events: [event] }
}

/**
 * Returns a change request if the user is its author and can still change it. Throws NotFoundError, NoAccessError,
 * ConflictError.
 */
export async function requireEditable(reader: Reader, act: RequestAct): Promise<RequestRow> {
  const request = await requireRequest(reader, act, act.actor.userId)
  requireOwn(request, act.actor)
  if (isOpen(request)) return request
  throw new Problem('ConflictError', `The change request is "${request.state}" and changes no more.`)
}

/** Drops all approvals and the schedule, since reviewers have not seen the change. */
async function dropReview(tx: Tx, { id, state, state_times }: RequestRow, { now }: Pick<Moment, 'now'>): Promise<void> {
  await dropOpinions(tx, id)
  if (state !== 'Approved' && state !== 'Scheduled') return
  await updateRequest(tx, id, { state: 'In review', state_times: { ...state_times, 'In review': now }, ...UNSCHEDULED })
}
