import { notFound } from '@burgee/kit/input/refusals'
import {
  SCIM_GROUP,
  type ScimGroupInput,
  type ScimList,
  type ScimPatch,
  type ScimQuery,
  type ScimResource,
} from '@burgee/protocol/administration/scim'
import type { Reader, Tx } from '@burgee/storage/database'
import { type GroupMemberRow, type GroupRow, listGroupMembers } from '@burgee/storage/queries/access/groups'
import {
  findGroupByScimId,
  findUsersByScimIds,
  getScimId,
  listProvisionedGroupIds,
  listProvisionedGroups,
} from '@burgee/storage/queries/access/provisioned'
import type { UserRow } from '@burgee/storage/queries/access/users'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import type { Change, ChangeContext, Outcome } from '../../core/execute.ts'
import { changeGroup, createGroup, removeGroup, removeGroups } from '../access/groups/groups.ts'
import { toUserState } from '../access/people/user-admin.ts'
import { parseExternalId } from './external-id.ts'
import { getPart, isIncluded, selectAttributes, toScimList } from './pages.ts'
import { parseSteps, type ScimStep } from './patch-steps.ts'
import { parseMemberIds, requireFewMembers } from './patched-members.ts'
import { parseFilter } from './scim-filter.ts'
import { scimInvalid } from './scim-problem.ts'
import { adoptScimUsers } from './scim-users.ts'

/** Group as a directory describes it. Members are SCIM ids, in order. */
interface DirectoryGroup {
  readonly name: string
  readonly externalId: string | null
  readonly members: Set<string>
}

const MAX_NAME_LENGTH = 100

/** Converts a group to a SCIM resource. Omits `members` if they were not read from the database. */
export function toGroupResource(
  row: GroupRow,
  members: readonly GroupMemberRow[] | undefined,
  base: string,
): ScimResource {
  const id = getScimId(row)
  return {
    schemas: [SCIM_GROUP],
    id,
    ...(row.scim_external_id === null ? {} : { externalId: row.scim_external_id }),
    displayName: row.name,
    ...(members === undefined ? {} : { members: members.map((member) => toMember(member, base)) }),
    meta: {
      resourceType: 'Group',
      created: new Date(row.created_at).toISOString(),
      location: `${base}/scim/v2/Groups/${encodeURIComponent(id)}`,
    },
  }
}

function toMember(row: GroupMemberRow, base: string) {
  const value = getScimId(row)
  const display = row.name ?? row.username ?? row.email
  const $ref = `${base}/scim/v2/Users/${encodeURIComponent(value)}`
  return { value, $ref, type: 'User', ...(display === null ? {} : { display }) }
}

/** Returns one group. Throws NotFoundError. */
export async function readScimGroup(reader: Reader, id: string, query: ScimQuery, base: string) {
  const row = await requireScimGroup(reader, id)
  const members = isIncluded('members', query) ? await listGroupMembers(reader, row.id) : undefined
  return selectAttributes(toGroupResource(row, members, base), query)
}

/** Lists groups, including groups that no directory created. Throws ValidationError. */
export async function listScimGroups(reader: Reader, query: ScimQuery, base: string): Promise<ScimList> {
  const wanted = query.filter === undefined ? undefined : toGroupFilter(parseFilter(query.filter))
  const { rows, total } = await listProvisionedGroups(reader, wanted, getPart(query))
  const members = isIncluded('members', query)
    ? Map.groupBy(await listGroupMembers(reader, rows.length === 1 ? rows[0]?.id : undefined), (row) => row.group_id)
    : undefined
  const resources = rows.map((row) => toGroupResource(row, members && (members.get(row.id) ?? []), base))
  return toScimList(resources, total, query)
}

function toGroupFilter({ attribute, value }: ReturnType<typeof parseFilter>) {
  if (attribute === 'displayname') return { attribute: 'name' as const, value }
  if (attribute === 'externalid') return { attribute: 'externalId' as const, value }
  throw scimInvalid('invalidFilter', 'Groups can be filtered by displayName and externalId.')
}

/** Creates a group without roles. Throws ValidationError, NameExistsError, ConflictError. */
export const createScimGroup: Change<ScimGroupInput, GroupRow> = async (tx, body, context) => {
  const { displayName, externalId = null, members = [] } = body
  const name = parseName(displayName)
  const ids = members.map(({ value }) => value)
  const people = await findUsersByScimIds(tx, ids)
  const users = requireUsers(people, ids)
  const adopted = await adoptMembers(tx, people)
  const { result, events } = await createGroup(tx, { name, users }, context)
  const columns = { scim_id: context.newId(), scim_external_id: externalId }
  await tx.updateTable('groups').set(columns).where('id', '=', result.id).execute()
  return { result: { ...result, ...columns }, events: [...events, ...adopted] }
}

/**
 * Replaces a group. Omitted `members` and `externalId` keep their value. Throws the same errors as any other change to
 * groups.
 */
export const replaceScimGroup: Change<{ id: string; body: ScimGroupInput }, GroupRow> = async (tx, input, context) => {
  const before = await requireScimGroup(tx, input.id)
  const { displayName, externalId, members } = input.body
  const team = await readDirectoryGroup(tx, before)
  const ids = members?.map(({ value }) => value)
  const people = await findUsersByScimIds(tx, ids ?? [])
  const adopted = await adoptMembers(tx, people)
  const outcome = await write(tx, { before, people }, context, {
    name: parseName(displayName),
    externalId: externalId === undefined ? team.externalId : externalId,
    members: ids === undefined ? team.members : new Set(ids),
  })
  return { ...outcome, events: [...outcome.events, ...adopted] }
}

/** Patches a group and applies either all steps or none. */
export const patchScimGroup: Change<{ id: string; body: ScimPatch }, GroupRow> = async (tx, { id, body }, context) => {
  const before = await requireScimGroup(tx, id)
  const steps = parseSteps(body)
  requireFewMembers(steps)
  const given = steps.filter(({ op, attribute }) => op !== 'remove' && attribute === 'members')
  const people = await findUsersByScimIds(
    tx,
    given.flatMap(({ value }) => parseMemberIds(value)),
  )
  const adopted = await adoptMembers(tx, people)
  const team = steps.reduce(applyStep, await readDirectoryGroup(tx, before))
  const outcome = await write(tx, { before, people }, context, team)
  return { ...outcome, events: [...outcome.events, ...adopted] }
}

/**
 * Deletes a group and the roles that members have through it. Throws NotFoundError, ConflictError if no admin would
 * remain.
 */
export const removeScimGroup: Change<{ id: string }, void> = async (tx, { id }, context) =>
  removeGroup(tx, { id: (await requireScimGroup(tx, id)).id }, context)

/** Deletes all provisioned groups atomically (all groups or none). Throws ConflictError if no admin would remain. */
export const removeScimGroups: Change<undefined, void> = async (tx) => ({
  result: undefined,
  events: await removeGroups(tx, await listProvisionedGroupIds(tx)),
})

interface GroupUpdate {
  readonly before: GroupRow
  /** Users that the request names as members, by SCIM id. */
  readonly people: ReadonlyMap<string, UserRow>
}

async function write(
  tx: Tx,
  { before, people }: GroupUpdate,
  context: ChangeContext,
  team: DirectoryGroup,
): Promise<Outcome<GroupRow>> {
  const columns = { scim_id: getScimId(before), scim_external_id: team.externalId }
  if (columns.scim_id !== before.scim_id || columns.scim_external_id !== before.scim_external_id) {
    await tx.updateTable('groups').set(columns).where('id', '=', before.id).execute()
  }
  const stored = new Map((await listGroupMembers(tx, before.id)).map((row) => [getScimId(row), row]))
  const users = requireUsers(new Map<string, { id: number }>([...stored, ...people]), team.members)
  const { result, events } = await changeGroup(tx, { id: before.id, body: { name: team.name, users } }, context)
  const event =
    events.length > 0 || team.externalId === before.scim_external_id ? events : [buildLinkEvent(before, team)]
  return { result: { ...result, ...columns }, events: event }
}

/** Returns the event for a change that affects only the external id of a group. */
function buildLinkEvent({ id, name, scim_external_id }: GroupRow, { externalId }: DirectoryGroup) {
  const of = { id, name }
  return {
    type: 'group-updated' as const,
    data: { ...of, externalId },
    preData: { ...of, externalId: scim_external_id },
  }
}

async function readDirectoryGroup(reader: Reader, row: GroupRow): Promise<DirectoryGroup> {
  const members = new Set((await listGroupMembers(reader, row.id)).map(getScimId))
  return { name: row.name, externalId: row.scim_external_id, members }
}

/** Adopts the accounts that a directory names as members. */
async function adoptMembers(tx: Tx, people: ReadonlyMap<string, UserRow>): Promise<NewEvent[]> {
  const { revoked, events } = await adoptScimUsers(tx, [...people.values()])
  const changed = [...people.values()].flatMap((before): NewEvent[] => {
    const user = revoked.get(before.id)
    if (user === undefined) return []
    const data = { ...toUserState(user), passwordChanged: true }
    return [{ type: 'user-updated', data, preData: toUserState(before) }]
  })
  return [...changed, ...events]
}

/** Returns the users with the given SCIM ids. Throws ValidationError for an unknown id. */
function requireUsers(
  people: ReadonlyMap<string, { readonly id: number }>,
  ids: Iterable<string>,
): { user: { id: number } }[] {
  return [...new Set(ids)].map((scimId) => {
    const id = people.get(scimId)?.id
    if (id === undefined) throw scimInvalid('invalidValue', `There is no user with the id ${scimId}.`)
    return { user: { id } }
  })
}

function applyStep(before: DirectoryGroup, { op, attribute, selected, value }: ScimStep): DirectoryGroup {
  switch (attribute) {
    case 'displayname':
      return { ...before, name: parseName(op === 'remove' ? undefined : value) }
    case 'externalid':
      return { ...before, externalId: op === 'remove' ? null : parseExternalId(value) }
    case 'members':
      applyToMembers(before.members, { op, selected, value })
      return before
    default:
      return before
  }
}

/** Applies an operation to a set of members in place. A removal without values removes all members. */
function applyToMembers(members: Set<string>, { op, selected, value }: Omit<ScimStep, 'attribute'>): void {
  if (op === 'remove') {
    if (selected !== undefined) members.delete(selected)
    else if (value === undefined) members.clear()
    else for (const id of parseMemberIds(value)) members.delete(id)
    return
  }
  const ids = parseMemberIds(value)
  if (op === 'replace') members.clear()
  for (const id of ids) members.add(id)
}

function parseName(value: unknown): string {
  if (typeof value === 'string' && value.trim() !== '' && value.length <= MAX_NAME_LENGTH) return value
  throw scimInvalid('invalidValue', `A group needs a \`displayName\` of at most ${MAX_NAME_LENGTH} characters.`)
}

async function requireScimGroup(reader: Reader, id: string): Promise<GroupRow> {
  const row = await findGroupByScimId(reader, id)
  if (row === undefined) throw notFound(`There is no group with the id ${id}.`)
  return row
}
