import Type, { type Static } from 'typebox'

/** Scope of a permission: global, a project, or an environment within a project. */
export type PermissionScope = 'root' | 'project' | 'environment'

/** Permission, with its name in the API and its display name. */
export interface PermissionDefinition {
  readonly id: number
  readonly name: string
  readonly displayName: string
  readonly type: PermissionScope
}

const definePermissions = (
  type: PermissionScope,
  rows: readonly (readonly [number, string, string])[],
): PermissionDefinition[] => rows.map(([id, name, displayName]) => ({ id, name, displayName, type }))

/**
 * Environment name in a role's permission that stands for all environments, including future ones. No environment can
 * have this name.
 */
export const ALL_ENVIRONMENTS = '*'

/** All permissions, grouped by scope. Ids below 1000 and their names come from the wire protocol. */
export const PERMISSIONS: readonly PermissionDefinition[] = [
  ...definePermissions('root', [
    [1, 'ADMIN', 'Do everything'],
    [3, 'CREATE_STRATEGY', 'Create strategy types'],
    [4, 'CREATE_ADDON', 'Create integrations'],
    [5, 'DELETE_ADDON', 'Delete integrations'],
    [6, 'UPDATE_ADDON', 'Update integrations'],
    [9, 'UPDATE_APPLICATION', 'Update applications'],
    [10, 'UPDATE_TAG_TYPE', 'Update tag types'],
    [11, 'DELETE_TAG_TYPE', 'Delete tag types'],
    [12, 'CREATE_PROJECT', 'Create projects'],
    [15, 'UPDATE_STRATEGY', 'Update strategy types'],
    [16, 'DELETE_STRATEGY', 'Delete strategy types'],
    [17, 'UPDATE_CONTEXT_FIELD', 'Update context fields'],
    [18, 'CREATE_CONTEXT_FIELD', 'Create context fields'],
    [19, 'DELETE_CONTEXT_FIELD', 'Delete context fields'],
    [20, 'READ_ROLE', 'Read roles'],
    [31, 'CREATE_SEGMENT', 'Create segments'],
    [32, 'UPDATE_SEGMENT', 'Update segments'],
    [33, 'DELETE_SEGMENT', 'Delete segments'],
    [50, 'CREATE_CLIENT_API_TOKEN', 'Create client API tokens'],
    [51, 'UPDATE_CLIENT_API_TOKEN', 'Update client API tokens'],
    [52, 'DELETE_CLIENT_API_TOKEN', 'Delete client API tokens'],
    [53, 'READ_CLIENT_API_TOKEN', 'Read client API tokens'],
    [54, 'CREATE_FRONTEND_API_TOKEN', 'Create frontend API tokens'],
    [55, 'UPDATE_FRONTEND_API_TOKEN', 'Update frontend API tokens'],
    [56, 'DELETE_FRONTEND_API_TOKEN', 'Delete frontend API tokens'],
    [57, 'READ_FRONTEND_API_TOKEN', 'Read frontend API tokens'],
    [59, 'CREATE_TAG_TYPE', 'Create tag types'],
    [68, 'RELEASE_PLAN_TEMPLATE_CREATE', 'Create release templates'],
    [69, 'RELEASE_PLAN_TEMPLATE_UPDATE', 'Update release templates'],
    [70, 'RELEASE_PLAN_TEMPLATE_DELETE', 'Delete release templates'],
  ]),
  ...definePermissions('project', [
    [2, 'CREATE_FEATURE', 'Create feature toggles'],
    [7, 'UPDATE_FEATURE', 'Update feature toggles'],
    [8, 'DELETE_FEATURE', 'Delete feature toggles'],
    [13, 'UPDATE_PROJECT', 'Update project'],
    [14, 'DELETE_PROJECT', 'Delete project'],
    [29, 'UPDATE_FEATURE_VARIANTS', 'Update variants of all environments'],
    [30, 'MOVE_FEATURE_TOGGLE', 'Move feature toggles to another project'],
    [42, 'READ_PROJECT_API_TOKEN', 'Read API tokens of the project'],
    [43, 'CREATE_PROJECT_API_TOKEN', 'Create API tokens of the project'],
    [44, 'DELETE_PROJECT_API_TOKEN', 'Delete API tokens of the project'],
    [45, 'UPDATE_PROJECT_SEGMENT', 'Update segments of the project'],
    [58, 'UPDATE_FEATURE_DEPENDENCY', 'Update dependencies'],
    [60, 'PROJECT_USER_ACCESS_READ', 'Read who has access to the project'],
    [61, 'PROJECT_DEFAULT_STRATEGY_READ', 'Read default strategies of the project'],
    [62, 'PROJECT_CHANGE_REQUEST_READ', 'Read change request settings of the project'],
    [63, 'PROJECT_SETTINGS_READ', 'Read settings of the project'],
    [64, 'PROJECT_USER_ACCESS_WRITE', 'Change who has access to the project'],
    [65, 'PROJECT_DEFAULT_STRATEGY_WRITE', 'Change default strategies of the project'],
    [66, 'PROJECT_CHANGE_REQUEST_WRITE', 'Change the change request settings of the project'],
    [67, 'PROJECT_SETTINGS_WRITE', 'Change settings of the project'],
  ]),
  ...definePermissions('environment', [
    [25, 'CREATE_FEATURE_STRATEGY', 'Create activation strategies'],
    [26, 'UPDATE_FEATURE_STRATEGY', 'Update activation strategies'],
    [27, 'DELETE_FEATURE_STRATEGY', 'Delete activation strategies'],
    [28, 'UPDATE_FEATURE_ENVIRONMENT', 'Turn feature toggles on and off'],
    [35, 'APPROVE_CHANGE_REQUEST', 'Approve change requests'],
    [36, 'APPLY_CHANGE_REQUEST', 'Apply change requests'],
    [37, 'UPDATE_FEATURE_ENVIRONMENT_VARIANTS', 'Update variants'],
    [38, 'SKIP_CHANGE_REQUEST', 'Change without a change request'],
    [1001, 'MANAGE_TEST_RUNS', 'Start, change and end test runs'],
  ]),
]

/** Scope of each permission, by permission name. */
export const PERMISSION_SCOPES: ReadonlyMap<string, PermissionScope> = new Map(
  PERMISSIONS.map(({ name, type }) => [name, type]),
)

/** Permission, and whether a user has it. */
export const PermissionCheck = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  displayName: Type.String(),
  type: Type.Enum(['root', 'project', 'environment']),
  hasPermission: Type.Boolean(),
  /** Environment for which the permission was checked. */
  environment: Type.Optional(Type.String()),
})
export type PermissionCheck = Static<typeof PermissionCheck>
