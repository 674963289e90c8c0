/** Event type, the operation that writes it, and its exact state before and after. */
export interface EventRow {
  readonly type: string
  /** `METHOD /path`, or `markOverdue`. `{name}` refers to a value that `keep` of an earlier row has stored. */
  readonly call: string
  readonly body?: unknown
  readonly as?: 'admin' | 'editor'
  /**
   * Keys of the reply to store, by the name under which they are stored. If there is no reply, keys of the event
   * instead.
   */
  readonly keep?: Readonly<Record<string, string>>
  readonly project?: string
  readonly environment?: string
  readonly featureName?: string
  /** Tags that the flag has after the operation, by default none. */
  readonly tags?: readonly object[]
  /** Exact keys, or null if omitted. */
  readonly data?: string
  readonly preData?: string
}

const A = '/api/admin'
const P = `${A}/projects/default`
const F = `${P}/features`
const E = `${F}/f/environments/development`
const OF_F = { project: 'default', featureName: 'f' } as const
const OF_E = { ...OF_F, environment: 'development' } as const
const FEATURE =
  'name description type project stale potentiallyStale variants createdAt lastSeenAt impressionData archivedAt archived'
const STRATEGY = 'id name title disabled sortOrder parameters constraints segments variants'
const SEGMENT = 'id name description project constraints createdBy createdAt'
const FIELD = 'name description stickiness sortOrder legalValues createdAt'
const TYPE = 'name title displayName description editable deprecated parameters'
const PROJECT =
  'id name description mode defaultStickiness createdAt archivedAt featureNaming featureLimit linkTemplates'
const ENVIRONMENT = 'name type sortOrder enabled protected'
const DEFAULT_STRATEGY = 'name title parameters constraints variants segments'
const DEPENDENCY = 'feature enabled variants'
const TOKEN = 'id secret tokenName username type environment project projects expiresAt createdAt seenAt alias'
const PERSONAL = 'id userId description expiresAt createdAt seenAt'
const INVITE = 'id name expiresAt enabled createdAt createdBy'
const USER = 'id username email name rootRole'
const RED = { type: 'simple', value: 'red' }
const rollout = { name: 'flexibleRollout', title: 'all' }

const FLAGS: readonly EventRow[] = [
  { type: 'feature-created', call: `POST ${F}`, body: { name: 'f' }, ...OF_F, data: FEATURE },
  {
    type: 'tag-created',
    call: `POST ${A}/tags`,
    body: RED,
    data: 'type value',
  },
  {
    type: 'feature-tagged',
    call: `POST ${A}/features/f/tags`,
    body: RED,
    ...OF_F,
    tags: [RED],
    data: 'type value',
  },
  {
    type: 'feature-metadata-updated',
    call: `PUT ${F}/f`,
    body: { description: 'new' },
    ...OF_F,
    tags: [RED],
    data: FEATURE,
    preData: FEATURE,
  },
  {
    type: 'feature-environment-variants-updated',
    call: `PUT ${E}/variants`,
    body: [{ name: 'v', weight: 1000 }],
    ...OF_E,
    tags: [RED],
    data: 'variants',
    preData: 'variants',
  },
  {
    type: 'test-run-created',
    call: `POST ${A}/projects/default/test-runs`,
    body: { environment: 'production', minutes: 5 },
    keep: { run: 'id' },
    project: 'default',
    environment: 'production',
    data: 'id name overrides expiresAt',
  },
  {
    type: 'test-run-updated',
    call: `PATCH ${A}/projects/default/test-runs/{run}`,
    body: { overrides: { f: true } },
    project: 'default',
    environment: 'production',
    data: 'id overrides',
    preData: 'id overrides',
  },
  {
    type: 'test-run-deleted',
    call: `DELETE ${A}/projects/default/test-runs/{run}`,
    project: 'default',
    environment: 'production',
    preData: 'id name overrides',
  },
  {
    type: 'features-exported',
    call: `POST ${A}/features-batch/export`,
    body: { environment: 'development', project: 'default', features: ['f'], tag: 'red' },
    project: 'default',
    environment: 'development',
    data: 'environment count features project tag',
  },
  {
    type: 'features-imported',
    call: `POST ${A}/features-batch/import`,
    body: {
      project: 'default',
      environment: 'development',
      data: { features: [], featureStrategies: [], tagTypes: [] },
    },
    project: 'default',
    environment: 'development',
    data: 'count',
  },
  {
    type: 'feature-completed',
    call: `POST ${F}/f/lifecycle/complete`,
    body: { status: 'kept', statusValue: 'v' },
    ...OF_F,
    tags: [RED],
    data: 'status statusValue brief',
  },
  {
    type: 'feature-uncompleted',
    call: `POST ${F}/f/lifecycle/uncomplete`,
    ...OF_F,
    tags: [RED],
    preData: 'status statusValue',
  },
  {
    type: 'feature-snoozed',
    call: `POST ${P}/snooze`,
    body: { features: ['f'], until: '2030-06-01T00:00:00.000Z' },
    ...OF_F,
    tags: [RED],
    data: 'until',
  },
  {
    type: 'feature-unsnoozed',
    call: `POST ${P}/snooze`,
    body: { features: ['f'], until: null },
    ...OF_F,
    tags: [RED],
    preData: 'until',
  },
  {
    type: 'feature-stale-on',
    call: `POST ${P}/stale`,
    body: { features: ['f'], stale: true },
    ...OF_F,
    tags: [RED],
    data: FEATURE,
    preData: FEATURE,
  },
  {
    type: 'feature-stale-off',
    call: `PATCH ${F}/f`,
    body: [{ op: 'replace', path: '/stale', value: false }],
    ...OF_F,
    tags: [RED],
    data: FEATURE,
    preData: FEATURE,
  },
  {
    type: 'feature-potentially-stale-on',
    call: 'markOverdue',
    ...OF_F,
    tags: [RED],
    data: FEATURE,
    preData: FEATURE,
  },
  {
    type: 'feature-untagged',
    call: `PUT ${P}/tags`,
    body: { features: ['f'], tags: { addedTags: [], removedTags: [RED] } },
    ...OF_F,
    preData: 'type value',
  },
  {
    type: 'feature-link-added',
    call: `POST ${F}/f/link`,
    body: { url: 'https://example.com' },
    keep: { link: 'id' },
    ...OF_F,
    data: 'id url title',
  },
  {
    type: 'feature-link-updated',
    call: `PUT ${F}/f/link/{link}`,
    body: { url: 'https://example.org' },
    ...OF_F,
    data: 'id url title',
    preData: 'id url title',
  },
  { type: 'feature-link-removed', call: `DELETE ${F}/f/link/{link}`, ...OF_F, preData: 'id url title' },
  {
    type: 'feature-comment-added',
    call: `POST ${F}/f/comments`,
    body: { text: 'paused' },
    keep: { comment: 'id' },
    ...OF_F,
    data: 'commentId text',
  },
  {
    type: 'feature-comment-edited',
    call: `PUT ${F}/f/comments/{comment}`,
    body: { text: 'goes on' },
    ...OF_F,
    data: 'commentId text',
    preData: 'commentId text',
  },
  {
    type: 'feature-comment-deleted',
    call: `DELETE ${F}/f/comments/{comment}`,
    ...OF_F,
    preData: 'commentId text createdBy',
  },
  { type: 'feature-favorited', call: `POST ${F}/f/favorites`, as: 'editor', ...OF_F, data: 'feature' },
  { type: 'feature-unfavorited', call: `DELETE ${F}/f/favorites`, as: 'editor', ...OF_F, data: 'feature' },
]

const STRATEGIES: readonly EventRow[] = [
  {
    type: 'feature-strategy-add',
    call: `POST ${E}/strategies`,
    body: rollout,
    keep: { strategy: 'id' },
    ...OF_E,
    data: STRATEGY,
  },
  {
    type: 'feature-strategy-update',
    call: `PUT ${E}/strategies/{strategy}`,
    body: { ...rollout, title: 'some' },
    ...OF_E,
    data: STRATEGY,
    preData: STRATEGY,
  },
  {
    type: 'strategy-order-changed',
    call: `POST ${E}/strategies/set-sort-order`,
    body: [{ id: '{strategy}', sortOrder: 3 }],
    ...OF_E,
    data: 'strategyIds strategies',
    preData: 'strategyIds strategies',
  },
  { type: 'feature-environment-enabled', call: `POST ${E}/on`, ...OF_E, data: 'enabled', preData: 'enabled' },
  { type: 'feature-environment-disabled', call: `POST ${E}/off`, ...OF_E, data: 'enabled', preData: 'enabled' },
  {
    type: 'feature-strategy-remove',
    call: `DELETE ${E}/strategies/{strategy}`,
    ...OF_E,
    preData: STRATEGY,
  },
  {
    type: 'default-strategy-updated',
    call: `POST ${P}/environments/development/default-strategy`,
    body: rollout,
    project: 'default',
    environment: 'development',
    data: DEFAULT_STRATEGY,
  },
  {
    type: 'default-strategy-updated',
    call: `POST ${P}/environments/development/default-strategy`,
    body: { ...rollout, title: 'other' },
    project: 'default',
    environment: 'development',
    data: DEFAULT_STRATEGY,
    preData: DEFAULT_STRATEGY,
  },
  {
    type: 'strategy-created',
    call: `POST ${A}/strategies`,
    body: { name: 'own', parameters: [] },
    data: TYPE,
  },
  {
    type: 'strategy-updated',
    call: `PUT ${A}/strategies/own`,
    body: { description: 'new', parameters: [] },
    data: TYPE,
    preData: TYPE,
  },
  { type: 'strategy-deprecated', call: `POST ${A}/strategies/own/deprecate`, data: TYPE, preData: TYPE },
  { type: 'strategy-reactivated', call: `POST ${A}/strategies/own/reactivate`, data: TYPE, preData: TYPE },
  { type: 'strategy-deleted', call: `DELETE ${A}/strategies/own`, preData: TYPE },
]

const DEPENDENCIES: readonly EventRow[] = [
  { type: 'feature-created', call: `POST ${F}`, body: { name: 'g' }, ...OF_F, featureName: 'g', data: FEATURE },
  {
    type: 'feature-dependency-added',
    call: `POST ${F}/f/dependencies`,
    body: { feature: 'g' },
    ...OF_F,
    data: DEPENDENCY,
  },
  {
    type: 'feature-dependency-added',
    call: `POST ${F}/f/dependencies`,
    body: { feature: 'g', enabled: false },
    ...OF_F,
    data: DEPENDENCY,
    preData: DEPENDENCY,
  },
  {
    type: 'feature-dependency-removed',
    call: `DELETE ${F}/f/dependencies/g`,
    ...OF_F,
    preData: DEPENDENCY,
  },
  {
    type: 'feature-dependency-added',
    call: `POST ${F}/f/dependencies`,
    body: { feature: 'g' },
    ...OF_F,
    data: DEPENDENCY,
  },
  { type: 'feature-dependencies-removed', call: `DELETE ${F}/f/dependencies`, ...OF_F, preData: 'dependencies' },
  { type: 'feature-archived', call: `DELETE ${F}/f`, ...OF_F, data: FEATURE, preData: FEATURE },
  {
    type: 'feature-revived',
    call: `POST ${P}/revive`,
    body: { features: ['f'] },
    ...OF_F,
    data: FEATURE,
    preData: FEATURE,
  },
  {
    type: 'feature-archived',
    call: `POST ${P}/archive`,
    body: { features: ['f'] },
    ...OF_F,
    data: FEATURE,
    preData: FEATURE,
  },
  { type: 'feature-deleted', call: `DELETE ${A}/archive/f`, ...OF_F, preData: FEATURE },
]

const MATERIAL: readonly EventRow[] = [
  {
    type: 'segment-created',
    call: `POST ${A}/segments`,
    body: { name: 's', constraints: [], project: 'default' },
    keep: { segment: 'id' },
    project: 'default',
    data: SEGMENT,
  },
  {
    type: 'segment-updated',
    call: `PUT ${A}/segments/{segment}`,
    body: { name: 'other', constraints: [], project: 'default' },
    project: 'default',
    data: SEGMENT,
    preData: SEGMENT,
  },
  { type: 'segment-deleted', call: `DELETE ${A}/segments/{segment}`, project: 'default', preData: SEGMENT },
  { type: 'context-field-created', call: `POST ${A}/context`, body: { name: 'c' }, data: FIELD },
  {
    type: 'context-field-updated',
    call: `POST ${A}/context/c/legal-values`,
    body: { value: 'x' },
    data: FIELD,
    preData: FIELD,
  },
  { type: 'context-field-deleted', call: `DELETE ${A}/context/c`, preData: FIELD },
  {
    type: 'tag-type-created',
    call: `POST ${A}/tag-types`,
    body: { name: 'team' },
    data: 'name description icon',
  },
  {
    type: 'tag-type-updated',
    call: `PUT ${A}/tag-types/team`,
    body: { description: 'new' },
    data: 'name description icon',
    preData: 'name description icon',
  },
  { type: 'tag-type-deleted', call: `DELETE ${A}/tag-types/team`, preData: 'name description icon' },
  { type: 'tag-deleted', call: `DELETE ${A}/tags/simple/red`, preData: 'type value' },
  {
    type: 'feature-type-updated',
    call: `PUT ${A}/feature-types/release/lifetime`,
    body: { lifetimeDays: 41 },
    data: 'id name description lifetimeDays',
    preData: 'id name description lifetimeDays',
  },
]

const PLACES: readonly EventRow[] = [
  {
    type: 'environment-created',
    call: `POST ${A}/environments`,
    body: { name: 'stage', type: 'test' },
    environment: 'stage',
    data: ENVIRONMENT,
  },
  {
    type: 'environment-updated',
    call: `POST ${A}/environments/stage/off`,
    environment: 'stage',
    data: ENVIRONMENT,
    preData: ENVIRONMENT,
  },
  {
    type: 'project-environment-added',
    call: `POST ${P}/environments`,
    body: { environment: 'stage' },
    project: 'default',
    environment: 'stage',
    data: 'environment',
  },
  {
    type: 'project-environment-removed',
    call: `DELETE ${P}/environments/development`,
    project: 'default',
    environment: 'development',
    preData: 'environment defaultStrategy',
  },
  {
    type: 'project-environment-removed',
    call: `DELETE ${P}/environments/stage`,
    project: 'default',
    environment: 'stage',
    preData: 'environment',
  },
  { type: 'environment-deleted', call: `DELETE ${A}/environments/stage`, environment: 'stage', preData: ENVIRONMENT },
  {
    type: 'project-created',
    call: `POST ${A}/projects`,
    body: { id: 'p', name: 'P' },
    project: 'p',
    data: `${PROJECT} environments owners`,
  },
  {
    type: 'feature-created',
    call: `POST ${A}/projects/p/features`,
    body: { name: 'moving' },
    project: 'p',
    featureName: 'moving',
    data: FEATURE,
  },
  {
    type: 'feature-project-change',
    call: `POST ${A}/projects/p/features/moving/changeProject`,
    body: { newProjectId: 'default' },
    project: 'default',
    featureName: 'moving',
    data: 'oldProject newProject',
  },
  {
    type: 'project-updated',
    call: `PUT ${A}/projects/p`,
    body: { name: 'Q' },
    project: 'p',
    data: PROJECT,
    preData: PROJECT,
  },
  { type: 'project-favorited', call: `POST ${A}/projects/p/favorites`, as: 'editor', project: 'p', data: 'project' },
  {
    type: 'project-unfavorited',
    call: `DELETE ${A}/projects/p/favorites`,
    as: 'editor',
    project: 'p',
    data: 'project',
  },
  {
    type: 'project-access-user-roles-updated',
    call: `POST ${A}/projects/p/users/2/roles/5`,
    project: 'p',
    data: 'userId roles',
  },
  {
    type: 'project-access-user-roles-deleted',
    call: `DELETE ${A}/projects/p/users/2/roles`,
    project: 'p',
    preData: 'userId roles',
  },
  { type: 'project-archived', call: `POST ${A}/projects/archive/p`, project: 'p', data: PROJECT, preData: PROJECT },
  { type: 'project-revived', call: `POST ${A}/projects/revive/p`, project: 'p', data: PROJECT, preData: PROJECT },
  { type: 'project-deleted', call: `DELETE ${A}/projects/p`, project: 'p', preData: `${PROJECT} environments` },
]

const INTEGRATION = 'id provider enabled description parameters events projects environments createdAt'
const HOOK = { provider: 'webhook', enabled: false, events: [], parameters: { url: 'https://example.org' } }

const ACCESS: readonly EventRow[] = [
  { type: 'addon-config-created', call: `POST ${A}/addons`, body: HOOK, keep: { addon: 'id' }, data: INTEGRATION },
  {
    type: 'addon-config-updated',
    call: `PUT ${A}/addons/{addon}`,
    body: { ...HOOK, description: 'd' },
    data: INTEGRATION,
    preData: INTEGRATION,
  },
  { type: 'addon-config-deleted', call: `DELETE ${A}/addons/{addon}`, preData: INTEGRATION },
  {
    type: 'api-token-created',
    call: `POST ${A}/api-tokens`,
    body: { tokenName: 't', type: 'client', environment: 'production', projects: ['default'] },
    keep: { token: 'id' },
    project: 'default',
    environment: 'production',
    data: TOKEN,
  },
  {
    type: 'api-token-updated',
    call: `PUT ${A}/api-tokens/{token}`,
    body: { expiresAt: '2100-01-01T00:00:00.000Z' },
    project: 'default',
    environment: 'production',
    data: TOKEN,
    preData: TOKEN,
  },
  {
    type: 'api-token-deleted',
    call: `DELETE ${A}/api-tokens/{token}`,
    project: 'default',
    environment: 'production',
    preData: TOKEN,
  },
  {
    type: 'pat-created',
    call: `POST ${A}/user/tokens`,
    body: { description: 'mine', expiresAt: '2031-06-01T00:00:00.000Z' },
    as: 'editor',
    keep: { pat: 'id' },
    data: PERSONAL,
  },
  { type: 'pat-deleted', call: `DELETE ${A}/user/tokens/{pat}`, as: 'editor', preData: PERSONAL },
  {
    type: 'setting-created',
    call: `POST ${A}/ui-config/cors`,
    body: { frontendApiOrigins: ['https://a.example'] },
    data: 'id frontendApiOrigins',
  },
  {
    type: 'setting-updated',
    call: `POST ${A}/ui-config/cors`,
    body: { frontendApiOrigins: ['https://b.example'] },
    data: 'id frontendApiOrigins',
    preData: 'frontendApiOrigins',
  },
  {
    type: 'user-created',
    call: `POST ${A}/user-admin`,
    body: { username: 'somebody', rootRole: 3 },
    keep: { user: 'id' },
    data: USER,
  },
  {
    type: 'public-signup-token-created',
    call: `POST ${A}/invite-link/tokens`,
    body: { name: 'link', expiresAt: '2100-01-01T00:00:00.000Z' },
    keep: { link: 'secret' },
    data: INVITE,
  },
  {
    type: 'public-signup-token-updated',
    call: `PUT ${A}/invite-link/tokens/{link}`,
    body: { enabled: false },
    data: INVITE,
    preData: INVITE,
  },
  { type: 'user-updated', call: `PUT ${A}/user-admin/{user}`, body: { name: 'Some Body' }, data: USER, preData: USER },
  { type: 'user-deleted', call: `DELETE ${A}/user-admin/{user}`, preData: `${USER} projects` },
]

const ROLE = 'id name description type permissions'
const GROUP = 'id name description mappingsSSO rootRole'
const MEMBERSHIP = 'groupId groupName userId'
/** Id of the first custom role; five roles are built in. */
const MADE = `${A}/roles/6`

const RIGHTS: readonly EventRow[] = [
  {
    type: 'role-created',
    call: `POST ${A}/roles`,
    body: { name: 'Maker', type: 'custom', permissions: [{ name: 'CREATE_FEATURE' }] },
    data: ROLE,
  },
  { type: 'role-updated', call: `PUT ${MADE}`, body: { name: 'Doer', type: 'custom' }, data: ROLE, preData: ROLE },
  { type: 'role-deleted', call: `DELETE ${MADE}`, preData: ROLE },
  {
    type: 'group-created',
    call: `POST ${A}/groups`,
    body: { name: 'g', users: [] },
    keep: { group: 'id' },
    data: GROUP,
  },
  {
    type: 'group-updated',
    call: `PUT ${A}/groups/{group}`,
    body: { name: 'team', users: [] },
    data: GROUP,
    preData: GROUP,
  },
  {
    type: 'group-user-added',
    call: `PUT ${A}/groups/{group}`,
    body: { name: 'team', users: [{ user: { id: 2 } }] },
    data: MEMBERSHIP,
  },
  {
    type: 'project-access-group-roles-updated',
    call: `PUT ${P}/groups/{group}/roles`,
    body: { roles: [5] },
    project: 'default',
    data: 'groupId roles',
  },
  {
    type: 'project-access-group-roles-deleted',
    call: `DELETE ${P}/groups/{group}/roles`,
    project: 'default',
    preData: 'groupId roles',
  },
  {
    type: 'group-user-removed',
    call: `PUT ${A}/groups/{group}`,
    body: { name: 'team', users: [] },
    preData: MEMBERSHIP,
  },
  { type: 'group-deleted', call: `DELETE ${A}/groups/{group}`, preData: `${GROUP} users projects` },
  {
    type: 'service-account-created',
    call: `POST ${A}/service-account`,
    body: { username: 'bot', name: 'Bot', rootRole: 3 },
    keep: { bot: 'id' },
    data: USER,
  },
  {
    type: 'service-account-updated',
    call: `PUT ${A}/service-account/{bot}`,
    body: { name: 'Robot', rootRole: 3 },
    data: USER,
    preData: USER,
  },
  { type: 'service-account-deleted', call: `DELETE ${A}/service-account/{bot}`, preData: `${USER} projects` },
]

/** Operations, ordered so that each finds the objects that it needs. */
export const EVENT_ROWS: readonly EventRow[] = [
  ...FLAGS,
  ...STRATEGIES,
  ...DEPENDENCIES,
  ...MATERIAL,
  ...PLACES,
  ...ACCESS,
  ...RIGHTS,
]
