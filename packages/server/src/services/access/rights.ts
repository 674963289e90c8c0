import { type Grant, isGranted, type Place, rightNeeded } from '@burgee/protocol/permission'
import { Problem } from '@burgee/protocol/problem'
import type { Membership } from '../../store/access/people.ts'
import type { TokenRow } from '../../store/access/tokens.ts'
import type { UserRow } from '../../store/access/users.ts'
import type { Author } from '../../store/events/events.ts'

/** Who calls the admin API. */
export interface Actor extends Author {
  readonly grants: readonly Grant[]
  readonly user?: UserRow
  /** SHA-256 of the session id, where a session was used. */
  readonly session?: string
  readonly token?: TokenRow
  /** Id of the person's own token by which they came. */
  readonly personalToken?: number
}

const EDITOR_ROOT = [
  ...['ADDON', 'CONTEXT_FIELD', 'SEGMENT', 'STRATEGY', 'TAG_TYPE'].flatMap((thing) =>
    ['CREATE', 'UPDATE', 'DELETE'].map((verb) => `${verb}_${thing}`),
  ),
  'CREATE_PROJECT',
  'UPDATE_APPLICATION',
  'READ_CLIENT_API_TOKEN',
  'READ_FRONTEND_API_TOKEN',
]

const EDITOR_PROJECT = [
  'CREATE_FEATURE',
  'UPDATE_FEATURE',
  'DELETE_FEATURE',
  'UPDATE_FEATURE_DEPENDENCY',
  'UPDATE_FEATURE_VARIANTS',
  'MOVE_FEATURE_TOGGLE',
  'UPDATE_PROJECT_SEGMENT',
  'UPDATE_PROJECT',
  'DELETE_PROJECT',
  'READ_PROJECT_API_TOKEN',
  'CREATE_PROJECT_API_TOKEN',
  'DELETE_PROJECT_API_TOKEN',
]

const EDITOR_ENVIRONMENT = [
  'CREATE_FEATURE_STRATEGY',
  'UPDATE_FEATURE_STRATEGY',
  'DELETE_FEATURE_STRATEGY',
  'UPDATE_FEATURE_ENVIRONMENT',
  'UPDATE_FEATURE_ENVIRONMENT_VARIANTS',
]

const ADMIN: readonly Grant[] = [{ permission: 'ADMIN' }]

/** Rights by root role: 1 Admin, 2 Editor, 3 Viewer. Source: wire protocol */
const ROOT_ROLES: Readonly<Record<number, readonly Grant[]>> = {
  1: ADMIN,
  2: [
    ...EDITOR_ROOT.map((permission) => ({ permission })),
    ...EDITOR_PROJECT.map((permission) => ({ permission, project: 'default' })),
    ...EDITOR_ENVIRONMENT.map((permission) => ({ permission, project: 'default', environment: '*' })),
  ],
  3: [],
}

/** Rights by role in a project: 4 Owner, 5 Member. */
const PROJECT_ROLES: Readonly<Record<number, { readonly everywhere: readonly string[] }>> = {
  4: { everywhere: EDITOR_PROJECT },
  5: { everywhere: EDITOR_PROJECT.filter((permission) => !/_PROJECT(_API_TOKEN)?$/.test(permission)) },
}

/** Rights that somebody has by a role in a project. */
function grantsIn({ project, role_id }: Membership): Grant[] {
  const role = PROJECT_ROLES[role_id]
  if (role === undefined) return []
  return [
    ...role.everywhere.map((permission) => ({ permission, project })),
    ...EDITOR_ENVIRONMENT.map((permission) => ({ permission, project, environment: '*' })),
  ]
}

/** A person as actor, with the rights of the root role and of the roles in projects. */
export function userActor(user: UserRow, address: string, memberships: readonly Membership[] = []): Actor {
  const root = ROOT_ROLES[user.root_role] ?? []
  // an admin has every right already; what several roles give is listed once
  const given = root === ADMIN ? [] : memberships.flatMap(grantsIn)
  const more = [...new Map(given.map((one) => [keyOf(one), one])).values()]
  const known = new Set(root.map(keyOf))
  return {
    ...{ name: nameOf(user), userId: user.id, address, user },
    grants: [...root, ...more.filter((one) => !known.has(keyOf(one)))],
  }
}

/** A person as events name them. */
export function nameOf({ email, username, id }: UserRow): string {
  return email ?? username ?? `user ${id}`
}

function keyOf({ permission, project }: Grant): string {
  return JSON.stringify([permission, project])
}

/** An admin token as actor. */
export function tokenActor(token: TokenRow, address: string): Actor {
  return { name: token.name, userId: -42, address, grants: ADMIN, token }
}

/** Whether the actor has a right at a place; where the place names no project, whether anywhere. */
export function may({ grants }: Pick<Actor, 'grants'>, permission: string, place: Place = {}): boolean {
  return isGranted(grants, permission, place)
}

/** Throws NoAccessError, which names the permission and, for rights per environment, the environment. */
export function requireRight(actor: Pick<Actor, 'grants'>, permission: string, place: Place = {}): void {
  if (may(actor, permission, place)) return
  const needed = rightNeeded(permission, place)
  const isPerEnvironment = EDITOR_ENVIRONMENT.includes(permission) && place.environment !== undefined
  const isPerProject = needed !== permission && typeof place.project === 'string'
  const where = isPerEnvironment
    ? ` in the environment "${place.environment}"`
    : isPerProject
      ? ` in the project "${place.project}"`
      : ''
  const message = `You don't have the required permission for this: you need "${needed}"${where}.`
  throw new Problem('NoAccessError', message, { details: [{ message }], extra: { permissions: [needed] } })
}
