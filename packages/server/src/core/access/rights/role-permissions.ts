import type { Role } from '@burgee/protocol/user'

const EDITOR_ROOT = [
  ...['ADDON', 'CONTEXT_FIELD', 'SEGMENT', 'STRATEGY', 'TAG_TYPE'].flatMap((thing) =>
    ['CREATE', 'UPDATE', 'DELETE'].map((verb) => `${verb}_${thing}`),
  ),
  ...['CREATE', 'UPDATE', 'DELETE'].map((verb) => `RELEASE_PLAN_TEMPLATE_${verb}`),
  'CREATE_PROJECT',
  'UPDATE_APPLICATION',
  'READ_CLIENT_API_TOKEN',
  'READ_FRONTEND_API_TOKEN',
]

const PROJECT_PERMISSIONS = [
  'CREATE_FEATURE',
  'UPDATE_FEATURE',
  'DELETE_FEATURE',
  'UPDATE_FEATURE_DEPENDENCY',
  'UPDATE_FEATURE_VARIANTS',
  'MOVE_FEATURE_TOGGLE',
  'UPDATE_PROJECT_SEGMENT',
  'UPDATE_PROJECT',
  'DELETE_PROJECT',
  'READ_PROJECT_API_TOKEN',
  'CREATE_PROJECT_API_TOKEN',
  'DELETE_PROJECT_API_TOKEN',
]

const ENVIRONMENT_PERMISSIONS = [
  'CREATE_FEATURE_STRATEGY',
  'UPDATE_FEATURE_STRATEGY',
  'DELETE_FEATURE_STRATEGY',
  'UPDATE_FEATURE_ENVIRONMENT',
  'UPDATE_FEATURE_ENVIRONMENT_VARIANTS',
  'MANAGE_TEST_RUNS',
]

/**
 * Additional review permissions that project owners have. Owners still cannot approve their own changes or skip a
 * review.
 */
const REVIEW_PERMISSIONS = ['APPROVE_CHANGE_REQUEST', 'APPLY_CHANGE_REQUEST']

/** Id of the Admin role, which grants everything. Source: wire protocol */
export const ADMIN_ROLE = 1
/** Id of the Viewer role, which is read-only. Source: wire protocol */
export const VIEWER_ROLE = 3
/** Id of the Owner role, which grants everything in a project. Source: wire protocol */
export const OWNER_ROLE = 4

/** Permission granted by a role. */
export interface RolePermission {
  readonly permission: string
  /** Environment in which an environment permission applies; null means all environments. */
  readonly environment: string | null
  /** Single project in which a global role grants the permission. */
  readonly project?: string
}

/** Role with its permissions. */
export interface RoleRights extends Role {
  readonly permissions: readonly RolePermission[]
}

const grantAll = (permissions: readonly string[], where: { readonly project?: string } = {}): RolePermission[] =>
  permissions.map((permission) => ({ permission, environment: null, ...where }))

/** Built-in roles and their permissions. Their permissions cannot be changed. */
export const BUILT_IN_ROLES: readonly RoleRights[] = [
  { id: ADMIN_ROLE, name: 'Admin', type: 'root', description: 'All permissions.', permissions: grantAll(['ADMIN']) },
  {
    id: 2,
    name: 'Editor',
    type: 'root',
    description: 'Can change flags in the default project, and objects that flags share.',
    permissions: [
      ...grantAll(EDITOR_ROOT),
      ...grantAll([...PROJECT_PERMISSIONS, ...ENVIRONMENT_PERMISSIONS], { project: 'default' }),
    ],
  },
  { id: VIEWER_ROLE, name: 'Viewer', type: 'root', description: 'Read access.', permissions: [] },
  {
    id: OWNER_ROLE,
    name: 'Owner',
    type: 'project',
    description: 'All permissions in the project.',
    permissions: grantAll([...PROJECT_PERMISSIONS, ...ENVIRONMENT_PERMISSIONS, ...REVIEW_PERMISSIONS]),
  },
  {
    id: 5,
    name: 'Member',
    type: 'project',
    description: 'Can change the flags of the project.',
    permissions: grantAll([
      ...PROJECT_PERMISSIONS.filter((permission) => !/_PROJECT(_API_TOKEN)?$/.test(permission)),
      ...ENVIRONMENT_PERMISSIONS,
    ]),
  },
]
