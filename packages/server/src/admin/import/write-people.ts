import type { SourceUser } from '@burgee/import/model/source-people'
import { insertAll, insertWithIds, raiseNextId } from '@burgee/storage/queries/import/explicit-ids'
import { findDeceptiveAccounts } from '../../core/access/logins/find-deceptive-accounts.ts'
import { ALREADY_EXISTS, type ImportContext } from './import-order.ts'
import { matchUsers } from './match-users.ts'
import { readNames } from './write-material.ts'
import { writeRoles } from './write-roles.ts'

const VIEWER_ROLE = 3
const BY_IMPORT = 'import'
const USER_EXISTS = 'a user with this username or e-mail address already exists and stays unchanged'
const NO_ROLE = 'without a role in the source; Viewer here'
const NO_PASSWORD = 'the password is unknown: send a link to set a new one'
const DECEPTIVE = 'imported, but it can be mistaken for another account; consider another username: it'
const NAME_CONFLICT = 'a user with this username exists here, but the e-mail address differs or is not verified'

/** Writes roles, users, groups and memberships. Environments and projects must be written first. */
export async function writePeople(writing: ImportContext): Promise<void> {
  await writeRoles(writing)
  await writeUsers(writing)
  const groups = await writeGroups(writing)
  await writeMemberships(writing, groups)
}

/** Writes users. Matched users stay unchanged. Other users keep their id from the source if that id is free. */
async function writeUsers({ order, tx, installation, tally, roles, users, matched }: ImportContext): Promise<void> {
  const existing = await tx
    .selectFrom('users')
    .select(['id', 'email', 'username', 'address_verified', 'own_email'])
    .execute()
  const matches = matchUsers(installation.users, existing)
  const rows = []
  for (const { user, id, by } of matches.users) {
    users.set(user.id, id)
    if (by !== undefined) {
      matched.set(user.id, by)
      tally.addNote('user', getUserName(user), 'not carried', USER_EXISTS)
      continue
    }
    const rootRole = user.rootRole === undefined ? undefined : roles.get(user.rootRole)
    if (rootRole === undefined) tally.addNote('user', getUserName(user), 'approximated', NO_ROLE)
    if (user.password.kind === 'unknown') tally.addNote('user', getUserName(user), 'approximated', NO_PASSWORD)
    rows.push(toUserRow(user, id, rootRole ?? VIEWER_ROLE))
  }
  tally.count('user', installation.users.length, rows.length)
  const added = new Set(rows.map(({ id }) => id))
  for (const { id, username, reason } of findDeceptiveAccounts([...existing, ...rows]))
    if (added.has(id)) tally.addNote('user', username, 'exact', `${DECEPTIVE} ${reason}`)
  await insertWithIds(tx, 'users', rows)
  if (!order.isTrial) await raiseNextId(tx, 'users', matches.highestId)
}

function toUserRow(user: SourceUser, id: number, rootRole: number) {
  return {
    id,
    username: user.username,
    email: user.email,
    name: user.name,
    root_role: rootRole,
    password_hash: getPasswordHash(user),
    must_change_password: 0,
    login_attempts: user.loginAttempts,
    created_at: user.createdAt,
    seen_at: user.seenAt,
    is_service: Number(user.isService),
    image_url: user.imageUrl,
    scim_id: user.scimId,
    scim_external_id: user.scimExternalId,
    address_verified: 0,
  }
}

/**
 * Returns the password hash. If there is no hash, password login is impossible. A bcrypt hash is replaced at the first
 * login.
 */
function getPasswordHash({ password, isService }: SourceUser): string {
  return password.kind === 'bcrypt' && !isService ? password.hash : ''
}

function getUserName({ id, username, email, name }: SourceUser): string {
  return username ?? email ?? name ?? `user ${id}`
}

async function writeGroups({
  tx,
  installation,
  tally,
  roles,
  users,
  matched,
}: ImportContext): Promise<Map<number, number>> {
  const there = new Map(
    (await tx.selectFrom('groups').select(['id', 'name']).execute()).map((row) => [row.name, row.id]),
  )
  const groups = new Map<number, number>()
  for (const group of installation.groups) {
    const known = there.get(group.name)
    if (known !== undefined) {
      tally.addNote('group', group.name, 'not carried', ALREADY_EXISTS)
      groups.set(group.id, known)
      continue
    }
    const { id } = await tx
      .insertInto('groups')
      .values({
        name: group.name,
        description: group.description,
        mappings_sso: JSON.stringify(group.mappings),
        root_role: group.rootRole === null ? null : (roles.get(group.rootRole) ?? null),
        created_by: BY_IMPORT,
        created_at: group.createdAt,
        scim_id: group.scimId,
        scim_external_id: group.scimExternalId,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    there.set(group.name, id)
    groups.set(group.id, id)
    const strangers = group.users.filter((user) => matched.get(user) === 'username')
    for (const user of strangers)
      tally.addNote('membership', `user ${user} in ${group.name}`, 'not carried', NAME_CONFLICT)
    const members = new Set(group.users.flatMap((user) => (strangers.includes(user) ? [] : (users.get(user) ?? []))))
    await insertAll(
      tx,
      'group_members',
      [...members].map((user_id, position) => ({
        group_id: id,
        user_id,
        joined_at: group.createdAt,
        created_by: BY_IMPORT,
        position,
      })),
    )
  }
  const skipped = tally.notes.filter(({ kind, fidelity }) => kind === 'group' && fidelity === 'not carried').length
  tally.count('group', installation.groups.length, installation.groups.length - skipped)
  return groups
}

/** Writes the roles of users and groups in projects. Omits assignments whose role, member or project is missing. */
async function writeMemberships(writing: ImportContext, groups: ReadonlyMap<number, number>): Promise<void> {
  const { tx, installation, tally, roles, users, matched, moment } = writing
  const projects = await readNames(writing, 'projects', 'id')
  const rows = new Map<string, { project: string; role_id: number; member: number; kind: 'user' | 'group' }>()
  for (const { project, role, member } of installation.memberships) {
    const role_id = roles.get(role)
    const id = (member.kind === 'user' ? users : groups).get(member.id)
    if (member.kind === 'user' && matched.get(member.id) === 'username') {
      tally.addNote('membership', `user ${member.id} in ${project}`, 'not carried', NAME_CONFLICT)
    } else if (role_id === undefined || id === undefined || !projects.has(project)) {
      tally.addNote(
        'membership',
        `${member.kind} ${member.id} in ${project}`,
        'not carried',
        'the role, member or project no longer exists',
      )
    } else {
      rows.set(JSON.stringify([project, role_id, member.kind, id]), { project, role_id, member: id, kind: member.kind })
    }
  }
  tally.count('membership', installation.memberships.length, rows.size)
  const all = [...rows.values()]
  const people = all.filter(({ kind }) => kind === 'user')
  for (const { project, role_id, member: user_id } of people) {
    const row = { project, role_id, user_id, created_at: moment.now }
    await tx
      .insertInto('project_members')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
  for (const { project, role_id, member: group_id } of all.filter(({ kind }) => kind === 'group')) {
    const row = { project, role_id, group_id, created_at: moment.now }
    await tx
      .insertInto('project_groups')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}
