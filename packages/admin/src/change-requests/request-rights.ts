import type { ChangeRequest } from '@burgee/protocol/administration/change-request'
import { idOf, useMay, useMe } from '../shell/session/session.tsx'
import { type RequestRights, rightsOf } from './step-rights.ts'

/** Returns the user's rights for a change request. The server checks them again. */
export function useRequestRights(request: ChangeRequest): RequestRights {
  return rightsOf(request, idOf(useMe()), useMay())
}
