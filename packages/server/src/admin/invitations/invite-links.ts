import { invalid, notFound } from '@burgee/kit/input/refusals'
import type {
  CreateInviteLink,
  InviteLink,
  Signup,
  UpdateInviteLink,
} from '@burgee/protocol/administration/invite-link'

import { Problem } from '@burgee/protocol/problem'
import type { InitialRole } from '@burgee/protocol/user'
import type { Reader } from '@burgee/storage/database'
import type { UserRow } from '@burgee/storage/queries/access/users'
import type { RequestRoute } from '@burgee/storage/queries/events/events'
import {
  findInviteLink,
  findInviteLinkBySecret,
  type InvitedUser,
  type InviteLinkRole,
  type InviteLinkRow,
  insertInviteLinkRoles,
  listInvitedUsers,
  listInviteLinkRoles,
  listInviteLinks,
  listOpenLinkRoles,
  removeUnusedLinks,
} from '@burgee/storage/queries/invitations/invite-links'
import { digestSecret } from '@burgee/storage/queries/invitations/secret-digest'
import { requireStrong } from '../../core/access/passwords/password-rules.ts'
import { passwordCaller } from '../../core/access/passwords/passwords.ts'
import { BUILT_IN_ROLES } from '../../core/access/rights/role-permissions.ts'
import { type Change, execute } from '../../core/execute.ts'
import { getInviteLinkPurpose, openOptional, sealOptional } from '../../core/secrets/optional-secrets.ts'
import type { Secrets } from '../../core/secrets/secrets.ts'
import type { ServerWorld } from '../../core/server-world.ts'
import { SYSTEM } from '../../core/world.ts'
import { addUser } from '../access/people/user-admin.ts'
import { requireDistinctLogins } from '../access/people/username-checks.ts'
import { grantInitialRoles, groupByProject, requireInitialRoles } from '../projects/initial-roles.ts'
import type { RoleAssigner } from '../projects/role-assignments.ts'
import { type LinkGrantor, selectGrantable } from './link-grantors.ts'

const SECRET_BYTES = 16
/** Role of users who sign up with a link: read-only. */
const VIEWER_ROLE_ID = 3
const MAX_LINKS = 500
const EXISTS = 'User already exists'
/** Maximum number of users per link, so that a leaked link cannot fill the database. */
const MAX_USERS = 1000

/** Users who signed up with each link, and the project roles that each link grants. */
export interface LinkContents {
  readonly users: readonly InvitedUser[]
  readonly roles: readonly InviteLinkRole[]
}

/** Dependencies of link views. */
export interface LinkViews {
  /** Public address of the server. */
  readonly base: string
  readonly secrets: Secrets
}

/**
 * Returns a link in the wire format. If the secret cannot be decrypted, the result contains the digest of the secret
 * and no address.
 */
export function toInviteLink(
  row: InviteLinkRow,
  { users, roles }: LinkContents,
  { base, secrets }: LinkViews,
  secret = openOptional(secrets, row.sealed_secret, getInviteLinkPurpose(row.secret)),
): InviteLink {
  const role = BUILT_IN_ROLES.find(({ id }) => id === VIEWER_ROLE_ID)
  return {
    secret: secret ?? row.secret,
    url: secret === undefined ? '' : `${base}/new-user?invite=${secret}`,
    ...toInviteLinkState(row),
    role: { id: VIEWER_ROLE_ID, name: role?.name ?? '', type: role?.type ?? '' },
    projectRoles: toInitialRoles(roles.filter(({ link_id }) => link_id === row.id)),
    users: users.filter(({ link_id }) => link_id === row.id).map(({ id, name, username }) => ({ id, name, username })),
  }
}

function toInitialRoles(roles: readonly InviteLinkRole[]): InitialRole[] {
  return roles.map(({ project, role_id: role }) => ({ project, role }))
}

/** Returns a link in the form used in events, without its secret. */
function toInviteLinkState({ id, name, expires_at, enabled, created_at, created_by }: InviteLinkRow) {
  return {
    id,
    name,
    expiresAt: new Date(Number(expires_at)).toISOString(),
    enabled: enabled === 1,
    createdAt: new Date(Number(created_at)).toISOString(),
    createdBy: created_by,
  }
}

/** Returns all links, oldest first, with three queries. */
export async function readInviteLinks(reader: Reader, views: LinkViews): Promise<InviteLink[]> {
  const contents = await readLinkContents(reader)
  return (await listInviteLinks(reader)).map((row) => toInviteLink(row, contents, views))
}

/** Returns the users and project roles for all links or for one. */
export async function readLinkContents(reader: Reader, link?: number): Promise<LinkContents> {
  return { users: await listInvitedUsers(reader, link), roles: await listInviteLinkRoles(reader, link) }
}

/**
 * Returns the link with the given secret, or with the given digest, which lists contain instead of the secret. Throws
 * NotFoundError.
 */
export async function requireInviteLink(reader: Reader, secret: string): Promise<InviteLinkRow> {
  const row = await findInviteLink(reader, secret)
  if (row !== undefined) return row
  throw notFound('Could not find public signup token.')
}

/** New link, with its secret and with the project roles for the users who sign up. */
export interface NewInviteLink {
  readonly row: InviteLinkRow
  readonly secret: string
  readonly roles: readonly InviteLinkRole[]
}

/**
 * Creates a link. At the limit, removes expired links that no one has used. Throws ValidationError for an invalid or
 * past time, ConflictError if the limit is exceeded, and the errors of `requireInitialRoles`.
 */
export const createInviteLink: Change<
  CreateInviteLink & RoleAssigner & { readonly grantor: LinkGrantor },
  NewInviteLink
> = async (tx, { name, expiresAt, projectRoles = [], giver, grantor }, { now, random, author, secrets }) => {
  await requireInitialRoles(tx, { roles: projectRoles, giver })
  const all = await listInviteLinks(tx)
  const good = all.filter(({ expires_at }) => Number(expires_at) > now)
  if (good.length >= MAX_LINKS) {
    throw new Problem('ConflictError', `There are ${MAX_LINKS} invite links already, the maximum.`)
  }
  if (all.length >= MAX_LINKS) await removeUnusedLinks(tx, now)
  const secret = Buffer.from(random(SECRET_BYTES)).toString('hex')
  const columns = {
    ...toSecretColumns(secrets, secret),
    name,
    expires_at: parseExpiry(expiresAt, now),
    enabled: 1,
    created_at: now,
    created_by: author.name,
  }
  const { id } = await tx.insertInto('invite_links').values(columns).returning('id').executeTakeFirstOrThrow()
  const row = { id, ...columns }
  const roles = [...groupByProject(projectRoles)].flatMap(([project, ids]) =>
    ids.map((role_id) => ({ link_id: id, project, role_id, ...grantor })),
  )
  await insertInviteLinkRoles(tx, roles)
  const data = { ...toInviteLinkState(row), ...(roles.length === 0 ? {} : { projectRoles: toInitialRoles(roles) }) }
  return { result: { row, secret, roles }, events: [{ type: 'public-signup-token-created', data }] }
}

/** Returns the columns that store the secret of a link. */
export function toSecretColumns(secrets: Secrets, plain: string) {
  const secret = digestSecret(plain)
  return { secret, sealed_secret: sealOptional(secrets, plain, getInviteLinkPurpose(secret)) }
}

/** Updates a link. An unchanged link creates no event. Throws NotFoundError, ValidationError. */
export const updateInviteLink: Change<{ secret: string; body: UpdateInviteLink }, InviteLinkRow> = async (
  tx,
  { secret, body: { expiresAt, enabled } },
  { now },
) => {
  const before = await requireInviteLink(tx, secret)
  if (expiresAt === undefined && enabled === undefined) {
    throw invalid('One of the properties `expiresAt` and `enabled` is required.', 'body')
  }
  const after: InviteLinkRow = {
    ...before,
    expires_at: expiresAt === undefined ? Number(before.expires_at) : parseExpiry(expiresAt, now),
    enabled: enabled === undefined ? before.enabled : Number(enabled),
  }
  const states = { data: toInviteLinkState(after), preData: toInviteLinkState(before) }
  if (JSON.stringify(states.data) === JSON.stringify(states.preData)) return { result: before, events: [] }
  await tx
    .updateTable('invite_links')
    .set({ expires_at: after.expires_at, enabled: after.enabled })
    .where('id', '=', before.id)
    .execute()
  return { result: after, events: [{ type: 'public-signup-token-updated', ...states }] }
}

/** Parses an expiry date and limits it to one calendar month from now. Throws ValidationError. */
function parseExpiry(text: string, now: number): number {
  const time = Date.parse(text)
  if (Number.isNaN(time))
    throw invalid(`"expiresAt" must be a date and a time. You provided "${text}".`, 'body/expiresAt')
  if (time <= now) throw invalid('"expiresAt" must be in the future.', 'body/expiresAt')
  const latest = new Date(now)
  latest.setUTCMonth(latest.getUTCMonth() + 1)
  return Math.min(time, latest.getTime())
}

/** Returns a link that is currently valid. Throws ValidationError without a reason if the link is not valid. */
export async function requireValidLink(reader: Reader, secret: string, now: number): Promise<InviteLinkRow> {
  const row = await findInviteLinkBySecret(reader, secret)
  if (row !== undefined && row.enabled === 1 && Number(row.expires_at) > now) return row
  throw new Problem('ValidationError', 'The invite link is invalid or has expired.')
}

/** Sign-up with a link, and where the request came from. */
export interface SignupInput {
  readonly secret: string
  readonly body: Signup
  readonly address: string
  readonly via: RequestRoute
}

/**
 * Creates an account with read access and the project roles that the creator of the link can still grant. Throws
 * PasswordWeakError, and ValidationError for an invalid link, a link at its limit, or an existing account.
 */
export async function signUp(world: ServerWorld, { secret, body, address, via }: SignupInput): Promise<UserRow> {
  const { email, password, username = null, name = null } = body
  await requireValidLink(world.db.reader, secret, world.clock())
  requireStrong(password, [username, email])
  const password_hash = await world.passwords.hash(password, passwordCaller({ address }))
  const columns = { username, email, name, password_hash, address_verified: 0 }
  const input = { secret, columns: { ...columns, must_change_password: 0, root_role: VIEWER_ROLE_ID } }
  return execute(world, { ...SYSTEM, address, via }, signUpByLink, input)
}

const signUpByLink: Change<{ secret: string; columns: Parameters<typeof addUser>[1] }, UserRow> = async (
  tx,
  { secret, columns },
  context,
) => {
  const link = await requireValidLink(tx, secret, context.now)
  if ((await listInvitedUsers(tx, link.id)).length >= MAX_USERS) {
    throw new Problem('ValidationError', `This invite link has reached its limit of ${MAX_USERS} sign-ups.`)
  }
  const { result, events } = await addDistinctUser(tx, columns, context).catch((error: unknown) => {
    if (error instanceof Problem && error.name === 'NameExistsError') {
      throw new Problem('ValidationError', EXISTS)
    }
    throw error
  })
  const { user } = result
  await tx.insertInto('invite_link_users').values({ link_id: link.id, user_id: user.id }).execute()
  const { roles, giver } = await selectGrantable(tx, await listOpenLinkRoles(tx, link.id), context.now)
  const granted = await grantInitialRoles(tx, { userId: user.id, roles, giver }, context)
  const data = { id: link.id, name: link.name, userId: user.id }
  return { result: user, events: [...events, ...granted, { type: 'public-signup-token-user-added', data }] }
}

const addDistinctUser: typeof addUser = async (tx, columns, context) => {
  await requireDistinctLogins(tx, columns)
  return addUser(tx, columns, context)
}
