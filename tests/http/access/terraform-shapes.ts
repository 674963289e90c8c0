import type { Shape } from './go-client.ts'

/**
 * Replies as the Go client of Unleash decodes them. The Terraform provider of Unleash treats every field that is
 * present as a value. Names of users and descriptions of projects must therefore not be null, regardless of the
 * published types. Source: wire protocol
 */

const user = {
  id: 'int',
  'name?': 'text',
  'username?': 'text',
  'email?': 'text',
  'imageUrl?': 'text',
  'isAPI?': 'flag',
  'loginAttempts?': 'int',
  'seenAt?|null': 'time',
  'createdAt?': 'time',
  'accountType?': 'text',
  'permissions?': ['text'],
  'scimId?|null': 'text',
} as const satisfies Shape

const role = { id: 'int', type: 'text', name: 'text', 'description?': 'text' } as const satisfies Shape
const permission = {
  id: 'int',
  name: 'text',
  displayName: 'text',
  type: 'text',
  'environment?': 'text',
} as const satisfies Shape

const group = {
  'id?': 'int',
  name: 'text',
  'description?|null': 'text',
  'mappingsSSO?': ['text'],
  'rootRole?|null': 'number',
  'createdBy?|null': 'text',
  'createdAt?|null': 'time',
  'users?': [{ 'joinedAt?': 'time', 'createdBy?|null': 'text', user }],
  'projects?': ['text'],
  'userCount?': 'int',
  'scimId?|null': 'text',
} as const satisfies Shape

const environment = {
  name: 'text',
  type: 'text',
  enabled: 'flag',
  protected: 'flag',
  sortOrder: 'int',
  'projectCount?|null': 'int',
  'apiTokenCount?|null': 'int',
  'enabledToggleCount?|null': 'int',
} as const satisfies Shape

const personalToken = {
  id: 'int',
  description: 'text',
  expiresAt: 'time',
  createdAt: 'time',
  'seenAt?|null': 'time',
  'userId?': 'number',
} as const satisfies Shape

const apiToken = {
  secret: 'text',
  tokenName: 'text',
  type: 'text',
  project: 'text',
  projects: ['text'],
  createdAt: 'time',
  environment: 'text',
  'username?': 'text',
  'expiresAt?|null': 'time',
  'seenAt?|null': 'time',
  'alias?|null': 'text',
} as const satisfies Shape

const project = {
  id: 'text',
  name: 'text',
  'description?': 'text',
  mode: 'text',
  'defaultStickiness?': 'text',
} as const satisfies Shape

/** Replies by resource. */
export const REPLIES = {
  role,
  group,
  environment,
  apiToken,
  uiConfig: {
    version: 'text',
    unleashUrl: 'text',
    baseUriPath: 'text',
    versionInfo: { current: { 'oss?': 'text', 'enterprise?': 'text' }, isLatest: 'flag', latest: {} },
  },
  user: { ...user, rootRole: 'int' },
  madeUser: { ...user, rootRole: 'int', 'emailSent?': 'flag', 'inviteLink?': 'text' },
  groups: { groups: [group] },
  environments: { version: 'int', environments: [environment] },
  foundUsers: [user],
  users: { users: [{ ...user, 'rootRole?': 'int' }], rootRoles: [role] },
  madeProject: { ...project, 'featureLimit?|null': 'int' },
  projects: {
    version: 'int',
    projects: [
      {
        ...project,
        'health?': 'number',
        'featureCount?': 'number',
        'memberCount?': 'number',
        'favorite?': 'flag',
        'createdAt?': 'time',
        'updatedAt?|null': 'time',
        'archivedAt?|null': 'time',
      },
    ],
  },
  projectEnvironments: {
    version: 'int',
    environments: [
      {
        name: 'text',
        type: 'text',
        enabled: 'flag',
        protected: 'flag',
        sortOrder: 'int',
        projectApiTokenCount: 'int',
        projectEnabledToggleCount: 'int',
        'visible?': 'flag',
      },
    ],
  },
  contextField: {
    name: 'text',
    'description?|null': 'text',
    'stickiness?': 'flag',
    'sortOrder?': 'int',
    'createdAt?|null': 'time',
    'usedInFeatures?|null': 'int',
    'usedInProjects?|null': 'int',
    'legalValues?': [{ value: 'text', 'description?': 'text' }],
  },
  permissions: {
    version: 'int',
    permissions: {
      root: [permission],
      project: [permission],
      environments: [{ name: 'text', permissions: [{ ...permission, environment: 'text' }] }],
    },
  },
  roles: { version: 'int', roles: [role] },
  roleReply: { version: 'int', roles: role },
  roleWithPermissions: { ...role, permissions: [permission] },
  projectAccess: {
    roles: [role],
    users: [
      {
        id: 'int',
        'name?': 'text',
        'email?|null': 'text',
        'imageUrl?|null': 'text',
        'isAPI?': 'flag',
        addedAt: 'time',
        roleId: 'int',
        roles: ['int'],
      },
    ],
    groups: [{ ...group, id: 'int', addedAt: 'time', roleId: 'int', roles: ['int'] }],
  },
  serviceAccount: { ...user, rootRole: 'int', tokens: [personalToken] },
  serviceAccounts: { serviceAccounts: [{ ...user, rootRole: 'int', tokens: [personalToken] }], rootRoles: [role] },
  personalToken: { ...personalToken, secret: 'text' },
  personalTokens: { pats: [personalToken] },
  apiTokens: { tokens: [apiToken] },
  changeRequestConfig: [
    { environment: 'text', type: 'text', changeRequestEnabled: 'flag', 'requiredApprovals|null': 'number' },
  ],
  oidc: {
    'enabled?': 'flag',
    'discoverUrl?': 'text',
    'clientId?': 'text',
    'secret?': 'text',
    'autoCreate?': 'flag',
    'enableSingleSignOut?': 'flag',
    'defaultRootRole?': 'text',
    'defaultRootRoleId?': 'number',
    'emailDomains?': 'text',
    'acrValues?': 'text',
    'idTokenSigningAlgorithm?': 'text',
    'enablePkce?': 'flag',
    'enableGroupSyncing?': 'flag',
    'groupJsonPath?': 'text',
    'addGroupsScope?': 'flag',
  },
  saml: {
    'enabled?': 'flag',
    'entityId?': 'text',
    'signOnUrl?': 'text',
    'certificate?': 'text',
    'autoCreate?': 'flag',
  },
} as const
