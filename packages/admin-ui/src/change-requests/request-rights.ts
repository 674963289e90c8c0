import type { ChangeRequest } from '@burgee/protocol/administration/change-request'
import { getMyId, useMe, usePermissionCheck } from '../shell/session/session.tsx'
import { getRequestRights, type RequestRights } from './step-rights.ts'

/** Returns the user's rights for a change request. The server checks the rights again. */
export function useRequestRights(request: ChangeRequest): RequestRights {
  return getRequestRights(request, getMyId(useMe()), usePermissionCheck())
}
