import { isDeepStrictEqual } from 'node:util'
import { invalid, notFound } from '@burgee/kit/input/refusals'
import type { ChangeEdit, ChangeInput } from '@burgee/protocol/administration/change-request'
import { Problem } from '@burgee/protocol/problem'
import type { Reader, Tx } from '@burgee/storage/database'
import {
  type ChangeRow,
  deleteChange,
  insertChange,
  listChanges,
  updateChange,
} from '@burgee/storage/queries/change-requests/changes'
import {
  deleteRequest,
  findDraft,
  insertRequest,
  listRequestRows,
  type RequestRow,
  UNSCHEDULED,
  updateRequest,
} from '@burgee/storage/queries/change-requests/requests'
import { deleteReviews } from '@burgee/storage/queries/change-requests/reviews'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import type { ProjectEnvironmentKey } from '@burgee/storage/queries/projects/environments'
import type { Change, ChangeContext } from '../../core/execute.ts'
import { countBytes } from '../../core/storage-budget.ts'
import { requireSegment } from '../targeting/segments.ts'
import { type CheckedChange, checkChange, isOfSegment } from './change-actions.ts'
import { addUsedState, getSubject, readBase } from './conflict-bases.ts'
import { shorten, toEditEvent } from './edit-events.ts'
import { requireProposer } from './proposers.ts'
import {
  buildRequestEvent,
  isOpen,
  OPEN_STATES,
  type RequestAct,
  requireAuthor,
  requireChange,
  requireRequest,
} from './request-ref.ts'
import { findSuperseded, type SupersededChange } from './superseded-changes.ts'

/** Maximum number of changes in a request. */
export const MAX_CHANGES = 500
/** Maximum total length of a request's payloads, as JSON. */
export const MAX_CHARACTERS = 1_000_000
/** Maximum number of open requests per user and environment, including drafts. */
const MAX_OPEN = 200

/** Proposed changes with their author, project and environment. */
export interface Proposal extends ProjectEnvironmentKey {
  readonly actor: RequestAct['actor']
  readonly changes: readonly ChangeInput[]
}

/**
 * Adds changes to the user's draft for an environment, and creates the draft if there is none. A change replaces an
 * earlier change to the same target; the changes passed in one call are added in the given order. Returns the id of the
 * draft. Each change in the draft is stored with the state on which it is based. Throws NotFoundError, NoAccessError,
 * ValidationError, InvalidOperationError.
 */
export const proposeChanges: Change<Proposal, number> = async (tx, { actor, changes, ...place }, context) => {
  await requireProposer(tx, actor, place)
  const checked = changes.map(checkChange)
  const { request, events } = await findOrCreateDraft(tx, place, actor, context)
  if (request.from_files === 1) await updateRequest(tx, request.id, { from_files: 0 })
  const held = await listChanges(tx, [request.id])
  if (held.length + checked.length > MAX_CHANGES)
    throw invalid(`A change request can have at most ${MAX_CHANGES} changes`)
  requireWithinLength([...held, ...checked])
  const added: NewEvent[] = []
  let stores = 0
  for (const change of checked) {
    const about = await readSubject(tx, change, { ...place, actor })
    const superseded = findSuperseded(held, { ...about, ...change })
    // each existing change is replaced at most once per call
    if (superseded !== undefined) held.splice(held.indexOf(superseded.row), 1)
    const { action } = change
    const payload = superseded?.payload ?? change.payload
    stores += countBytes(payload) + countBytes(about.base)
    const proposed = { ...about, action, payload }
    added.push(
      ...(superseded === undefined
        ? [await addChange(tx, request, proposed, { actor, context })]
        : await mergeChange(tx, request, proposed, { actor, context, superseded })),
    )
  }
  return { result: request.id, events: [...events, ...added], stores }
}

/** Change that a proposal adds, with the current state of the flag or segment that it affects. */
type NewChange = Awaited<ReturnType<typeof readSubject>> & Pick<ChangeRow, 'action' | 'payload'>
type Adding = Pick<Proposal, 'actor'> & { readonly context: ChangeContext }

async function addChange(
  tx: Tx,
  request: RequestRow,
  change: NewChange,
  { actor, context }: Adding,
): Promise<NewEvent> {
  const { action, payload, feature_name } = change
  const id = await insertChange(tx, {
    request_id: request.id,
    ...change,
    created_by_user_id: actor.userId,
    created_by: actor.name,
    created_at: context.now,
  })
  const data = toEventChange(request, { id, action, payload })
  return buildRequestEvent('change-added', request, { data, featureName: feature_name ?? undefined })
}

/** Replaces a change in the draft with a newer change to the same target. An equal change creates no event. */
async function mergeChange(
  tx: Tx,
  request: RequestRow,
  change: NewChange,
  { superseded: { row, movesToEnd }, ...adding }: Adding & { readonly superseded: SupersededChange },
): Promise<NewEvent[]> {
  const featureName = change.feature_name ?? undefined
  const before = toEventChange(request, row)
  if (movesToEnd) {
    await deleteChange(tx, row.id)
    const discarded = buildRequestEvent('change-discarded', request, { preData: shorten(before), featureName })
    return [discarded, await addChange(tx, request, change, adding)]
  }
  const { action, payload, base, segment_name } = change
  await updateChange(tx, row.id, { action, payload, base, segment_name })
  if (action === row.action && isDeepStrictEqual(payload, row.payload)) return []
  const states = toEditEvent(before, toEventChange(request, { id: row.id, action, payload }))
  return [buildRequestEvent('change-edited', request, { ...states, featureName })]
}

/**
 * Returns a change in the form used in events. The payload is omitted for drafts, because only the author may see
 * drafts.
 */
function toEventChange(
  { state }: Pick<RequestRow, 'state'>,
  { id, action, payload }: Pick<ChangeRow, 'id' | 'action' | 'payload'>,
) {
  return { changeId: id, action, ...(state === 'Draft' ? {} : { payload }) }
}

function requireWithinLength(changes: readonly { readonly payload: unknown }[]): void {
  const characters = changes.reduce((sum, { payload }) => sum + JSON.stringify(payload ?? null).length, 0)
  if (characters <= MAX_CHARACTERS) return
  const message = `The payloads of a change request can have at most ${MAX_CHARACTERS} characters, and would have ${characters}`
  throw invalid(message, 'body/payload')
}

async function findOrCreateDraft(
  tx: Tx,
  place: ProjectEnvironmentKey,
  actor: RequestAct['actor'],
  context: ChangeContext,
) {
  const found = await findDraft(tx, place, actor.userId)
  if (found !== undefined) return { request: found, events: [] }
  await requireRoom(tx, place, actor.userId)
  const row = {
    ...place,
    state: 'Draft' as const,
    state_times: JSON.stringify({ Draft: context.now }),
    created_by_user_id: actor.userId,
    created_by: actor.name,
    created_at: context.now,
    title: '',
    from_files: 0,
    ...UNSCHEDULED,
  }
  const id = await insertRequest(tx, row)
  const title = `Change request #${id}`
  await updateRequest(tx, id, { title })
  const request: RequestRow = { ...row, id, title, state_times: { Draft: context.now } }
  return { request, events: [buildRequestEvent('change-request-created', request)] }
}

async function requireRoom(reader: Reader, place: ProjectEnvironmentKey, userId: number): Promise<void> {
  const open = await listRequestRows(
    reader,
    { ...place, createdBy: userId, states: OPEN_STATES },
    { asker: userId, limit: MAX_OPEN },
  )
  if (open.length < MAX_OPEN) return
  const message = `You have ${MAX_OPEN} open change requests in "${place.environment}": apply or cancel some of them first.`
  throw new Problem('InvalidOperationError', message)
}

/** Returns the flag or segment that a change affects, and its current state. Throws NotFoundError. */
async function readSubject(
  tx: Tx,
  { feature, action, payload }: CheckedChange & { readonly feature: string | null },
  place: ProjectEnvironmentKey & Pick<RequestAct, 'actor'>,
) {
  const about = isOfSegment(action)
    ? await readSegmentSubject(tx, payload, place.actor)
    : { feature_name: feature, segment_id: null, segment_name: null }
  const { environment } = place
  const base = await addUsedState(tx, await readBase(tx, getSubject(about, environment)), {
    action,
    payload,
    environment,
  })
  const isElsewhere = base !== undefined && 'project' in base && base.project !== place.project
  if (base === undefined || isElsewhere) throw notFound(`There is no flag "${feature}" in project "${place.project}".`)
  if ('archived' in base && base.archived) throw notFound(`The flag "${feature}" is archived.`)
  return { ...about, base }
}

async function readSegmentSubject(reader: Reader, payload: unknown, { hidden }: RequestAct['actor']) {
  const { id, name } = await requireSegment(reader, (payload as { readonly id: number }).id, hidden)
  return { feature_name: null, segment_id: id, segment_name: name }
}

/**
 * Replaces a proposed change. The current state of the flag becomes the base of the new change. Drops approvals,
 * because no one has reviewed the new change. Does nothing if neither the change nor the state of the flag has changed.
 * Throws NotFoundError, NoAccessError, ValidationError, and ConflictError if the request is closed.
 */
export const editChange: Change<RequestAct & { change: number; body: ChangeEdit }, void> = async (
  tx,
  { change: id, body, ...act },
  context,
) => {
  const request = await requireEditable(tx, act)
  const before = await requireChange(tx, request, id)
  const checked = checkChange({ action: body.action, payload: body.payload, feature: before.feature_name })
  if (isOfSegment(body.action) !== (before.feature_name === null)) throw createOtherSubject()
  const about = await readSubject(tx, checked, { ...request, actor: act.actor })
  if (about.segment_id !== before.segment_id) throw createOtherSubject()
  const { action, payload } = checked
  const edited = { action, payload, base: about.base, segment_name: about.segment_name }
  if (isSameChange(before, edited)) return { result: undefined, events: [] }
  const others = (await listChanges(tx, [request.id])).filter((one) => one.id !== id)
  requireWithinLength([...others, checked])
  await updateChange(tx, id, edited)
  if (request.from_files === 1) await updateRequest(tx, request.id, { from_files: 0 })
  await dropReview(tx, request, context)
  const states = toEditEvent(toEventChange(request, before), toEventChange(request, { id, action, payload }))
  const event = buildRequestEvent('change-edited', request, {
    ...states,
    featureName: before.feature_name ?? undefined,
  })
  return { result: undefined, events: [event], stores: countBytes(payload) + countBytes(about.base) }
}

/**
 * Returns true if an edit would store nothing new, because neither the change nor the state of the flag or segment
 * differs.
 */
function isSameChange(before: ChangeRow, edited: Parameters<typeof updateChange>[2]): boolean {
  const { action, payload, base, segment_name } = before
  const stored: unknown = JSON.parse(JSON.stringify(edited))
  return isDeepStrictEqual({ action, payload, base, segment_name }, stored)
}

function createOtherSubject(): Problem {
  return invalid('The change must keep its flag or segment: discard it and add another change', 'body/action')
}

/** Removes a change from a request and drops approvals. Throws NotFoundError, NoAccessError, ConflictError. */
export const discardChange: Change<RequestAct & { change: number }, void> = async (
  tx,
  { change: id, ...act },
  context,
) => {
  const request = await requireEditable(tx, act)
  const before = await requireChange(tx, request, id)
  await deleteChange(tx, id)
  await dropReview(tx, request, context)
  const states = { preData: shorten(toEventChange(request, before)), featureName: before.feature_name ?? undefined }
  return { result: undefined, events: [buildRequestEvent('change-discarded', request, states)] }
}

/** Deletes a draft or a cancelled request permanently. Throws NotFoundError, NoAccessError, ConflictError. */
export const discardRequest: Change<RequestAct, void> = async (tx, act) => {
  const request = await requireRequest(tx, act, act.actor.userId)
  requireAuthor(request, act.actor)
  if (request.state !== 'Draft' && request.state !== 'Cancelled') {
    throw new Problem(
      'ConflictError',
      `The change request is "${request.state}": only drafts and cancelled change requests can be deleted.`,
    )
  }
  await deleteRequest(tx, request.id)
  return { result: undefined, events: [buildRequestEvent('change-request-discarded', request)] }
}

/**
 * Renames a change request. An unchanged title creates no event. Throws NotFoundError, NoAccessError, ConflictError.
 */
export const renameRequest: Change<RequestAct & { title: string }, void> = async (tx, { title, ...act }) => {
  const request = await requireEditable(tx, act)
  if (request.title === title) return { result: undefined, events: [] }
  await updateRequest(tx, request.id, { title })
  const event = buildRequestEvent(
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
  requireAuthor(request, act.actor)
  if (isOpen(request)) return request
  throw new Problem('ConflictError', `The change request is "${request.state}" and can no longer be changed.`)
}

/** Drops all approvals and the schedule, because reviewers have not seen the edited change. */
async function dropReview(
  tx: Tx,
  { id, state, state_times }: RequestRow,
  { now }: Pick<ChangeContext, 'now'>,
): Promise<void> {
  await deleteReviews(tx, id)
  if (state !== 'Approved' && state !== 'Scheduled') return
  await updateRequest(tx, id, { state: 'In review', state_times: { ...state_times, 'In review': now }, ...UNSCHEDULED })
}
