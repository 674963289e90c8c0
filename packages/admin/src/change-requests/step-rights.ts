import type { ChangeRequest } from '@burgee/protocol/administration/change-request'
import type { Place } from '@burgee/protocol/grant'

/** Steps that the person may take with a change request as it is. */
export interface RequestRights {
  readonly isMine: boolean
  readonly mayEdit: boolean
  readonly maySend: boolean
  readonly mayApprove: boolean
  readonly mayReject: boolean
  readonly mayApply: boolean
  readonly mayReopen: boolean
  readonly mayCancel: boolean
  readonly mayDiscard: boolean
}

type May = (permission: string, place?: Place) => boolean

type Judged = Pick<ChangeRequest, 'state' | 'project' | 'environment' | 'createdBy' | 'approvals' | 'minApprovals'>

/** What somebody may do with a change request, by who it is and what else that person may. */
export function rightsOf(request: Judged, id: number | undefined, may: May): RequestRights {
  const { state, project, environment, createdBy } = request
  const isMine = createdBy.id === id
  const isReviewer = !isMine && may('APPROVE_CHANGE_REQUEST', { project, environment })
  const isReviewed = state === 'In review' || state === 'Approved' || state === 'Scheduled'
  const isReady = state === 'Approved' || state === 'Scheduled'
  return {
    isMine,
    mayEdit: isMine && (state === 'Draft' || isReviewed),
    maySend: isMine && state === 'Draft',
    mayApprove: isReviewer && isReviewed && lacksApprovalOf(request, id),
    mayReject: isReviewer && isReviewed,
    mayApply: isReady && may('APPLY_CHANGE_REQUEST', { project, environment }),
    mayReopen: isMine && isReviewed,
    mayCancel: isReviewed && (isMine || may('ADMIN')),
    mayDiscard: isMine && (state === 'Draft' || state === 'Cancelled'),
  }
}

/**
 * Whether an approval would take it further: more may be needed than when it was approved, and where as many are there
 * as are needed now, the next one of anybody has it counted anew.
 */
function lacksApprovalOf({ state, approvals, minApprovals }: Judged, id: number | undefined): boolean {
  if (approvals.length >= minApprovals) return state === 'In review'
  return approvals.every((one) => one.createdBy.id !== id)
}
