import type { FieldValue } from '@burgee/kit/log/logger'
import type { Author, StoredEvent } from '../../store/events/events.ts'
import { PROJECT_ROLES } from '../projects/project-access.ts'
import type { SecurityEntry, SecurityEvent } from './security-entry.ts'
import { ROOT_ROLES } from './user-admin.ts'

/**
 * What a change of access is told as; undefined for what concerns no access. Takes from states only what is no secret.
 */
type Teller = (event: StoredEvent) => Told | undefined

interface Told {
  readonly event: SecurityEvent
  readonly details: Readonly<Record<string, FieldValue>>
}

type State = Readonly<Record<string, unknown>>

/** Lines of the security log about events that were written. */
export function accessEntries(author: Author, events: readonly StoredEvent[]): SecurityEntry[] {
  const { name: actor, userId: actorId, address, via } = author
  return events.flatMap((event) => {
    const told = TELLERS[event.type]?.(event)
    return told === undefined ? [] : [{ ...told, result: 'success', actor, actorId, address, via }]
  })
}

const TELLERS: Readonly<Record<string, Teller | undefined>> = {
  'api-token-created': ({ data }) => apiToken('token-created', data),
  'api-token-updated': ({ data }) => apiToken('token-updated', data),
  'api-token-deleted': ({ preData }) => apiToken('token-deleted', preData),
  'pat-created': ({ data }) => personalToken('token-created', data),
  'pat-deleted': ({ preData }) => personalToken('token-deleted', preData),
  'user-created': ({ data }) => ({ event: 'user-created', details: { ...subjectOf(data), role: rootRole(data) } }),
  'user-deleted': ({ preData }) => ({
    event: 'user-deleted',
    details: { ...subjectOf(preData), role: rootRole(preData) },
  }),
  'user-updated': userUpdated,
  'project-access-user-roles-updated': rolesChanged,
  'project-access-user-roles-deleted': rolesChanged,
}

function apiToken(event: SecurityEvent, state: unknown): Told {
  const { id, tokenName, type, environment, projects } = state as State
  const names = (projects as readonly string[]).join(', ')
  const token = { token: String(id), tokenName: String(tokenName), type: String(type) }
  return { event, details: { ...token, environment: String(environment), projects: names } }
}

function personalToken(event: SecurityEvent, state: unknown): Told {
  const { id, description, userId } = state as State
  const token = { token: Number(id), tokenName: String(description), type: 'personal' }
  return { event, details: { ...token, subjectId: Number(userId) } }
}

function userUpdated({ data, preData }: StoredEvent): Told | undefined {
  const { passwordChanged, resetLinkMade } = data as State
  const details = subjectOf(preData)
  if (passwordChanged === true) return { event: 'password-changed', details }
  if (resetLinkMade === true) return { event: 'reset-link-made', details }
  const [role, roleBefore] = [rootRole(data), rootRole(preData)]
  return role === roleBefore ? undefined : { event: 'role-changed', details: { ...details, role, roleBefore } }
}

function rolesChanged({ data, preData, project }: StoredEvent): Told {
  const { userId } = (data ?? preData) as State
  const member = { subjectId: Number(userId), project }
  return { event: 'role-changed', details: { ...member, role: projectRoles(data), roleBefore: projectRoles(preData) } }
}

function subjectOf(state: unknown) {
  const { id, username, email } = state as State
  return { subject: String(email ?? username ?? ''), subjectId: Number(id) }
}

function rootRole(state: unknown): string {
  const { rootRole: role } = state as State
  return ROOT_ROLES.find(({ id }) => id === role)?.name ?? String(role)
}

function projectRoles(state: unknown): string {
  const roles = ((state as State | null)?.roles ?? []) as readonly number[]
  return PROJECT_ROLES.filter(({ id }) => roles.includes(id))
    .map(({ name }) => name)
    .join(', ')
}
