import type { ChangeRequest } from '@burgee/protocol/administration/change-request'
import { idOf, useMay, useMe } from '../shell/session/session.tsx'
import { type RequestRights, rightsOf } from './step-rights.ts'

/** What the person may do with a change request; the server decides it once more. */
export function useRequestRights(request: ChangeRequest): RequestRights {
  return rightsOf(request, idOf(useMe()), useMay())
}
