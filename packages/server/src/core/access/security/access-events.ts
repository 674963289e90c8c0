import type { FieldValue } from '@burgee/kit/log/logger'
import type { Author, StoredEvent } from '@burgee/storage/queries/events/events'
import { BUILT_IN_ROLES } from '../rights/role-permissions.ts'
import type { SecurityEntry, SecurityEvent } from './security-entry.ts'

/**
 * Converts an event to a security log entry, using only fields that are not secret. Returns undefined for events that
 * do not concern access.
 */
type EntryBuilder = (event: StoredEvent) => AccessEntry | undefined

interface AccessEntry {
  readonly event: SecurityEvent
  readonly details: Readonly<Record<string, FieldValue>>
}

type State = Readonly<Record<string, unknown>>

/** Returns the security log entries for stored events. */
export function toAccessEntries(author: Author, events: readonly StoredEvent[]): SecurityEntry[] {
  const { name: actor, userId: actorId, address, via } = author
  return events.flatMap((event) => {
    const entry = ENTRY_BUILDERS[event.type]?.(event)
    return entry === undefined ? [] : [{ ...entry, result: 'success', actor, actorId, address, via }]
  })
}

const MAX_NAMED = 20

const ENTRY_BUILDERS: Readonly<Record<string, EntryBuilder | undefined>> = {
  'api-token-created': ({ data }) => apiToken('token-created', data),
  'api-token-updated': ({ data }) => apiToken('token-updated', data),
  'api-token-deleted': ({ preData }) => apiToken('token-deleted', preData),
  'test-run-created': (event) => testRun('token-created', event, event.data),
  'test-run-deleted': (event) => testRun('token-deleted', event, event.preData),
  'pat-created': ({ data }) => personalToken('token-created', data),
  'pat-deleted': ({ preData }) => personalToken('token-deleted', preData),
  'user-created': ({ data }) => account('user-created', data),
  'user-deleted': ({ preData }) => account('user-deleted', preData),
  'user-updated': userUpdated,
  'project-access-user-roles-updated': rolesChanged,
  'project-access-user-roles-deleted': rolesChanged,
  'project-access-group-roles-updated': rolesChanged,
  'project-access-group-roles-deleted': rolesChanged,
  'service-account-created': ({ data }) => account('user-created', data),
  'service-account-updated': userUpdated,
  'service-account-deleted': ({ preData }) => account('user-deleted', preData),
  'role-created': ({ data }) => role('role-made', data),
  'role-updated': ({ data }) => role('role-edited', data),
  'role-deleted': ({ preData }) => role('role-removed', preData),
  'change-request-configuration-updated': guardChanged,
  'change-request-skipped': guardSkipped,
  'group-created': groupChanged,
  'group-updated': groupChanged,
  'group-deleted': groupChanged,
  'group-user-added': memberChanged,
  'group-user-removed': memberChanged,
}

function apiToken(event: SecurityEvent, state: unknown): AccessEntry {
  const { id, tokenName, type, environment, projects } = state as State
  const names = (projects as readonly string[]).join(', ')
  const token = { token: String(id), tokenName: String(tokenName), type: String(type) }
  return { event, details: { ...token, environment: String(environment), projects: names } }
}

/** Logs both tokens of a test run as one entry. */
function testRun(event: SecurityEvent, { project, environment }: StoredEvent, state: unknown): AccessEntry {
  const { id, name } = state as State
  const token = { token: String(id), tokenName: String(name), type: 'test-run' }
  return { event, details: { ...token, environment: String(environment), projects: String(project) } }
}

function personalToken(event: SecurityEvent, state: unknown): AccessEntry {
  const { id, description, userId } = state as State
  const token = { token: Number(id), tokenName: String(description), type: 'personal' }
  return { event, details: { ...token, subjectId: Number(userId) } }
}

function account(event: SecurityEvent, state: unknown): AccessEntry {
  return { event, details: { ...toSubject(state), role: rootRole(state) } }
}

function role(event: SecurityEvent, state: unknown): AccessEntry {
  const { id, name, permissions } = state as State
  const given = (permissions as readonly { readonly name: string; readonly environment?: string }[]).map(
    (one) => `${one.name}${one.environment === undefined ? '' : ` in ${one.environment}`}`,
  )
  // the number of names in an entry is limited, because a role can have thousands of permissions
  const more = given.length > MAX_NAMED ? ` and ${given.length - MAX_NAMED} more` : ''
  return {
    event,
    details: { role: String(name), roleId: Number(id), gives: `${given.slice(0, MAX_NAMED).join(', ')}${more}` },
  }
}

/** Logs a change to a group's root role. Other changes to a group are not logged, because they do not affect rights. */
function groupChanged({ data, preData }: StoredEvent): AccessEntry | undefined {
  const [after, before] = [(data ?? {}) as State, (preData ?? {}) as State]
  const [given, givenBefore] = [groupRole(after), groupRole(before)]
  if (given === givenBefore) return undefined
  const group = { group: String(after.name ?? before.name), groupId: Number(after.id ?? before.id) }
  return { event: 'role-changed', details: { ...group, role: given, roleBefore: givenBefore } }
}

function groupRole({ rootRole: given }: State): string {
  return given === undefined || given === null ? '' : roleName(given)
}

function memberChanged({ data, preData }: StoredEvent): AccessEntry {
  const { groupName, groupId, userId } = (data ?? preData) as State
  const member = { subjectId: Number(userId), group: String(groupName), groupId: Number(groupId) }
  return { event: data === null ? 'group-left' : 'group-joined', details: member }
}

function userUpdated({ data, preData }: StoredEvent): AccessEntry | undefined {
  const { passwordChanged, resetLinkMade, sessionsEnded } = data as State
  const details = toSubject(preData)
  if (passwordChanged === true) return { event: 'password-changed', details }
  if (resetLinkMade === true) return { event: 'reset-link-made', details }
  if (sessionsEnded !== undefined) {
    return { event: 'sessions-ended', details: { ...details, count: Number(sessionsEnded) } }
  }
  const [role, roleBefore] = [rootRole(data), rootRole(preData)]
  return role === roleBefore ? undefined : { event: 'role-changed', details: { ...details, role, roleBefore } }
}

function rolesChanged({ data, preData, project }: StoredEvent): AccessEntry {
  const { userId, groupId } = (data ?? preData) as State
  const member = { ...(groupId === undefined ? { subjectId: Number(userId) } : { groupId: Number(groupId) }), project }
  return { event: 'role-changed', details: { ...member, role: projectRoles(data), roleBefore: projectRoles(preData) } }
}

/**
 * Logs a change to change-request protection in the security log, in addition to the project's events, because without
 * protection, flags can be changed without a review.
 */
function guardChanged({ data, preData, project, environment }: StoredEvent): AccessEntry {
  const [after, before] = [data as State, preData as State]
  const place = { project: String(project), environment: String(environment) }
  const approvals = { approvals: formatApprovals(after), approvalsBefore: formatApprovals(before) }
  return { event: 'change-requests-changed', details: { ...place, ...approvals } }
}

function formatApprovals({ enabled, requiredApprovals }: State): string {
  return enabled === true ? String(requiredApprovals) : 'off'
}

function guardSkipped({ project, environment }: StoredEvent): AccessEntry {
  return { event: 'change-requests-skipped', details: { project: String(project), environment: String(environment) } }
}

function toSubject(state: unknown) {
  const { id, username, email } = state as State
  return { subject: String(email ?? username ?? ''), subjectId: Number(id) }
}

function rootRole(state: unknown): string {
  const { rootRole: role } = state as State
  return roleName(role)
}

function projectRoles(state: unknown): string {
  const roles = ((state as State | null)?.roles ?? []) as readonly number[]
  return roles.map(roleName).join(', ')
}

/** Returns the name of a built-in role, or the id of a custom role. */
function roleName(role: unknown): string {
  return BUILT_IN_ROLES.find(({ id }) => id === role)?.name ?? String(role)
}
