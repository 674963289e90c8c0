import { ownerOfTokenId } from '../../store/access/people.ts'
import { tokensWhere } from '../../store/access/tokens.ts'
import type { UserRow } from '../../store/access/users.ts'
import type { World } from '../world.ts'
import { type Actor, may, userActor } from './rights.ts'
import type { Sessions } from './sessions.ts'

/**
 * What somebody is now who came some time ago: undefined where their session or token has ended. To look is no use of
 * either. Throws what the database throws.
 */
export async function standingOf(
  world: Pick<World, 'db' | 'clock'>,
  sessions: Sessions,
  actor: Actor,
): Promise<'admin' | 'other' | undefined> {
  if (actor.token !== undefined) return (await isGood(world, actor.token.id)) ? 'admin' : undefined
  const user = await personOf(world, sessions, actor)
  if (user === undefined) return undefined
  return may(userActor(user, actor.address ?? ''), 'ADMIN') ? 'admin' : 'other'
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
