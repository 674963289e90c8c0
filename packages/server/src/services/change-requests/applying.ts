import { InvalidRequest } from '@burgee/kit/input/validation'
import type { ChangeAction } from '@burgee/protocol/administration/change-request'
import { Problem, type ProblemDetail } from '@burgee/protocol/problem'
import { type ChangeRow, changesOf } from '../../store/change-requests/changes.ts'
import type { RequestRow } from '../../store/change-requests/requests.ts'
import type { Reader, Tx } from '../../store/database.ts'
import type { NewEvent } from '../../store/events/events.ts'
import type { Moment } from '../execute.ts'
import { carryOutChange, type Proposed } from './actions.ts'
import { baseOf, movedOn, type Subject, subjectOf, withUsed } from './bases.ts'
import { orderChanges } from './change-order.ts'

/** Thrown if a flag or segment has changed since changes of it were proposed. */
export class MovedOn extends Problem {}

/** Returns the conflicts of changes as text, keyed by the id of the proposed change. */
export async function conflictsOf(
  reader: Reader,
  { environment }: Pick<RequestRow, 'environment'>,
  changes: readonly ChangeRow[],
): Promise<Map<number, string>> {
  const seen = new Map<string, Awaited<ReturnType<typeof baseOf>>>()
  const found = new Map<number, string>()
  for (const change of changes) {
    const subject = subjectOf(change, environment)
    const key = keyOf(subject)
    if (!seen.has(key)) seen.set(key, await baseOf(reader, subject))
    const now = await withUsed(reader, seen.get(key), { ...change, environment })
    const why = movedOn(change.base, now)
    if (why !== undefined) found.set(change.id, why)
  }
  return found
}

const keyOf = (subject: Subject) => ('segment' in subject ? `segment ${subject.segment}` : `flag ${subject.feature}`)

/**
 * Rejects changes whose flags or segments have changed since the proposal, with a reason for each. Throws MovedOn, a
 * ConflictError.
 */
export async function refuseConflicts(
  reader: Reader,
  request: RequestRow,
  changes: readonly ChangeRow[],
): Promise<void> {
  const conflicts = await conflictsOf(reader, request, changes)
  if (conflicts.size === 0) return
  const details = changes.flatMap((change) => {
    const why = conflicts.get(change.id)
    return why === undefined ? [] : [detailOf(change, why)]
  })
  const message =
    `Nothing was applied: ${conflicts.size} of the ${changes.length} changes were made against what is not there any ` +
    'more. Edit these changes or discard them.'
  throw new MovedOn('ConflictError', message, { details })
}

/**
 * Executes all changes of a request in their order (`orderChanges`), as if each change were made directly. Throws
 * ConflictError naming the first change that fails; the caller must then roll back.
 */
export async function carryOutRequest(
  tx: Tx,
  request: Pick<RequestRow, 'id' | 'project' | 'environment'>,
  moment: Moment,
): Promise<NewEvent[]> {
  const { project, environment } = request
  const events: NewEvent[] = []
  const { changes } = await orderChanges(tx, request, await changesOf(tx, [request.id]))
  for (const change of changes) {
    const ref = { project, environment, feature: change.feature_name ?? '' }
    const { action, payload } = change as Proposed<ChangeAction>
    try {
      events.push(...(await carryOutChange(tx, { ref, action, payload }, moment)))
    } catch (error) {
      throw explained(change, error)
    }
  }
  return events
}

function explained(change: ChangeRow, error: unknown): unknown {
  if (!(error instanceof Problem) && !(error instanceof InvalidRequest)) return error
  const detail = detailOf(change, error.message)
  return new Problem('ConflictError', `Nothing was applied: ${detail.message}`, { details: [detail], cause: error })
}

function detailOf(change: ChangeRow, why: string): ProblemDetail {
  const about = change.feature_name ?? change.segment_name ?? ''
  return { message: `Change ${change.id} (${change.action} of "${about}"): ${why}`, path: `changes/${change.id}` }
}
