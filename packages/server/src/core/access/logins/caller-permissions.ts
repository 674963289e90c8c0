import { findTokenOwnerById } from '@burgee/storage/queries/access/people'
import { listTokens } from '@burgee/storage/queries/access/tokens'
import type { UserRow } from '@burgee/storage/queries/access/users'
import type { World } from '../../world.ts'
import type { HiddenProjects } from '../rights/hidden-projects.ts'
import type { PeopleRights } from '../rights/people-rights.ts'
import { type Actor, hasPermission } from '../rights/rights.ts'
import type { Sessions } from './sessions.ts'

/** Services that identify users and their permissions. */
export interface IdentityServices {
  readonly sessions: Sessions
  readonly rights: PeopleRights
  readonly hidden: HiddenProjects
}

/** Current permissions of a caller. */
export interface CallerPermissions {
  readonly isAdmin: boolean
  /** Ids of the projects hidden from the caller. */
  readonly hidden: readonly string[]
}

/**
 * Returns the current permissions of a caller who connected earlier; undefined if the session or token has ended. The
 * check does not count as activity of the session or token. Rejects on database errors.
 */
export async function readCallerPermissions(
  world: Pick<World, 'db' | 'clock'>,
  { sessions, rights, hidden }: IdentityServices,
  actor: Actor,
): Promise<CallerPermissions | undefined> {
  if (actor.token !== undefined)
    return (await isTokenValid(world, actor.token.id)) ? { isAdmin: true, hidden: [] } : undefined
  const user = await findPerson(world, sessions, actor)
  if (user === undefined) return undefined
  const grants = await rights.getGrants(user)
  const hiddenProjects = await hidden.from(user.id, grants)
  return { isAdmin: hasPermission({ grants, hidden: hiddenProjects }, 'ADMIN'), hidden: hiddenProjects }
}

async function isTokenValid({ db, clock }: Pick<World, 'db' | 'clock'>, tokenId: string): Promise<boolean> {
  const [row] = await listTokens(db.reader, { column: 'id', value: tokenId })
  return row !== undefined && (row.expires_at === null || row.expires_at > clock())
}

async function findPerson(
  { db, clock }: Pick<World, 'db' | 'clock'>,
  sessions: Sessions,
  { session, personalToken }: Actor,
): Promise<UserRow | undefined> {
  if (session !== undefined) return sessions.findOwner(session)
  return personalToken === undefined ? undefined : findTokenOwnerById(db.reader, personalToken, clock())
}
