import { ownerOfTokenId } from '../../../store/access/people.ts'
import { tokensWhere } from '../../../store/access/tokens.ts'
import type { UserRow } from '../../../store/access/users.ts'
import type { World } from '../../world.ts'
import type { HiddenProjects } from '../rights/hidden-projects.ts'
import type { PeopleRights } from '../rights/people-rights.ts'
import { type Actor, may } from '../rights/rights.ts'
import type { Sessions } from './sessions.ts'

/** By what it is found out who somebody is, and what they may. */
export interface People {
  readonly sessions: Sessions
  readonly rights: PeopleRights
  readonly hidden: HiddenProjects
}

/** What somebody is. */
export interface Standing {
  readonly isAdmin: boolean
  /** Projects that they may not know of. */
  readonly hidden: readonly string[]
}

/**
 * What somebody is now who came some time ago: undefined where their session or token has ended. To look is no use of
 * either. Throws what the database throws.
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
