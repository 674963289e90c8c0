import type { Me, User } from '@burgee/protocol/access'
import type { ChangeRequest } from '@burgee/protocol/administration/change-request'
import { useMay, useMe } from '../shell/session/session.tsx'
import { type RequestRights, rightsOf } from './step-rights.ts'

/** The id of who is logged in; undefined before it is known. */
export const idOf = (me: Me | undefined): number | undefined => (me?.user as Partial<User> | undefined)?.id

/** What the person may do with a change request; the server decides it once more. */
export function useRequestRights(request: ChangeRequest): RequestRights {
  return rightsOf(request, idOf(useMe()), useMay())
}
