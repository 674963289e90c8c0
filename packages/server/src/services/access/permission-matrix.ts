import { notFound } from '@burgee/kit/input/refusals'
import { PERMISSIONS, type PermissionCheck, type PermissionReach } from '@burgee/protocol/administration/permission'
import { membershipsOf, userById } from '../../store/access/people.ts'
import type { Reader } from '../../store/database.ts'
import { rolesIn } from '../../store/projects/members.ts'
import { PROJECT_ROLES } from '../projects/project-access.ts'
import { may, userActor } from './rights.ts'
import { ROOT_ROLES } from './user-admin.ts'
import { userView } from './users.ts'

/** Whose permissions are asked for, and where. */
export interface MatrixQuestion {
  readonly userId: number
  readonly project?: string | undefined
  readonly environment?: string | undefined
}

/**
 * What somebody may do, permission by permission: everywhere, in a project, in an environment of it. Without a project
 * only an admin has permissions of projects, without an environment none are listed of one. Throws NotFoundError.
 */
export async function permissionMatrix(reader: Reader, { userId, project, environment }: MatrixQuestion) {
  const user = await userById(reader, userId)
  if (user === undefined) throw notFound(`There is no user with the id ${userId}.`)
  const actor = userActor(user, '', await membershipsOf(reader, userId))
  // no project has this id, for it is not one that a project can have
  const place = { project: project ?? '', environment }
  const checks = (type: PermissionReach): PermissionCheck[] =>
    PERMISSIONS.filter((one) => one.type === type).map((one) => ({
      ...one,
      hasPermission: may(actor, one.name, type === 'root' ? { project: null } : place),
      ...(type === 'environment' && environment !== undefined ? { environment } : {}),
    }))
  const own = project === undefined ? [] : await rolesIn(reader, project, userId)
  return {
    matrix: {
      root: checks('root'),
      project: checks('project'),
      environment: environment === undefined ? [] : checks('environment'),
    },
    user: userView(user),
    rootRole: ROOT_ROLES.find(({ id }) => id === user.root_role) ?? null,
    projectRoles: PROJECT_ROLES.filter(({ id }) => own.includes(id)),
  }
}
