import { Problem, type ProblemDetail } from '@burgee/protocol/problem'
import type { Reader } from '@burgee/storage/database'
import type { ChangeRow } from '@burgee/storage/queries/change-requests/changes'
import type { RequestRow } from '@burgee/storage/queries/change-requests/requests'
import { addUsedState, describeMove, getSubject, readBase, type Subject } from './conflict-bases.ts'

/** Thrown if a flag or segment has changed since changes to it were proposed. */
export class StaleProposal extends Problem {}

/** Returns the conflicts of changes as text, keyed by the id of the proposed change. */
export async function findConflicts(
  reader: Reader,
  { environment }: Pick<RequestRow, 'environment'>,
  changes: readonly ChangeRow[],
): Promise<Map<number, string>> {
  const seen = new Map<string, Awaited<ReturnType<typeof readBase>>>()
  const found = new Map<number, string>()
  for (const change of changes) {
    const subject = getSubject(change, environment)
    const key = getKey(subject)
    if (!seen.has(key)) seen.set(key, await readBase(reader, subject))
    const now = await addUsedState(reader, seen.get(key), { ...change, environment })
    const why = describeMove(change.base, now)
    if (why !== undefined) found.set(change.id, why)
  }
  return found
}

const getKey = (subject: Subject) => ('segment' in subject ? `segment ${subject.segment}` : `flag ${subject.feature}`)

/**
 * Rejects changes whose flags or segments have changed since the proposal, with a reason for each. Throws
 * StaleProposal, which is a ConflictError.
 */
export async function rejectConflicts(
  reader: Reader,
  request: RequestRow,
  changes: readonly ChangeRow[],
): Promise<void> {
  const conflicts = await findConflicts(reader, request, changes)
  if (conflicts.size === 0) return
  const details = changes.flatMap((change) => {
    const why = conflicts.get(change.id)
    return why === undefined ? [] : [toChangeDetail(change, why)]
  })
  const message =
    `Nothing was applied: ${conflicts.size} of the ${changes.length} changes refer to objects that no longer ` +
    'exist. Edit or discard these changes.'
  throw new StaleProposal('ConflictError', message, { details })
}

/** Describes a change that was not applied, for an error that names it. */
export function toChangeDetail(change: ChangeRow, why: string): ProblemDetail {
  const about = change.feature_name ?? change.segment_name ?? ''
  return { message: `Change ${change.id} (${change.action} of "${about}"): ${why}`, path: `changes/${change.id}` }
}
