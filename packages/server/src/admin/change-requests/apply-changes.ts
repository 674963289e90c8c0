import { InvalidRequest } from '@burgee/kit/input/validation'
import type { ChangeAction } from '@burgee/protocol/administration/change-request'
import { Problem } from '@burgee/protocol/problem'
import type { Tx } from '@burgee/storage/database'
import { type ChangeRow, listChanges } from '@burgee/storage/queries/change-requests/changes'
import type { RequestRow } from '@burgee/storage/queries/change-requests/requests'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import type { ChangeContext } from '../../core/execute.ts'
import { applyProposedChange, type CheckedChange } from './change-actions.ts'
import { orderChanges } from './change-order.ts'
import { toChangeDetail } from './conflicts.ts'

/**
 * Makes all changes of a request in the order of `orderChanges`, as if each of them were made directly. Throws
 * ConflictError naming the first change that fails; the caller must then roll back.
 */
export async function applyChanges(
  tx: Tx,
  request: Pick<RequestRow, 'id' | 'project' | 'environment'>,
  context: ChangeContext,
): Promise<NewEvent[]> {
  const { project, environment } = request
  const events: NewEvent[] = []
  const { changes } = await orderChanges(tx, request, await listChanges(tx, [request.id]))
  for (const change of changes) {
    const ref = { project, environment, feature: change.feature_name ?? '' }
    const { action, payload } = change as CheckedChange<ChangeAction>
    try {
      events.push(...(await applyProposedChange(tx, { ref, action, payload }, context)))
    } catch (error) {
      throw explainError(change, error)
    }
  }
  return events
}

function explainError(change: ChangeRow, error: unknown): unknown {
  if (!(error instanceof Problem) && !(error instanceof InvalidRequest)) return error
  const detail = toChangeDetail(change, error.message)
  return new Problem('ConflictError', `Nothing was applied: ${detail.message}`, { details: [detail], cause: error })
}
