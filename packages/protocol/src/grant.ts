import { listSufficientPermissions } from './broader-permissions.ts'

/**
 * Granted permission. A grant without a project, or with the project '*', covers all projects. A grant without an
 * environment, or with the environment '*', covers all environments.
 */
export interface Grant {
  readonly permission: string
  readonly project?: string
  readonly environment?: string
}

/** Scope for which a permission is checked. */
export interface GrantScope {
  /**
   * Project to which the resource belongs. If undefined, it is enough to have the permission in any project. If null,
   * the resource belongs to no project, and all projects share it.
   */
  readonly project?: string | null | undefined
  readonly environment?: string | undefined
}

/** Returns the permission to name in the error message for a user who lacks it. */
export function getRequiredPermission(permission: string, { project }: GrantScope): string {
  return listSufficientPermissions(permission, project)[0] ?? permission
}

/**
 * Returns true if the grants include a permission in a scope. If no project is given, a grant in any project is enough.
 * ADMIN includes all permissions.
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
 * Returns true if the grants allow a user to propose changes in a project. In an open project, all users may propose
 * changes, because another user must approve them. In other projects, any grant in the project is enough, whatever its
 * permission.
 */
export function canPropose(
  grants: readonly Grant[],
  { project, mode }: { readonly project: string; readonly mode: string },
): boolean {
  return mode === 'open' || isGranted(grants, 'ADMIN') || grants.some((grant) => grant.project === project)
}

/**
 * Returns true if the grants include everything that the given grant allows. A user who has `grants` can then assign
 * the given grant to others without giving more permissions than the user has.
 */
export function coversGrant(grants: readonly Grant[], { permission, project, environment }: Grant): boolean {
  // the empty string matches only grants for all projects or environments, because no project or environment has an
  // empty name
  return isGranted(grants, permission, {
    project: project === '*' ? '' : (project ?? null),
    ...(environment === undefined ? {} : { environment: environment === '*' ? '' : environment }),
  })
}
