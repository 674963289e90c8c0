import type { ChangeRequest } from '@burgee/protocol/administration/change-request'
import type { GrantScope } from '@burgee/protocol/grant'

/** Actions that the user may take on a change request in its current state. */
export interface RequestRights {
  readonly isMine: boolean
  readonly mayEdit: boolean
  readonly maySend: boolean
  readonly mayApprove: boolean
  /** True if the user's approval would be the last required one and the user could then apply the request. */
  readonly mayApproveAndApply: boolean
  readonly mayReject: boolean
  readonly mayApply: boolean
  readonly mayReopen: boolean
  readonly mayCancel: boolean
  readonly mayDiscard: boolean
}

type PermissionCheck = (permission: string, place?: GrantScope) => boolean

type RequestForRights = Pick<
  ChangeRequest,
  'state' | 'project' | 'environment' | 'createdBy' | 'approvals' | 'minApprovals'
>

/** Returns the rights of a user for a change request. */
export function getRequestRights(
  request: RequestForRights,
  id: number | undefined,
  may: PermissionCheck,
): RequestRights {
  const { state, project, environment, createdBy } = request
  const isMine = createdBy.id === id
  const isReviewer = !isMine && may('APPROVE_CHANGE_REQUEST', { project, environment })
  const isReviewed = state === 'In review' || state === 'Approved' || state === 'Scheduled'
  const isReady = state === 'Approved' || state === 'Scheduled'
  const mayApprove = isReviewer && isReviewed && canAddApproval(request, id)
  const isLastApproval = state !== 'Scheduled' && countMissingApprovals(request) <= 1
  return {
    isMine,
    mayEdit: isMine && (state === 'Draft' || isReviewed),
    maySend: isMine && state === 'Draft',
    mayApprove,
    mayApproveAndApply: mayApprove && isLastApproval && may('APPLY_CHANGE_REQUEST', { project, environment }),
    mayReject: isReviewer && isReviewed,
    mayApply: isReady && may('APPLY_CHANGE_REQUEST', { project, environment }),
    mayReopen: isMine && isReviewed,
    mayCancel: isReviewed && (isMine || may('ADMIN')),
    mayDiscard: isMine && (state === 'Draft' || state === 'Cancelled'),
  }
}

const countMissingApprovals = ({ approvals, minApprovals }: RequestForRights): number => minApprovals - approvals.length

/**
 * Returns true if another approval would have an effect. Another approval has an effect while approvals are missing;
 * the required number may have been raised since the first approvals. If the required number was lowered and is already
 * reached, the next approval triggers a recount.
 */
function canAddApproval({ state, approvals, minApprovals }: RequestForRights, id: number | undefined): boolean {
  if (approvals.length >= minApprovals) return state === 'In review'
  return approvals.every((one) => one.createdBy.id !== id)
}
