/**
 * For each permission on shared resources, the permission on resources of the same kind within a project. A permission
 * to change shared segments does not allow changes to the segments of a project.
 */
const PROJECT_PERMISSIONS: Readonly<Record<string, string>> = {
  CREATE_SEGMENT: 'UPDATE_PROJECT_SEGMENT',
  UPDATE_SEGMENT: 'UPDATE_PROJECT_SEGMENT',
  DELETE_SEGMENT: 'UPDATE_PROJECT_SEGMENT',
}

/**
 * For each permission, the broader permissions that include it. `UPDATE_PROJECT` includes the permissions for every
 * part of a project; permission to write includes permission to read.
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

/** Returns the permissions of which any single one is sufficient in the project. */
export function listSufficientPermissions(permission: string, project: string | null | undefined): readonly string[] {
  if (Object.hasOwn(INCLUDING_PERMISSIONS, permission)) return INCLUDING_PERMISSIONS[permission] ?? []
  const own = Object.hasOwn(PROJECT_PERMISSIONS, permission) ? PROJECT_PERMISSIONS[permission] : undefined
  if (own === undefined || project === null) return [permission]
  return project === undefined ? [permission, own] : [own]
}
