import { Problem } from '@burgee/protocol/problem'
import type { Tx } from '@burgee/storage/database'
import { classifyDbError, DatabaseGone } from '@burgee/storage/errors'
import { findRequestById, type RequestRow, updateRequest } from '@burgee/storage/queries/change-requests/requests'
import type { Change, ChangeContext, Outcome } from '../../core/execute.ts'
import { execute } from '../../core/execute.ts'
import { SYSTEM, type World } from '../../core/world.ts'
import { addComment, hasRoom } from './comments.ts'
import { StaleProposal } from './conflicts.ts'
import { buildRequestEvent } from './request-ref.ts'
import { findPerson } from './reviewers.ts'
import { applyRequest } from './state-transitions.ts'

/** Delay above which a change request counts as applied late. */
const LATE_MS = 60_000
const MINUTE_MS = 60_000
const NO_CHANGE: Outcome<void> = { result: undefined, events: [] }

/**
 * Applies a due change request with the current rights of the user who scheduled the request, and records the outcome.
 * If the request cannot be applied, stores the reason and does not retry. If several nodes try at the same time, only
 * one of them applies the request. If the process ends before the commit, nothing has changed. Rejects on database
 * errors.
 */
export async function applyScheduled(
  world: World,
  due: Pick<RequestRow, 'id' | 'scheduled_at' | 'scheduled_by_user_id'>,
) {
  const person = await findPerson(world.db.reader, due.scheduled_by_user_id ?? 0)
  if (person === undefined) return giveUp(world, due, { status: 'suspended', reason: GONE })
  try {
    await execute(world, person, applyDue, { ...due, person })
  } catch (error) {
    if (!(error instanceof Problem)) return handleFailure(world, due, error)
    await giveUp(world, due, { status: getStatus(error), reason: formatReason(error) })
  }
}

/**
 * Records that a request could not be applied. Rethrows temporary database failures, so that the caller retries. Any
 * other error would occur again in a retry, so the request is marked as failed.
 */
async function handleFailure(world: World, due: Due, error: unknown): Promise<void> {
  if (error instanceof DatabaseGone || classifyDbError(error) === 'unavailable') throw error
  world.logger.error(`Cannot apply the scheduled change request ${due.id}`, error)
  await giveUp(world, due, { status: 'failed', reason: 'Something went wrong; see the server log for details.' })
}

const GONE = 'The user who scheduled it was deleted.'

/** Returns `suspended` for causes that can be fixed: a missing right, or a flag that has changed since the proposal. */
function getStatus(error: Problem): Failure['status'] {
  return error instanceof StaleProposal || error.name === 'NoAccessError' ? 'suspended' : 'failed'
}

const MAX_CHARACTERS = 2000

function formatReason({ message, details = [] }: Problem): string {
  const all = [...new Set([message, ...details.map((detail) => detail.message)])]
  return all.join(' ').slice(0, MAX_CHARACTERS)
}

type Due = Parameters<typeof applyScheduled>[1]

/** Returns the request if it is still scheduled for this time. */
async function findPending(tx: Tx, { id, scheduled_at }: Due): Promise<RequestRow | undefined> {
  const row = await findRequestById(tx, id)
  return row?.schedule_status === 'pending' && row.scheduled_at === scheduled_at ? row : undefined
}

const applyDue: Change<Due & { person: NonNullable<Awaited<ReturnType<typeof findPerson>>> }, void> = async (
  tx,
  { person, ...due },
  context,
) => {
  const request = await findPending(tx, due)
  if (request === undefined) return NO_CHANGE
  const outcome = await applyRequest(tx, request, person, context)
  const success = buildRequestEvent('change-request-scheduled-application-success', request, {
    data: toTimes(request, context),
  })
  const late = await commentLate(tx, request, context)
  return { ...outcome, events: [...outcome.events, success, ...late] }
}

function toTimes({ scheduled_at }: RequestRow, { now }: Pick<ChangeContext, 'now'>) {
  const at = scheduled_at ?? now
  return { scheduledAt: new Date(at).toISOString(), lateMs: Math.max(now - at, 0) }
}

async function commentLate(tx: Tx, request: RequestRow, context: ChangeContext) {
  const { lateMs, scheduledAt } = toTimes(request, context)
  const text = `Applied ${Math.floor(lateMs / MINUTE_MS)} minutes after the scheduled time (${scheduledAt}): no server was able to apply it then.`
  // the event contains the delay as well, so a full list of comments must not roll back the request
  if (lateMs < LATE_MS || !(await hasRoom(tx, request, text))) return []
  return [await addComment(tx, { request, text, by: SYSTEM }, context)]
}

/** Reason why a request was not applied. */
interface Failure {
  readonly status: 'failed' | 'suspended'
  readonly reason: string
}

function giveUp(world: World, due: Due, failure: Failure): Promise<void> {
  return execute(world, SYSTEM, recordFailure, { ...due, failure })
}

const recordFailure: Change<Due & { failure: Failure }, void> = async (tx, { failure, ...due }, context) => {
  const request = await findPending(tx, due)
  if (request === undefined) return NO_CHANGE
  const { status, reason } = failure
  await updateRequest(tx, request.id, { schedule_status: status, schedule_reason: reason })
  const type =
    status === 'failed' ? 'change-request-scheduled-application-failure' : 'change-request-schedule-suspended'
  return {
    result: undefined,
    events: [buildRequestEvent(type, request, { data: { ...toTimes(request, context), reason } })],
  }
}
