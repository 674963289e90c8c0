import { REACH } from '@burgee/protocol/administration/permission'
import { type Grant, isGranted, type Place, rightNeeded } from '@burgee/protocol/grant'
import { Problem } from '@burgee/protocol/problem'
import type { TokenRow } from '../../../store/access/tokens.ts'
import type { UserRow } from '../../../store/access/users.ts'
import type { Author } from '../../../store/events/events.ts'
import { ADMIN } from './grants.ts'

/** Who calls the admin API. */
export interface Actor extends Author {
  readonly grants: readonly Grant[]
  /** Ids of private projects that they are no member of: for them there are no such projects. None where left out. */
  readonly hidden?: readonly string[]
  readonly user?: UserRow
  /** SHA-256 of the session id, where a session was used. */
  readonly session?: string
  readonly token?: TokenRow
  /** Id of the person's own token by which they came. */
  readonly personalToken?: number
}

/** A person as actor, with their rights (`PeopleRights.of`). */
export function userActor(user: UserRow, address: string, grants: readonly Grant[]): Actor {
  return { name: nameOf(user), userId: user.id, address, user, grants }
}

/** A person as events name them. */
export function nameOf({ email, username, id }: UserRow): string {
  return email ?? username ?? `user ${id}`
}

/** An admin token as actor. */
export function tokenActor(token: TokenRow, address: string): Actor {
  return { name: token.name, userId: -42, address, grants: ADMIN, token }
}

/** What somebody may do, and where they may do nothing at all. */
export type Rights = Pick<Actor, 'grants' | 'hidden'>

/** Whether the actor has a right at a place; where the place names no project, whether anywhere. */
export function may({ grants, hidden = [] }: Rights, permission: string, place: Place = {}): boolean {
  if (typeof place.project === 'string' && hidden.includes(place.project)) return false
  return isGranted(grants, permission, place)
}

/** Throws NoAccessError, which names the permission, and where it is missing: the environment and the project. */
export function requireRight(actor: Rights, permission: string, place: Place = {}): void {
  if (may(actor, permission, place)) return
  const needed = rightNeeded(permission, place)
  throw missingRight(needed, missingWhere(needed, place))
}

/** Whoever lacks a permission is told which one, and where. */
export function missingRight(needed: string, { project, environment }: Where): Problem {
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

interface Where {
  readonly project?: string
  readonly environment?: string
}

/** Of a place only what a permission of that kind asks about. */
function missingWhere(needed: string, { project, environment }: Place): Where {
  const reach = REACH.get(needed)
  if (reach !== 'project' && reach !== 'environment') return {}
  return {
    ...(typeof project === 'string' ? { project } : {}),
    ...(reach === 'environment' && environment !== undefined ? { environment } : {}),
  }
}
