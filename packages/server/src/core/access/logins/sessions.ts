import type { Network } from '@burgee/kit/http/client-network'
import type { Login } from '@burgee/protocol/access'
import { Problem } from '@burgee/protocol/problem'
import { listNetworksOfLogin, recordNetwork } from '@burgee/storage/queries/access/known-networks'
import { findPersonById } from '@burgee/storage/queries/access/people'
import { deleteAllSessions } from '@burgee/storage/queries/access/sessions'
import {
  findAccountIdByLogin,
  findSessionUser,
  findUserByLogin,
  recordLogin,
  type UserRow,
} from '@burgee/storage/queries/access/users'
import { findSealedIdToken } from '@burgee/storage/queries/sso/identities'
import { record } from '../../execute.ts'
import { getIdTokenPurpose, openOptional, sealOptional } from '../../secrets/optional-secrets.ts'
import type { World } from '../../world.ts'
import { isStrong } from '../passwords/password-rules.ts'
import { type Passwords, SERVER_PASSWORDS } from '../passwords/passwords.ts'
import { hashSecret } from '../tokens/tokens.ts'
import type { FailedLogins } from './failed-login-counts.ts'

/** Origin of a login. */
export interface LoginOrigin {
  /** Id of the browser's previous session. */
  readonly before?: string | undefined
  /** Network to add to the networks from which the account has logged in. */
  readonly network?: Network | undefined
}

/** Password logins and their sessions. */
export interface Sessions {
  /**
   * Checks a password, opens a session with a new id and ends the browser's previous session. Returns the user's state
   * before this login, including how many logins have failed since the previous one. Throws PasswordMismatch. For an
   * unknown user, throws the same error after the same time as for a wrong password.
   */
  login(login: Login, from?: LoginOrigin): Promise<{ user: UserRow; sessionId: string }>
  /**
   * Opens a session for a user authenticated by single sign-on. Stores the ID token encrypted, unless it is too long.
   */
  enter(user: UserRow, idToken: string, from?: LoginOrigin): Promise<{ user: UserRow; sessionId: string }>
  /** Returns the user of a valid session id. */
  findUser(sessionId: string): Promise<UserRow | undefined>
  /** Returns the user of the session whose id has the given SHA-256. The lookup does not extend the session. */
  findOwner(hash: string): Promise<UserRow | undefined>
  /** Returns the account id for a username or e-mail address, ignoring case; undefined if there is none. */
  findAccountId(login: string): Promise<number | undefined>
  /** Returns true if the account with a username or e-mail address has already logged in from a network. */
  isKnownNetwork(login: string, network: Network): Promise<boolean>
  /** Ends all sessions of a user. */
  endAll(userId: number): Promise<void>
  /**
   * Returns the ID token of the session whose id has the given SHA-256; undefined if there is no ID token or it cannot
   * be decrypted.
   */
  findIdToken(hash: string): Promise<string | undefined>
  /** Lifetime of the session cookie, in seconds. */
  readonly idleSeconds: number
}

const HOUR_MS = 3_600_000
const ABSOLUTE_FACTOR = 10
const TOUCH_MS = 60_000
const SESSION_BYTES = 32
const MAX_ID_TOKEN_LENGTH = 8192
const MISMATCH = 'The combination of username and password is not valid.'

/**
 * Cause of a PasswordMismatch: the user whose password was wrong; undefined for an unknown name. This cause is for the
 * log only, and must never appear in a reply.
 */
export class FailedLogin extends Error {
  readonly user: UserRow | undefined

  constructor(user: UserRow | undefined) {
    super('A login has failed')
    this.user = user
  }
}

function createMismatch(user?: UserRow): Problem {
  return new Problem('PasswordMismatch', MISMATCH, { cause: new FailedLogin(user) })
}

/** Session settings. */
export interface SessionOptions {
  /**
   * Idle time after which a session ends, in hours. Even a session in constant use ends after ten times this period.
   */
  readonly ttlHours: number
  /** Maximum number of sessions per user; opening a further session ends the oldest. */
  readonly maxPerUser: number
  /** Counter of wrong passwords. */
  readonly failed: FailedLogins
}

/** Creates the service for sessions, which are stored in the database. */
export function createSessions(world: World, passwords: Passwords, options: SessionOptions): Sessions {
  const idleMs = options.ttlHours * HOUR_MS
  const { db, clock } = world
  const enter = createEntry(world, options)
  return {
    idleSeconds: idleMs / 1000,
    enter: (user, idToken, from = {}) =>
      enter(user, from, { idToken: idToken.length > MAX_ID_TOKEN_LENGTH ? null : idToken }),
    async login({ username, password }, from = {}) {
      const caller = from.network ?? SERVER_PASSWORDS
      const user = username === '' ? undefined : await findUserByLogin(db.reader, username)
      if (!(await passwords.matches(password, user?.password_hash, caller)) || user === undefined) {
        if (user !== undefined) options.failed.record(user.id)
        throw createMismatch(user)
      }
      if (!passwords.isForeign(user.password_hash)) return enter(user, from, { checked: user.password_hash })
      const checked = await passwords.hash(password, caller)
      const isWeak = !isStrong(password, [user.username, user.email, user.name])
      const after = { ...user, must_change_password: isWeak ? 1 : user.must_change_password } as const
      await replaceHash(world, user, { password_hash: checked, must_change_password: after.must_change_password })
      return enter(after, from, { checked })
    },
    async findUser(sessionId) {
      const now = clock()
      const hash = hashSecret(sessionId)
      const found = await findSessionUser(db.reader, hash, { now, idleMs })
      if (found === undefined) return undefined
      const { used_at, ...user } = found
      if (now - used_at > TOUCH_MS) {
        await record(world, (tx) => tx.updateTable('sessions').set({ used_at: now }).where('hash', '=', hash).execute())
      }
      return user
    },
    findAccountId: (login) => findAccountIdByLogin(db.reader, login),
    async isKnownNetwork(login, network) {
      const known = await listNetworksOfLogin(db.reader, login)
      return known.some(({ user_id, network_hash }) => network_hash === hashNetwork(user_id, network))
    },
    findIdToken: async (hash) =>
      openOptional(world.secrets, await findSealedIdToken(db.reader, hash), getIdTokenPurpose(hash)),
    findOwner: (hash) => findSessionUser(db.reader, hash, { now: clock(), idleMs }),
    async endAll(userId) {
      world.debug?.(`Ended all sessions of user ${userId}`)
      await record(world, (tx) => deleteAllSessions(tx, { userId }))
    },
  }
}

/** Returns a function that opens a session for a user whose credentials were checked. */
function createEntry(world: World, { ttlHours, maxPerUser, failed }: SessionOptions) {
  return async (
    user: UserRow,
    { before, network }: LoginOrigin,
    { idToken = null, checked }: { idToken?: string | null; checked?: string },
  ) => {
    const sessionId = Buffer.from(world.random(SESSION_BYTES)).toString('base64url')
    await failed.settled()
    const id_token =
      idToken === null ? null : sealOptional(world.secrets, idToken, getIdTokenPurpose(hashSecret(sessionId)))
    const opened = { userId: user.id, sessionId, before, network, id_token, checked }
    const login_attempts = await openSession(world, opened, { idleMs: ttlHours * HOUR_MS, mostPerUser: maxPerUser })
    world.debug?.(`Created a session of user ${user.id}`)
    return { user: { ...user, login_attempts }, sessionId }
  }
}

/**
 * Returns a hash of a network. The hash includes the account id, so that no one can see that two accounts have logged
 * in from the same network.
 */
function hashNetwork(userId: number, network: Network): string {
  return hashSecret(`network ${userId} ${network}`)
}

/**
 * Replaces a password hash from another server with a hash of this server. If the password violates this server's
 * password rules, also requires a new password. Does nothing if the password has been changed in the meantime. Writes
 * no audit event, because the password stays the same.
 */
function replaceHash(
  world: World,
  { id, password_hash: before }: UserRow,
  columns: Pick<UserRow, 'password_hash' | 'must_change_password'>,
): Promise<unknown> {
  return record(world, (tx) =>
    tx.updateTable('users').set(columns).where('id', '=', id).where('password_hash', '=', before).execute(),
  )
}

interface NewSession extends LoginOrigin {
  readonly userId: number
  readonly sessionId: string
  /** ID token, encrypted. */
  readonly id_token: string | null
  /** Hash against which the password was verified. The login fails if the stored hash has changed since then. */
  readonly checked: string | undefined
}

/**
 * Opens a session and returns the number of failed logins since the previous login. Also removes expired sessions, and
 * the user's oldest sessions above the limit. Throws PasswordMismatch.
 */
async function openSession(
  world: World,
  { userId, sessionId, before, network, id_token, checked }: NewSession,
  { idleMs, mostPerUser }: { idleMs: number; mostPerUser: number },
): Promise<number> {
  const now = world.clock()
  return record(world, async (tx) => {
    if (checked !== undefined && (await findPersonById(tx, userId))?.password_hash !== checked) throw createMismatch()
    await tx
      .deleteFrom('sessions')
      .where(({ or, eb }) => or([eb('expires_at', '<=', now), eb('used_at', '<=', now - idleMs)]))
      .execute()
    if (before !== undefined) await tx.deleteFrom('sessions').where('hash', '=', hashSecret(before)).execute()
    const row = { hash: hashSecret(sessionId), user_id: userId, created_at: now, used_at: now, id_token }
    await tx
      .insertInto('sessions')
      .values({ ...row, expires_at: now + idleMs * ABSOLUTE_FACTOR })
      .execute()
    const own = await tx
      .selectFrom('sessions')
      .select('hash')
      .where('user_id', '=', userId)
      .where('hash', '!=', row.hash)
      .orderBy('created_at', 'desc')
      .execute()
    const extra = own.slice(mostPerUser - 1).map((session) => session.hash)
    if (extra.length > 0) await tx.deleteFrom('sessions').where('hash', 'in', extra).execute()
    if (network !== undefined) {
      await recordNetwork(tx, { user_id: userId, network_hash: hashNetwork(userId, network), seen_at: now })
    }
    return recordLogin(tx, userId, now)
  })
}
