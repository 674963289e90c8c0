import type { Grant } from '@burgee/protocol/grant'

const EDITOR_ROOT = [
  ...['ADDON', 'CONTEXT_FIELD', 'SEGMENT', 'STRATEGY', 'TAG_TYPE'].flatMap((thing) =>
    ['CREATE', 'UPDATE', 'DELETE'].map((verb) => `${verb}_${thing}`),
  ),
  'CREATE_PROJECT',
  'UPDATE_APPLICATION',
  'READ_CLIENT_API_TOKEN',
  'READ_FRONTEND_API_TOKEN',
]

const EDITOR_PROJECT = [
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

/** Rights that hold per environment. */
export const ENVIRONMENT_PERMISSIONS = [
  'CREATE_FEATURE_STRATEGY',
  'UPDATE_FEATURE_STRATEGY',
  'DELETE_FEATURE_STRATEGY',
  'UPDATE_FEATURE_ENVIRONMENT',
  'UPDATE_FEATURE_ENVIRONMENT_VARIANTS',
]

/** Every right. */
export const ADMIN: readonly Grant[] = [{ permission: 'ADMIN' }]

/** Rights by root role: 1 Admin, 2 Editor, 3 Viewer. Source: wire protocol */
export const ROOT_ROLES: Readonly<Record<number, readonly Grant[]>> = {
  1: ADMIN,
  2: [
    ...EDITOR_ROOT.map((permission) => ({ permission })),
    ...EDITOR_PROJECT.map((permission) => ({ permission, project: 'default' })),
    ...ENVIRONMENT_PERMISSIONS.map((permission) => ({ permission, project: 'default', environment: '*' })),
  ],
  3: [],
}

/** Rights by role in a project: 4 Owner, 5 Member. */
export const PROJECT_ROLES: Readonly<Record<number, { readonly everywhere: readonly string[] }>> = {
  4: { everywhere: EDITOR_PROJECT },
  5: { everywhere: EDITOR_PROJECT.filter((permission) => !/_PROJECT(_API_TOKEN)?$/.test(permission)) },
}
