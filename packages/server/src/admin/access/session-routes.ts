import { invalid } from '@burgee/kit/input/refusals'
import { EndSessions, EndSessionsResult, UserSessions } from '@burgee/protocol/access'
import { Problem } from '@burgee/protocol/problem'
import { listSessions, type SessionRow } from '@burgee/storage/queries/access/sessions'
import type { UserRow } from '@burgee/storage/queries/access/users'
import Type from 'typebox'
import type { Actor } from '../../core/access/rights/rights.ts'
import { execute } from '../../core/execute.ts'
import { GUARDED_LIST, REMOVE, WRITE } from '../../core/http/problem-lists.ts'
import { type HttpWorld, type Routes, route } from '../../core/http/route.ts'
import { parseId, requirePerson } from '../../core/http/route-parts.ts'
import { checkCurrentPassword } from './current-password.ts'
import { endSessionsByHash, endSessionsOfAll, endSessionsOfUser } from './people/end-sessions.ts'

const OWN = '/api/admin/user/sessions'
const USERS = '/api/admin/user-admin'
/** Length of the public id of a session. The public id is the beginning of the hash of the secret id. */
const ID_LENGTH = 16
/** Maximum age of a session that proves the user's identity without the password. */
const RECENT_LOGIN_MS = 600_000
const ONLY_BY_SESSION = 'Sessions can only be listed and ended by users who are logged in.'
const LOG_IN_AGAIN = 'Log in again to end sessions: the login is older than ten minutes.'

const END_REPLIES = { 200: { description: 'Number of sessions that ended', schema: EndSessionsResult } }

/** Routes that list and end sessions. The routes are not part of the wire protocol. */
export const sessionRoutes: Routes = [
  route({
    method: 'GET',
    url: OWN,
    permission: null,
    tag: 'Me',
    summary: 'Lists the open sessions of the current user. Requires a session.',
    replies: { 200: { description: 'Sessions', schema: UserSessions } },
    problems: [...GUARDED_LIST, 'InvalidOperationError'],
    handle: async ({ access }, world) => {
      const user = requirePerson(access)
      const current = requireSession(access.actor)
      const sessions = await readSessions(world, user)
      return {
        sessions: sessions.map((row) => toUserSession(row, current)),
        confirmation: user.password_hash === '' ? 'recent-login' : 'password',
      } as const
    },
  }),
  route({
    method: 'POST',
    url: `${OWN}/end`,
    permission: null,
    tag: 'Me',
    summary: 'Ends sessions of the current user: the given ones, or all except the current one. Requires a session.',
    description:
      'Requires the current password. Users without a password must have logged in within the last ten minutes. Ids of sessions that have ended are ignored.',
    body: EndSessions,
    replies: END_REPLIES,
    problems: [...WRITE, 'InvalidOperationError', 'PasswordMismatch', 'RateLimitError'],
    handle: async ({ body, access: { actor }, access }, world) => {
      const user = requirePerson(access)
      const current = requireSession(actor)
      const sessions = await readSessions(world, user)
      if (user.password_hash !== '') {
        if (body.currentPassword === undefined)
          throw invalid('Ending sessions requires your current password', 'body/currentPassword')
        const limited = await checkCurrentPassword(world, actor, user, body.currentPassword)
        if (limited !== undefined) return limited
      } else requireRecentLogin(sessions, current, world.clock())
      const chosen = body.sessions
      const hashes = sessions
        .map(({ hash }) => hash)
        .filter((hash) => (chosen === undefined ? hash !== current : chosen.includes(toPublicId(hash))))
      return { ended: await execute(world, actor, endSessionsByHash, { id: user.id, hashes }) }
    },
  }),
  route({
    method: 'DELETE',
    url: `${USERS}/:userId/sessions`,
    params: Type.Object({ userId: Type.String() }),
    permission: 'ADMIN',
    tag: 'Users',
    summary: 'Ends all sessions of a user. Passwords and personal tokens stay valid.',
    replies: END_REPLIES,
    problems: REMOVE,
    handle: async ({ params, access }, world) => ({
      ended: await execute(world, access.actor, endSessionsOfUser, { id: parseId(params.userId, 'user') }),
    }),
  }),
  route({
    method: 'DELETE',
    url: `${USERS}/sessions`,
    permission: 'ADMIN',
    tag: 'Users',
    summary: 'Ends the sessions of all users except the one of this request. Passwords and personal tokens stay valid.',
    replies: END_REPLIES,
    problems: GUARDED_LIST,
    handle: async ({ access }, world) => ({
      ended: await execute(world, access.actor, endSessionsOfAll, { keep: access.actor.session }),
    }),
  }),
]

/**
 * Returns the hash of the session that a request belongs to. Throws NoAccessError if the request uses a token instead
 * of a session.
 */
function requireSession({ session }: Actor): string {
  if (session === undefined) throw new Problem('NoAccessError', ONLY_BY_SESSION)
  return session
}

function requireRecentLogin(sessions: readonly SessionRow[], current: string, now: number): void {
  const own = sessions.find(({ hash }) => hash === current)
  if (own === undefined || now - own.created_at > RECENT_LOGIN_MS) throw new Problem('NoAccessError', LOG_IN_AGAIN)
}

function readSessions({ db, clock, sessions }: HttpWorld, { id }: UserRow): Promise<SessionRow[]> {
  return listSessions(db.reader, id, { now: clock(), idleMs: sessions.idleSeconds * 1000 })
}

function toPublicId(hash: string): string {
  return hash.slice(0, ID_LENGTH)
}

function toUserSession({ hash, created_at, used_at, expires_at }: SessionRow, current: string) {
  return {
    id: toPublicId(hash),
    createdAt: new Date(created_at).toISOString(),
    usedAt: new Date(used_at).toISOString(),
    expiresAt: new Date(expires_at).toISOString(),
    isCurrent: hash === current,
  }
}
