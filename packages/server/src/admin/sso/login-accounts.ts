import type { Tx } from '@burgee/storage/database'
import { deleteGroupMembers, insertGroupMember } from '@burgee/storage/queries/access/groups'
import { findRoleById } from '@burgee/storage/queries/access/roles'
import { findUserByEmail, insertUser, type UserRow } from '@burgee/storage/queries/access/users'
import { findUserByIdentity, hasIdentity, putIdentity } from '@burgee/storage/queries/sso/identities'
import { BY_SSO, listGroupsWithMembership } from '@burgee/storage/queries/sso/sso-groups'
import { requireRemainingAdmin } from '../../core/access/rights/last-admin.ts'
import type { Change, ChangeContext, Outcome } from '../../core/execute.ts'
import { adoptAccount, isAddressVerified } from '../access/people/adoption.ts'
import { toUserState } from '../access/people/user-admin.ts'
import { requireFreeLogins } from '../access/people/username-checks.ts'
import type { Person } from './claims.ts'
import type { StoredOidc } from './oidc-settings.ts'

/**
 * Thrown if a person authenticated by the provider cannot use an account of this installation; the message is shown to
 * that person.
 */
export class NoAccount extends Error {
  override readonly name = 'NoAccount'
}

interface SsoLogin {
  readonly person: Person
  readonly settings: StoredOidc
  /** Throws if no account may be created at present. */
  readonly requireNewAllowed: () => void
}
type Events = Outcome<unknown>['events'][number][]

/**
 * Returns the account of a person who logs in through the provider, and syncs the groups of the account. Looks for an
 * account that is linked to the identity. If there is none, links an account with the same verified address. If there
 * is no such account either, creates one, provided that this is enabled. Throws NoAccount, NameExistsError, and
 * ConflictError if no admin would remain. After an error, nothing has changed.
 */
export const resolveAccount: Change<SsoLogin, UserRow> = async (tx, arriving, context) => {
  const events: Events = []
  const known = await findUserByIdentity(tx, arriving.person)
  if (known !== undefined) requireDomain(arriving)
  const user =
    known === undefined
      ? await linkOrCreateAccount(tx, arriving, context, events)
      : await adoptUnverifiedAccount(tx, known, { person: arriving.person, context, events })
  if (user.is_service === 1) throw new NoAccount('This is a service account.')
  if (user.active === 0) throw new NoAccount('This account was deactivated. Ask an administrator.')
  if (arriving.person.groups !== undefined) {
    await requireRemainingAdmin(tx, () =>
      syncGroups(tx, { user, groups: arriving.person.groups ?? [] }, context, events),
    )
  }
  return { result: user, events }
}

async function linkOrCreateAccount(
  tx: Tx,
  arriving: SsoLogin,
  context: ChangeContext,
  events: Events,
): Promise<UserRow> {
  const { person, settings } = arriving
  const email = requireVerifiedEmail(arriving)
  const found = await findUserByEmail(tx, email)
  if (found === undefined && !settings.autoCreate) {
    throw new NoAccount(`There is no account for ${email}. Ask an administrator to create one.`)
  }
  if (found !== undefined && (await hasIdentity(tx, found.id, person.issuer))) {
    throw new NoAccount(`The account of ${email} belongs to another user at the provider. Ask an administrator.`)
  }
  if (found !== undefined) return adoptLinkedAccount(tx, found, { person, context, events })
  const user = await createAccount(tx, arriving, email, context)
  await putIdentity(tx, person, { userId: user.id, now: context.now })
  events.push({ type: 'user-created', data: { ...toUserState(user), singleSignOn: true } })
  return user
}

/** Person who takes over an account, the context of the change, and its list of events. */
type Takeover = { readonly person: Person; readonly context: ChangeContext; readonly events: Events }

/**
 * Adopts the account and links it to the identity. The provider has confirmed only the address of the account, not the
 * fields that the account holder has set.
 */
async function adoptLinkedAccount(tx: Tx, user: UserRow, { person, context, events }: Takeover): Promise<UserRow> {
  const vouched = { username: null, email: user.email, name: person.name }
  const adoption = await adoptAccount(tx, { user, vouched, isNewlyLinked: true })
  await putIdentity(tx, person, { userId: user.id, now: context.now })
  const revoked = adoption.isRevoked ? { passwordChanged: true } : {}
  const data = { ...toUserState(adoption.user), singleSignOn: true, ...revoked }
  events.push({ type: 'user-updated', data, preData: toUserState(user) }, ...adoption.events)
  return adoption.user
}

/** Adopts an account that was linked to the provider while its address was still unverified. */
async function adoptUnverifiedAccount(tx: Tx, known: UserRow, takeover: Takeover): Promise<UserRow> {
  return isAddressVerified(known) ? known : adoptLinkedAccount(tx, known, takeover)
}

async function createAccount(tx: Tx, arriving: SsoLogin, email: string, { now }: ChangeContext): Promise<UserRow> {
  const { name } = arriving.person
  arriving.requireNewAllowed()
  const root_role = arriving.settings.defaultRootRoleId
  if ((await findRoleById(tx, root_role)) === undefined) {
    throw new NoAccount('The role for new users was deleted. Ask an administrator to set another one.')
  }
  const columns = { username: null, email, name, password_hash: '', root_role }
  await requireFreeLogins(tx, columns)
  return insertUser(tx, {
    ...columns,
    must_change_password: 0,
    login_attempts: 0,
    created_at: now,
    seen_at: null,
    address_verified: 1,
  })
}

/**
 * Returns the e-mail address of the person who logs in. Throws NoAccount if the provider has not verified the address,
 * or if its domain is not allowed.
 */
function requireVerifiedEmail(arriving: SsoLogin): string {
  const { person, settings } = arriving
  if (person.email === undefined) throw new NoAccount('The provider returned no e-mail address.')
  const isBelieved = person.isVerified ?? settings.trustEmail
  if (!isBelieved) throw new NoAccount('The provider does not confirm that the e-mail address is verified.')
  requireDomain(arriving)
  return person.email
}

function requireDomain({ person: { email }, settings: { emailDomains } }: SsoLogin): void {
  const domains = emailDomains
    .split(',')
    .map((one) => one.trim().toLowerCase())
    .filter((one) => one !== '')
  if (domains.length === 0) return
  const own = email?.slice(email.lastIndexOf('@') + 1).toLowerCase()
  if (own === undefined || !domains.includes(own)) throw new NoAccount('Addresses of this domain may not log in here.')
}

/** Syncs group memberships. Removes only memberships that single sign-on added. */
async function syncGroups(
  tx: Tx,
  { user, groups }: { user: UserRow; groups: readonly string[] },
  { now }: ChangeContext,
  events: Events,
): Promise<void> {
  const named = new Set(groups)
  for (const { id, name, mappings, joinedBy } of await listGroupsWithMembership(tx, user.id)) {
    const isWanted = mappings.some((mapping) => named.has(mapping))
    const data = { groupId: id, groupName: name, userId: user.id, singleSignOn: true }
    if (isWanted && joinedBy === null) {
      await insertGroupMember(tx, { groupId: id, userId: user.id, now, by: BY_SSO })
      events.push({ type: 'group-user-added', data })
    } else if (!isWanted && joinedBy === BY_SSO) {
      await deleteGroupMembers(tx, { groupId: id, userIds: [user.id] })
      events.push({ type: 'group-user-removed', preData: data })
    }
  }
}
