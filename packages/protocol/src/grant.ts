/**
 * Granted permission. A grant without a project, or with the project '*', covers all projects. The same is true for the
 * environment.
 */
export interface Grant {
  readonly permission: string
  readonly project?: string
  readonly environment?: string
}

/** Scope for which a permission is checked. */
export interface GrantScope {
  /**
   * Project of the resource. If undefined, the permission in any project suffices. If null, the resource belongs to no
   * project and is shared by all projects.
   */
  readonly project?: string | null | undefined
  readonly environment?: string | undefined
}

/**
 * Permissions for shared resources, with the permissions for the same kind of resources of a project. A permission to
 * change shared segments does not allow changing the segments of a project.
 */
const PROJECT_PERMISSIONS: Readonly<Record<string, string>> = {
  CREATE_SEGMENT: 'UPDATE_PROJECT_SEGMENT',
  UPDATE_SEGMENT: 'UPDATE_PROJECT_SEGMENT',
  DELETE_SEGMENT: 'UPDATE_PROJECT_SEGMENT',
}

/**
 * Broader permissions that include a permission, by name. `UPDATE_PROJECT` includes the permissions for every part of a
 * project, and writing includes reading.
 */
const INCLUDING_PERMISSIONS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  ['USER_ACCESS', 'DEFAULT_STRATEGY', 'CHANGE_REQUEST', 'SETTINGS'].flatMap((part) => {
    const [read, write] = [`PROJECT_${part}_READ`, `PROJECT_${part}_WRITE`]
    return [
      [read, [read, write, 'UPDATE_PROJECT']],
      [write, [write, 'UPDATE_PROJECT']],
    ]
  }),
)

/** Returns the permissions in the project of which a single one suffices. */
function listSufficientPermissions(permission: string, project: GrantScope['project']): readonly string[] {
  if (Object.hasOwn(INCLUDING_PERMISSIONS, permission)) return INCLUDING_PERMISSIONS[permission] ?? []
  const own = Object.hasOwn(PROJECT_PERMISSIONS, permission) ? PROJECT_PERMISSIONS[permission] : undefined
  if (own === undefined || project === null) return [permission]
  return project === undefined ? [permission, own] : [own]
}

/** Returns the permission that the error message names if a user lacks it. */
export function getRequiredPermission(permission: string, { project }: GrantScope): string {
  return listSufficientPermissions(permission, project)[0] ?? permission
}

/**
 * Returns true if the grants include the permission in the scope. If no project is given, a grant in any project
 * suffices. ADMIN includes all permissions.
 */
export function isGranted(
  grants: readonly Grant[],
  permission: string,
  { project, environment }: GrantScope = {},
): boolean {
  const names = listSufficientPermissions(permission, project)
  return grants.some(
    (grant) =>
      grant.permission === 'ADMIN' ||
      (names.includes(grant.permission) &&
        (!grant.project || grant.project === '*' || project === undefined || grant.project === project) &&
        (!grant.environment ||
          grant.environment === '*' ||
          environment === undefined ||
          grant.environment === environment)),
  )
}

/**
 * Returns true if the grants allow proposing changes in a project. In an open project, all users may propose changes,
 * because another user must approve them. In other projects, one grant in the project is enough, regardless of its
 * permission.
 */
export function canPropose(
  grants: readonly Grant[],
  { project, mode }: { readonly project: string; readonly mode: string },
): boolean {
  return mode === 'open' || isGranted(grants, 'ADMIN') || grants.some((grant) => grant.project === project)
}

/**
 * Returns true if the grants include all rights of the given grant. A user with `grants` can therefore assign the given
 * grant to others without exceeding the permissions that the user has.
 */
export function coversGrant(grants: readonly Grant[], { permission, project, environment }: Grant): boolean {
  // the empty name matches only grants for all projects or environments, because no project or environment has this
  // name
  return isGranted(grants, permission, {
    project: project === '*' ? '' : (project ?? null),
    ...(environment === undefined ? {} : { environment: environment === '*' ? '' : environment }),
  })
}
