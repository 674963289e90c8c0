import type { InitialRole } from '@burgee/protocol/user'
import type { Reader, Tx } from '@burgee/storage/database'
import type { NewEvent } from '@burgee/storage/queries/events/events'
import type { ChangeContext } from '../../core/execute.ts'
import { requireOpenProject } from '../../core/project-ref.ts'
import { assignRoles, type RoleAssigner, requireAssignable } from './role-assignments.ts'

/**
 * Checks roles for new users. Throws NotFoundError for an unknown project, InvalidOperationError for an archived one,
 * ValidationError for an invalid role, and NoAccessError if a role grants more than the permissions of `giver`.
 */
export async function requireInitialRoles(
  reader: Reader,
  { roles, giver }: RoleAssigner & { readonly roles: readonly InitialRole[] },
): Promise<void> {
  for (const [project, ids] of groupByProject(roles)) {
    await requireOpenProject(reader, project)
    await requireAssignable(reader, project, ids, giver)
  }
}

/** Grants roles to a new user, with an event for each project. Throws the same errors as `requireInitialRoles`. */
export async function grantInitialRoles(
  tx: Tx,
  { userId, roles, giver }: RoleAssigner & { readonly userId: number; readonly roles: readonly InitialRole[] },
  context: ChangeContext,
): Promise<NewEvent[]> {
  await requireInitialRoles(tx, { roles, giver })
  const events: NewEvent[] = []
  for (const [project, ids] of groupByProject(roles)) {
    events.push(...(await assignRoles(tx, { project, kind: 'user', id: userId, roles: ids, giver }, context)))
  }
  return events
}

/** Returns the distinct role ids of each project. */
export function groupByProject(roles: readonly InitialRole[]): ReadonlyMap<string, number[]> {
  const found = new Map<string, number[]>()
  for (const [project, some] of Map.groupBy(roles, (one) => one.project)) {
    found.set(
      project,
      [...new Set(some.map(({ role }) => role))].sort((a, b) => a - b),
    )
  }
  return found
}
