import { notFound } from '@burgee/kit/input/refusals'
import {
  SCIM_USER,
  type ScimList,
  type ScimPatch,
  type ScimQuery,
  type ScimResource,
  type ScimUserInput,
} from '@burgee/protocol/administration/scim'
import { EMAIL_PATTERN, USERNAME_PATTERN } from '@burgee/protocol/user'
import type { Reader, Tx } from '@burgee/storage/database'
import {
  findUserByScimId,
  getScimId,
  listProvisionedUserIds,
  listProvisionedUsers,
} from '@burgee/storage/queries/access/provisioned'
import { removeResetTokens } from '@burgee/storage/queries/access/reset-tokens'
import { deleteAllSessions } from '@burgee/storage/queries/access/sessions'
import { insertUser, type UserRow } from '@burgee/storage/queries/access/users'
import { requireRemainingAdmin } from '../../core/access/rights/last-admin.ts'
import { getRootRoleId } from '../../core/access/rights/root-roles.ts'
import type { Change, Outcome } from '../../core/execute.ts'
import {
  type Adoption,
  type Adoptions,
  adoptAccount,
  adoptAccounts,
  type VouchedIdentity,
} from '../access/people/adoption.ts'
import { removePeople, removeUser, toUserState } from '../access/people/user-admin.ts'
import { requireFreeLogins } from '../access/people/username-checks.ts'
import { parseExternalId } from './external-id.ts'
import { getPart, selectAttributes, toScimList } from './pages.ts'
import { parseSteps, type ScimStep } from './patch-steps.ts'
import { parseFilter } from './scim-filter.ts'
import { scimInvalid } from './scim-problem.ts'

/** Person as described by a directory, limited to the stored attributes. */
interface DirectoryPerson {
  readonly userName: string
  readonly email: string | null
  readonly name: string | null
  readonly externalId: string | null
  readonly active: boolean
}

const MAX_NAME_LENGTH = 200
const MAX_USERNAME_LENGTH = 100
const MAX_EMAIL_LENGTH = 254

/** Converts a user to a SCIM resource. `base` is the address of the server. */
export function toUserResource(row: UserRow, base: string): ScimResource {
  const id = getScimId(row)
  const { userName, email, name, externalId, active } = toPerson(row)
  return {
    schemas: [SCIM_USER],
    id,
    ...(externalId === null ? {} : { externalId }),
    userName,
    ...(name === null ? {} : { displayName: name, name: { formatted: name } }),
    ...(email === null ? {} : { emails: [{ value: email, type: 'work', primary: true }] }),
    active,
    meta: {
      resourceType: 'User',
      created: new Date(row.created_at).toISOString(),
      location: `${base}/scim/v2/Users/${encodeURIComponent(id)}`,
    },
  }
}

/** Returns one user. Throws NotFoundError. */
export async function readScimUser(reader: Reader, id: string, query: ScimQuery, base: string) {
  return selectAttributes(toUserResource(await requireScimUser(reader, id), base), query)
}

const LOGINS = ['username', 'emails', 'emails.value']

/**
 * Lists users, including users that no directory created, so that a directory can link them. Throws ValidationError.
 */
export async function listScimUsers(reader: Reader, query: ScimQuery, base: string): Promise<ScimList> {
  const wanted = query.filter === undefined ? undefined : toUserFilter(parseFilter(query.filter))
  const { rows, total } = await listProvisionedUsers(reader, wanted, getPart(query))
  return toScimList(
    rows.map((row) => toUserResource(row, base)),
    total,
    query,
  )
}

function toUserFilter({ attribute, value }: ReturnType<typeof parseFilter>) {
  if (LOGINS.includes(attribute)) return { attribute: 'login' as const, value }
  if (attribute === 'externalid') return { attribute: 'externalId' as const, value }
  throw scimInvalid('invalidFilter', 'Users can be filtered by userName, emails and externalId.')
}

/** Creates a viewer account without a password. Throws ValidationError, NameExistsError. */
export const createScimUser: Change<ScimUserInput, UserRow> = async (tx, body, { now, newId }) => {
  const nobody: DirectoryPerson = { userName: '', email: null, name: null, externalId: null, active: true }
  const columns = toColumns(applyBody(nobody, body))
  await requireFreeLogins(tx, columns)
  const row = await insertUser(tx, {
    ...columns,
    scim_id: newId(),
    password_hash: '',
    root_role: getRootRoleId('Viewer'),
    must_change_password: 0,
    login_attempts: 0,
    created_at: now,
    seen_at: null,
    address_verified: 1,
  })
  return { result: row, events: [{ type: 'user-created', data: toEventState(row) }] }
}

/**
 * Replaces a user; omitted attributes keep their value. Throws NotFoundError, ValidationError, NameExistsError, and
 * ConflictError if no admin would remain.
 */
export const replaceScimUser: Change<{ id: string; body: ScimUserInput }, UserRow> = async (tx, { id, body }) => {
  const before = await requireScimUser(tx, id)
  const adoption = await adoptScimUser(tx, before)
  return write(tx, { before, adoption }, applyBody(toPerson(adoption.user), body))
}

/** Patches a user and applies either all steps or none. Throws the same errors as `replaceScimUser`. */
export const patchScimUser: Change<{ id: string; body: ScimPatch }, UserRow> = async (tx, { id, body }) => {
  const before = await requireScimUser(tx, id)
  const adoption = await adoptScimUser(tx, before)
  return write(tx, { before, adoption }, parseSteps(body).reduce(applyStep, toPerson(adoption.user)))
}

/** Deletes a user in the same way as an administrator. Throws NotFoundError, ConflictError if no admin would remain. */
export const removeScimUser: Change<{ id: string }, void> = async (tx, { id }, context) =>
  removeUser(tx, { id: (await requireScimUser(tx, id)).id }, context)

/** Deletes all provisioned users atomically (all users or none). Throws ConflictError if no admin would remain. */
export const removeScimUsers: Change<undefined, void> = async (tx) => ({
  result: undefined,
  events: await removePeople(tx, await listProvisionedUserIds(tx)),
})

/**
 * Adopts an account for the person to whom a directory assigns it. For an unverified account, only the `userName`
 * counts as confirmed, because the directory found the account by it.
 */
export async function adoptScimUser(tx: Tx, user: UserRow): Promise<Adoption> {
  return adoptAccount(tx, { user, vouched: toVouchedIdentity(user), isNewlyLinked: user.scim_id === null })
}

/**
 * Adopts several accounts, like `adoptScimUser`, because they become members of a group. This does not link the
 * accounts to the directory.
 */
export async function adoptScimUsers(tx: Tx, users: readonly UserRow[]): Promise<Adoptions> {
  return adoptAccounts(
    tx,
    users.map((user) => ({ user, vouched: toVouchedIdentity(user), isNewlyLinked: false })),
  )
}

function toVouchedIdentity(user: UserRow): VouchedIdentity {
  const shown = toPerson(user)
  const { username, email } = toColumns({ ...shown, email: user.username === null ? user.email : null })
  return { username, email, name: null }
}

interface UserUpdate {
  readonly before: UserRow
  readonly adoption: Adoption
}

async function write(tx: Tx, { before, adoption }: UserUpdate, person: DirectoryPerson): Promise<Outcome<UserRow>> {
  const after: UserRow = { ...adoption.user, ...toColumns(person), scim_id: getScimId(before) }
  const { username, email, name, scim_id, scim_external_id, active } = after
  if (username !== before.username || email !== before.email) {
    await requireFreeLogins(tx, { username: username === before.username ? null : username, email }, before.id)
  }
  const states = { data: toEventState(after), preData: toEventState(before) }
  if (!adoption.isRevoked && JSON.stringify(states.data) === JSON.stringify(states.preData)) {
    return { result: before, events: [] }
  }
  await requireRemainingAdmin(tx, async () => {
    const columns = { username, email, name, scim_id, scim_external_id, active }
    await tx.updateTable('users').set(columns).where('id', '=', before.id).execute()
  })
  if (active === 0) await deleteAllSessions(tx, { userId: before.id })
  if (active === 0) await removeResetTokens(tx, before.id)
  const data = adoption.isRevoked ? { ...states.data, passwordChanged: true } : states.data
  const updated = { type: 'user-updated' as const, data, preData: states.preData }
  return { result: after, events: [updated, ...adoption.events] }
}

/** Returns the state of a provisioned user for events. */
function toEventState(row: UserRow) {
  const { scim_id: scimId, scim_external_id: externalId, active } = row
  return { ...toUserState(row), scimId, externalId, active: active === 1 }
}

function toPerson(row: UserRow): DirectoryPerson {
  const userName = row.username ?? row.email ?? String(row.id)
  return { userName, email: row.email, name: row.name, externalId: row.scim_external_id, active: row.active === 1 }
}

/**
 * Converts a person to the columns of a user row. A user who logs in with an e-mail address gets no username. Single
 * sign-on then finds the same account by that address.
 */
function toColumns({ userName, email: given, name, externalId, active }: DirectoryPerson) {
  const email = given ?? (new RegExp(EMAIL_PATTERN).test(userName) ? userName : null)
  if (email !== null && (email.length > MAX_EMAIL_LENGTH || !new RegExp(EMAIL_PATTERN).test(email))) {
    throw scimInvalid('invalidValue', 'The `emails` property contains an invalid e-mail address.')
  }
  const isAddress = email !== null && userName.toLowerCase() === email.toLowerCase()
  if (!isAddress && (userName.length > MAX_USERNAME_LENGTH || !new RegExp(USERNAME_PATTERN).test(userName))) {
    throw scimInvalid('invalidValue', 'The `userName` property must have 1 to 100 characters.')
  }
  if ((name ?? '').length > MAX_NAME_LENGTH)
    throw scimInvalid('invalidValue', 'The `displayName` property is too long.')
  return { username: isAddress ? null : userName, email, name, scim_external_id: externalId, active: Number(active) }
}

function applyBody(
  before: DirectoryPerson,
  { userName, externalId, displayName, name, emails, active }: ScimUserInput,
): DirectoryPerson {
  const joined = [name?.givenName, name?.familyName].filter(Boolean).join(' ')
  const email = emails?.find(({ primary }) => primary === true)?.value ?? emails?.[0]?.value
  return {
    userName,
    email: email ?? (emails === undefined ? getMovedEmail(before, userName) : null),
    name: displayName ?? name?.formatted ?? (joined === '' ? before.name : joined),
    externalId: externalId === undefined ? before.externalId : externalId,
    active: active ?? before.active,
  }
}

/**
 * Returns the e-mail address of a user after the `userName` has changed; null if the address was the previous
 * `userName`.
 */
function getMovedEmail({ email, userName: before }: DirectoryPerson, userName: string): string | null {
  return email !== null && email.toLowerCase() === before.toLowerCase() && userName !== before ? null : email
}

/** Applies a step of a patch; ignores attributes that are not stored, such as titles and phone numbers. */
function applyStep(before: DirectoryPerson, { op, attribute, value }: ScimStep): DirectoryPerson {
  const text = () => parseText(attribute, op === 'remove' ? null : value)
  switch (attribute) {
    case 'active':
      return { ...before, active: op === 'remove' ? true : parseBoolean(value) }
    case 'username': {
      const userName = text()
      if (userName === null || userName === '') throw scimInvalid('invalidValue', 'A user needs a `userName`.')
      return { ...before, userName, email: getMovedEmail(before, userName) }
    }
    case 'displayname':
    case 'name.formatted':
      return { ...before, name: text() }
    case 'externalid':
      return { ...before, externalId: op === 'remove' ? null : parseExternalId(value) }
    case 'emails.value':
      return { ...before, email: text() }
    case 'emails':
      return { ...before, email: op === 'remove' ? null : parseEmail(value) }
    default:
      return before
  }
}

function parseText(attribute: string, value: unknown): string | null {
  if (value === null) return null
  if (typeof value === 'string' && value.length <= MAX_EMAIL_LENGTH) return value
  throw scimInvalid(
    'invalidValue',
    `The \`${attribute}\` property must be a string of at most ${MAX_EMAIL_LENGTH} characters.`,
  )
}

/** Parses a boolean; accepts strings as well, because some directories send them. */
function parseBoolean(value: unknown): boolean {
  const word = typeof value === 'string' ? value.toLowerCase() : value
  if (word === true || word === 'true') return true
  if (word === false || word === 'false') return false
  throw scimInvalid('invalidValue', 'The `active` property must be true or false.')
}

function parseEmail(value: unknown): string | null {
  const all = (Array.isArray(value) ? value : [value]) as readonly { value?: unknown; primary?: unknown }[]
  const one = all.find((each) => each?.primary === true) ?? all[0]
  return parseText('emails', one?.value ?? null)
}

async function requireScimUser(reader: Reader, id: string): Promise<UserRow> {
  const row = await findUserByScimId(reader, id)
  if (row === undefined) throw notFound(`There is no user with the id ${id}.`)
  return row
}
