import { type Grant, isGranted, type Place, rightNeeded } from '@burgee/protocol/grant'
import { Problem } from '@burgee/protocol/problem'
import type { Membership } from '../../store/access/people.ts'
import type { TokenRow } from '../../store/access/tokens.ts'
import type { UserRow } from '../../store/access/users.ts'
import type { Author } from '../../store/events/events.ts'
import { ADMIN, ENVIRONMENT_PERMISSIONS, PROJECT_ROLES, ROOT_ROLES } from './role-permissions.ts'

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

/** Rights that somebody has by a role in a project. */
function grantsIn({ project, role_id }: Membership): Grant[] {
  const role = PROJECT_ROLES[role_id]
  if (role === undefined) return []
  return [
    ...role.everywhere.map((permission) => ({ permission, project })),
    ...ENVIRONMENT_PERMISSIONS.map((permission) => ({ permission, project, environment: '*' })),
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
  const isPerEnvironment = ENVIRONMENT_PERMISSIONS.includes(permission) && place.environment !== undefined
  const isPerProject = needed !== permission && typeof place.project === 'string'
  const where = isPerEnvironment
    ? ` in the environment "${place.environment}"`
    : isPerProject
      ? ` in the project "${place.project}"`
      : ''
  const message = `You don't have the required permission for this: you need "${needed}"${where}.`
  throw new Problem('NoAccessError', message, { details: [{ message }], extra: { permissions: [needed] } })
}
