import { PERMISSION_SCOPES } from '@burgee/protocol/administration/permission'
import { type Grant, type GrantScope, getRequiredPermission, isGranted } from '@burgee/protocol/grant'
import { Problem } from '@burgee/protocol/problem'
import type { TokenRow } from '@burgee/storage/queries/access/tokens'
import type { UserRow } from '@burgee/storage/queries/access/users'
import type { Author } from '@burgee/storage/queries/events/events'
import type { SystemName } from '../logins/reserved-names.ts'
import { ADMIN } from './grants.ts'

/** Caller of the admin API. */
export interface Actor extends Author {
  readonly isSystem?: never
  readonly grants: readonly Grant[]
  /**
   * Ids of the private projects of which the caller is not a member. The caller must not learn that these projects
   * exist.
   */
  readonly hidden: readonly string[]
  readonly user?: UserRow
  /** SHA-256 of the session id; undefined if the caller used no session. */
  readonly session?: string
  readonly token?: TokenRow
  /** Id of the personal token that the caller used. */
  readonly personalToken?: number
}

/** The server itself, whose changes need no permission and no change request. */
export interface SystemActor extends Author {
  readonly isSystem: true
  /** Shown in events. No account can have one of these names. */
  readonly name: SystemName
}

/**
 * Author of a change. The type excludes a plain `Author`, which has no grants. If the type allowed a plain `Author`,
 * code that omitted an actor's grants by mistake would create an author with the server's privileges.
 */
export type ChangeAuthor = Actor | SystemActor

/** Converts a user to an actor, with the grants and hidden projects of the user. */
export function toUserActor(user: UserRow, address: string, { grants, hidden }: Rights): Actor {
  return { name: getUserName(user), userId: user.id, address, user, grants, hidden }
}

/** Returns a user's name for events: e-mail address, username or id. */
export function getUserName({ email, username, id }: UserRow): string {
  return email ?? username ?? `user ${id}`
}

/** Converts an admin token to an actor. */
export function toTokenActor(token: TokenRow, address: string): Actor {
  return { name: token.name, userId: -42, address, grants: ADMIN, hidden: [], token }
}

/** Grants of a caller, and the projects that are hidden from the caller, in which the grants do not apply. */
export type Rights = Pick<Actor, 'grants' | 'hidden'>

/**
 * Returns true if the actor has a permission in a project and environment. If no project is given, a grant in any
 * project suffices.
 */
export function hasPermission({ grants, hidden }: Rights, permission: string, place: GrantScope = {}): boolean {
  if (typeof place.project === 'string' && hidden.includes(place.project)) return false
  return isGranted(grants, permission, place)
}

/** Throws NoAccessError if the actor lacks a permission. The error names the permission, environment and project. */
export function requirePermission(actor: Rights, permission: string, place: GrantScope = {}): void {
  if (hasPermission(actor, permission, place)) return
  const needed = getRequiredPermission(permission, place)
  throw createMissingPermission(needed, getRelevantScope(needed, place))
}

/** Returns the error for a missing permission, which names the permission, project and environment. */
export function createMissingPermission(needed: string, { project, environment }: PermissionScope): Problem {
  const where = [
    ...(environment === undefined ? [] : [`in the environment "${environment}"`]),
    ...(project === undefined ? [] : [`${environment === undefined ? 'in' : 'of'} the project "${project}"`]),
  ]
  const message = `You don't have the required permission for this: you need "${needed}"${where.map((part) => ` ${part}`).join('')}.`
  return new Problem('NoAccessError', message, {
    details: [{ message }],
    extra: {
      permissions: [needed],
      ...(project === undefined ? {} : { project }),
      ...(environment === undefined ? {} : { environment }),
    },
  })
}

interface PermissionScope {
  readonly project?: string
  readonly environment?: string
}

/** Returns the given project and environment, leaving out what does not matter for this kind of permission. */
function getRelevantScope(needed: string, { project, environment }: GrantScope): PermissionScope {
  const reach = PERMISSION_SCOPES.get(needed)
  if (reach !== 'project' && reach !== 'environment') return {}
  return {
    ...(typeof project === 'string' ? { project } : {}),
    ...(reach === 'environment' && environment !== undefined ? { environment } : {}),
  }
}
