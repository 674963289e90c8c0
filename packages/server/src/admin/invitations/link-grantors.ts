import type { InitialRole } from '@burgee/protocol/user'
import type { Reader } from '@burgee/storage/database'
import { findUserById } from '@burgee/storage/queries/access/people'
import { listTokens } from '@burgee/storage/queries/access/tokens'
import type { InviteLinkRole } from '@burgee/storage/queries/invitations/invite-links'
import { ADMIN } from '../../core/access/rights/grants.ts'
import { readHiddenProjects } from '../../core/access/rights/hidden-projects.ts'
import { readGrants } from '../../core/access/rights/people-rights.ts'
import type { Actor, Rights } from '../../core/access/rights/rights.ts'
import { selectAssignable } from '../projects/role-assignments.ts'

/** User or admin token that created an invite link, in the form of database columns. */
export type LinkGrantor = Pick<InviteLinkRole, 'granted_by_user_id' | 'granted_by_token_id'>

/** Returns the columns that identify the caller as the creator of a link. */
export function toLinkGrantor({ user, token }: Actor): LinkGrantor {
  return { granted_by_user_id: user?.id ?? null, granted_by_token_id: token?.id ?? null }
}

/** Project roles that a sign-up receives, and the current permissions of the user who granted them. */
export interface GrantableRoles {
  readonly roles: readonly InitialRole[]
  readonly giver: Rights['grants']
}

/** Returns the project roles of a link that its creator is still allowed to grant. */
export async function selectGrantable(
  reader: Reader,
  rows: readonly InviteLinkRole[],
  now: number,
): Promise<GrantableRoles> {
  const [first] = rows
  if (first === undefined) return { roles: [], giver: [] }
  const rights = await readGrantorRights(reader, first, now)
  const roles = rows.map(({ project, role_id: role }) => ({ project, role }))
  return { roles: await selectAssignable(reader, roles, rights), giver: rights.grants }
}

const NO_RIGHTS: Rights = { grants: [], hidden: [] }

/** Returns the current rights of a grantor. A deactivated user or an expired token has no rights. */
async function readGrantorRights(
  reader: Reader,
  { granted_by_user_id: userId, granted_by_token_id: tokenId }: LinkGrantor,
  now: number,
): Promise<Rights> {
  if (tokenId !== null) {
    const [token] = await listTokens(reader, { column: 'id', value: tokenId })
    const isValid = token?.type === 'admin' && (token.expires_at === null || token.expires_at > now)
    return isValid ? { grants: ADMIN, hidden: [] } : NO_RIGHTS
  }
  const user = userId === null ? undefined : await findUserById(reader, userId)
  if (user === undefined || user.active === 0) return NO_RIGHTS
  const grants = await readGrants(reader, user)
  return { grants, hidden: await readHiddenProjects(reader, user.id, grants) }
}
