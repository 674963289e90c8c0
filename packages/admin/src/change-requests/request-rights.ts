import type { Me, User } from '@burgee/protocol/access'
import type { ChangeRequest } from '@burgee/protocol/administration/change-request'
import { useMay, useMe } from '../shell/session/session.tsx'

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

/** The id of who is logged in; undefined before it is known. */
export const idOf = (me: Me | undefined): number | undefined => (me?.user as Partial<User> | undefined)?.id

/** What the person may do with a change request; the server decides it once more. */
export function useRequestRights({ state, project, environment, createdBy, approvals }: ChangeRequest): RequestRights {
  const id = idOf(useMe())
  const may = useMay()
  const isMine = createdBy.id === id
  const isReviewer = !isMine && may('APPROVE_CHANGE_REQUEST', { project, environment })
  const isReviewed = state === 'In review' || state === 'Approved' || state === 'Scheduled'
  const isReady = state === 'Approved' || state === 'Scheduled'
  return {
    isMine,
    mayEdit: isMine && (state === 'Draft' || isReviewed),
    maySend: isMine && state === 'Draft',
    mayApprove: isReviewer && state === 'In review' && approvals.every((one) => one.createdBy.id !== id),
    mayReject: isReviewer && isReviewed,
    mayApply: isReady && may('APPLY_CHANGE_REQUEST', { project, environment }),
    mayReopen: isMine && isReviewed,
    mayCancel: isReviewed && (isMine || may('ADMIN')),
    mayDiscard: isMine && (state === 'Draft' || state === 'Cancelled'),
  }
}
