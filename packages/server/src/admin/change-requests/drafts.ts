import { isDeepStrictEqual } from 'node:util'
import type { ChangeInput } from '@burgee/protocol/administration/change-request'
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
  findDraft,
  insertRequest,
  listRequestRows,
  type RequestRow,
  UNSCHEDULED,
  updateRequest,
} from '@burgee/storage/queries/change-requests/requests'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import type { ProjectEnvironmentKey } from '@burgee/storage/queries/projects/environments'
import type { Change, ChangeContext } from '../../core/execute.ts'
import { countBytes } from '../../core/storage-budget.ts'
import { checkChange } from './change-actions.ts'
import { readSubject } from './change-subject.ts'
import { shorten, toEditEvent, toEventChange } from './edit-events.ts'
import { requireProposer } from './proposers.ts'
import { requireWithinLimits } from './request-limits.ts'
import { buildRequestEvent, OPEN_STATES, type RequestAct } from './request-ref.ts'
import { findSuperseded, type SupersededChange } from './superseded-changes.ts'

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
  requireWithinLimits([...held, ...checked])
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
