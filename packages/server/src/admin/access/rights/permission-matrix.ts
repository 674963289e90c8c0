import { notFound } from '@burgee/kit/input/refusals'
import { PERMISSIONS, type PermissionCheck, type PermissionScope } from '@burgee/protocol/administration/permission'
import type { Reader } from '@burgee/storage/database'
import { listAssignments } from '@burgee/storage/queries/access/assignments'
import { findUserById } from '@burgee/storage/queries/access/people'
import { listRoles } from '@burgee/storage/queries/access/roles'
import { readGrants } from '../../../core/access/rights/people-rights.ts'
import { hasPermission } from '../../../core/access/rights/rights.ts'
import { toUser } from '../people/users.ts'

/** User, and optionally project and environment, to check permissions for. */
export interface MatrixQuery {
  readonly userId: number
  readonly project?: string | undefined
  readonly environment?: string | undefined
}

/**
 * Returns, for each permission, whether the user has it globally, in the project and in the environment. If no project
 * is given, only admins have project permissions. If no environment is given, no environment permissions are listed.
 * Throws NotFoundError.
 */
export async function readPermissionMatrix(reader: Reader, { userId, project, environment }: MatrixQuery) {
  const user = await findUserById(reader, userId)
  if (user === undefined) throw notFound(`There is no user with the id ${userId}.`)
  // `hidden` is empty, so that the matrix shows the grants even in projects that are hidden from the user
  const actor = { grants: await readGrants(reader, user), hidden: [] }
  // an empty id is not a valid project id, so it matches no project
  const place = { project: project ?? '', environment }
  const checks = (type: PermissionScope): PermissionCheck[] =>
    PERMISSIONS.filter((one) => one.type === type).map((one) => ({
      ...one,
      hasPermission: hasPermission(actor, one.name, type === 'root' ? { project: null } : place),
      ...(type === 'environment' && environment !== undefined ? { environment } : {}),
    }))
  const roles = await listRoles(reader)
  const assignments = await listAssignments(reader, userId)
  const here = new Set(
    assignments.filter((one) => project !== undefined && one.project === project).map((one) => one.role_id),
  )
  return {
    matrix: {
      root: checks('root'),
      project: checks('project'),
      environment: environment === undefined ? [] : checks('environment'),
    },
    user: toUser(user),
    rootRole: roles.find(({ id }) => id === user.root_role) ?? null,
    projectRoles: roles.filter(({ id }) => here.has(id)),
  }
}
