import { invalid } from '@burgee/kit/input/refusals'
import { ALL_ENVIRONMENTS, PERMISSIONS, type PermissionDefinition } from '@burgee/protocol/administration/permission'
import type { RolePermissionInput } from '@burgee/protocol/administration/role'
import type { StoredPermission } from '@burgee/storage/queries/access/roles'

const BY_NAME = new Map(PERMISSIONS.map((one) => [one.name, one]))
const BY_ID = new Map(PERMISSIONS.map((one) => [one.id, one]))

/** Data for checking a role's permission: the type of the role, and the names of the existing environments. */
export interface PermissionContext {
  /** Type of the role. */
  readonly type: string
  readonly environments: ReadonlySet<string>
}

/**
 * Checks a permission before it is stored with a role. An environment permission must name an environment, or `*` for
 * all environments. Throws ValidationError with an error path that starts with `path`.
 */
export function checkRolePermission(
  { type, environments }: PermissionContext,
  input: RolePermissionInput,
  path: string,
): StoredPermission {
  const known = getDefinition(input, path)
  if (known.name === 'ADMIN') throw invalid('"ADMIN" cannot be part of a role: give the role Admin instead.', path)
  if (known.type === 'root' && type === 'custom') {
    throw invalid(`"${known.name}" applies to the whole instance and cannot be part of a project role.`, path)
  }
  const environment = input.environment === '' ? null : (input.environment ?? null)
  const stored = { permission: known.name, environment, all_environments: 0 } as const
  if (known.type !== 'environment') {
    if (environment === null) return stored
    throw invalid(`"${known.name}" does not apply to environments: omit "environment".`, `${path}/environment`)
  }
  if (environment === null) {
    throw invalid(
      `"${known.name}" applies to environments: set "environment" to one of them, or to "${ALL_ENVIRONMENTS}" for all, including future ones.`,
      `${path}/environment`,
    )
  }
  if (environment === ALL_ENVIRONMENTS) return { ...stored, environment: null, all_environments: 1 }
  if (!environments.has(environment)) {
    throw invalid(`There is no environment "${environment}".`, `${path}/environment`)
  }
  return stored
}

/**
 * Returns the sorted, distinct names of environment permissions that name no environment and therefore apply in all
 * environments. Only roles that were saved before an environment was required have permissions of this kind.
 */
export function findImplicitEnvironments(permissions: readonly StoredPermission[]): string[] {
  const implicit = permissions.filter(
    ({ permission, environment, all_environments }) =>
      environment === null && all_environments === 0 && BY_NAME.get(permission)?.type === 'environment',
  )
  return [...new Set(implicit.map(({ permission }) => permission))].sort()
}

function getDefinition({ id, name }: RolePermissionInput, path: string): PermissionDefinition {
  const known = name === undefined ? BY_ID.get(id ?? 0) : BY_NAME.get(name)
  if (known === undefined) throw invalid(`There is no permission ${JSON.stringify(name ?? id ?? null)}.`, path)
  if (id !== undefined && known.id !== id) throw invalid(`"${known.name}" does not have the id ${id}.`, `${path}/id`)
  return known
}
