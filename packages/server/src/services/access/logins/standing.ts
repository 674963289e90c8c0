import { ownerOfTokenId } from '../../../store/access/people.ts'
import { tokensWhere } from '../../../store/access/tokens.ts'
import type { UserRow } from '../../../store/access/users.ts'
import type { World } from '../../world.ts'
import type { HiddenProjects } from '../rights/hidden-projects.ts'
import type { PeopleRights } from '../rights/people-rights.ts'
import { type Actor, may } from '../rights/rights.ts'
import type { Sessions } from './sessions.ts'

/** Services that identify users and their permissions. */
export interface People {
  readonly sessions: Sessions
  readonly rights: PeopleRights
  readonly hidden: HiddenProjects
}

/** Current permissions of a caller. */
export interface Standing {
  readonly isAdmin: boolean
  /** Ids of the projects hidden from the caller. */
  readonly hidden: readonly string[]
}

/**
 * Returns the current permissions of a caller who connected earlier; undefined if the session or token has ended. The
 * check does not count as activity of the session or token. Rejects on database errors.
 */
export async function standingOf(
  world: Pick<World, 'db' | 'clock'>,
  { sessions, rights, hidden }: People,
  actor: Actor,
): Promise<Standing | undefined> {
  if (actor.token !== undefined)
    return (await isGood(world, actor.token.id)) ? { isAdmin: true, hidden: [] } : undefined
  const user = await personOf(world, sessions, actor)
  if (user === undefined) return undefined
  const grants = await rights.of(user)
  return { isAdmin: may({ grants }, 'ADMIN'), hidden: await hidden.from(user.id, grants) }
}

async function isGood({ db, clock }: Pick<World, 'db' | 'clock'>, tokenId: string): Promise<boolean> {
  const [row] = await tokensWhere(db.reader, { column: 'id', value: tokenId })
  return row !== undefined && (row.expires_at === null || row.expires_at > clock())
}

async function personOf(
  { db, clock }: Pick<World, 'db' | 'clock'>,
  sessions: Sessions,
  { session, personalToken }: Actor,
): Promise<UserRow | undefined> {
  if (session !== undefined) return sessions.ownerOf(session)
  return personalToken === undefined ? undefined : ownerOfTokenId(db.reader, personalToken, clock())
}
