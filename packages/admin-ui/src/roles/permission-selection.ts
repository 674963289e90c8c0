import { ALL_ENVIRONMENTS, PERMISSION_SCOPES } from '@burgee/protocol/administration/permission'

/** Permission of a role in the form that the API uses. The environment `*` means all environments. */
export interface GrantedPermission {
  readonly name: string
  readonly environment?: string
}

/** Set of a role's permissions. A permission for one environment is written `NAME in environment`. */
export type PermissionSelection = ReadonlySet<string>

/**
 * Returns the string that represents a permission in the set: the permission's name, followed by the environment unless
 * it applies to all environments.
 */
export const formatEntry = (name: string, environment?: string): string =>
  environment === undefined || environment === '' || environment === ALL_ENVIRONMENTS
    ? name
    : `${name} in ${environment}`

/** Returns the permissions of a stored role. */
export const toPermissionSelection = (given: readonly GrantedPermission[]): PermissionSelection =>
  new Set(given.map(({ name, environment }) => formatEntry(name, environment)))

/**
 * Returns the permissions to send to the server, leaving out the names in `without`. A permission for all environments
 * is not repeated for individual environments.
 */
export function toGrantedPermissions(chosen: PermissionSelection, without: readonly string[]): GrantedPermission[] {
  return [...chosen].sort().flatMap((entry): GrantedPermission[] => {
    const [name = '', environment] = entry.split(' in ')
    if (without.includes(name)) return []
    if (environment !== undefined) return chosen.has(name) ? [] : [{ name, environment }]
    return PERMISSION_SCOPES.get(name) === 'environment' ? [{ name, environment: ALL_ENVIRONMENTS }] : [{ name }]
  })
}

/**
 * Returns a copy of the set in which the given permission is toggled. The permission is added if the set did not
 * contain it, and removed otherwise.
 */
export function toggleEntry(chosen: PermissionSelection, entry: string): PermissionSelection {
  const next = new Set(chosen)
  if (!next.delete(entry)) next.add(entry)
  return next
}
