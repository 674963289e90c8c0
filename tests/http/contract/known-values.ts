import type { Known } from './sample-body.ts'

/** Parts of a route that determine the values of its body. */
export interface CalledRoute {
  readonly url: string
  readonly method: string
}

/** Password that the server accepts. */
export const PASSWORD = 'a password nobody guesses'

/** State document of an installation that contains only the initial data. */
const STATE_OF_FLAG = { enabled: true, strategies: [], variants: [] }
const STATE = Object.fromEntries(
  [
    'features',
    ...['strategies', 'projects', 'tagTypes', 'tags', 'featureTags', 'featureStrategies', 'environments'],
    ...['featureEnvironments', 'segments', 'featureStrategySegments'],
  ].map((part) => [part, []]),
)

const TIME = '2026-01-01T00:00:00Z'

/**
 * Values of request bodies by property name, for properties whose schema alone does not define which values are valid.
 * `count` is used to create new names.
 */
export const knownAt = (count: number, { url, method }: CalledRoute): Known => ({
  data: { features: [{ name: 'flag' }], featureStrategies: [], tagTypes: [] },
  password: PASSWORD,
  confirmPassword: PASSWORD,
  email: `x${count}@example.org`,
  color: '#112233',
  icon: 'i',
  name: url.includes('/:environment/') ? 'default' : `n${count}`,
  username: `u${count}`,
  tokenName: `u${count}`,
  id: `i${count}`,
  expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
  contextName: 'userId',
  operator: 'IN',
  values: ['1'],
  value: 'one',
  features: ['flag'],
  project: 'default',
  projects: ['default'],
  newProjectId: 'default',
  environments: ['development'],
  rootRole: 3,
  parameters: {},
  constraints: [],
  segments: [],
  segmentIds: [],
  ids: [],
  roles: [5],
  users: [],
  groups: [],
  url: 'https://example.org',
  sourceLink: 'https://example.org',
  commitUrlTemplate: 'https://example.org',
  hunkUrlTemplate: 'https://example.org',
  projectId: 'default',
  environmentId: 'development',
  parent: 'other',
  environment: 'development',
  type: url.includes('/api-tokens') ? 'client' : 'simple',
  defaultStickiness: 'default',
  started: TIME,
  currentTime: TIME,
  start: TIME,
  stop: TIME,
  strategies: [],
  linkTemplates: [],
  featureLimit: 1000,
  pattern: '.*',
  mode: 'open',
  frontendApiOrigins: ['https://example.org'],
  description: `d${count}`,
  ...(url.includes('/state/') ? STATE : {}),
  ...(/\/promotions(\/undo)?$/.test(url) ? { features: [{ name: 'flag', seen: 'x', state: STATE_OF_FLAG }] } : {}),
  ...(url.includes('/change-requests') ? { payload: { enabled: true } } : {}),
  ...(method === 'PUT' && url.endsWith('/access') ? { roles: [{ id: 5, users: [], groups: [] }] } : {}),
  ...(url.includes('/config/') ? { files: [], commit: '3f2a1c0' } : {}),
  // restores the state in which later requests can write
  ...(url.endsWith('/maintenance') ? { enabled: false } : {}),
})

/** Path parameters that name existing objects. */
export const PARAMETERS: Readonly<Record<string, string>> = {
  projectId: 'default',
  featureName: 'flag',
  environment: 'development',
  segmentId: '1',
  userId: '3',
  appName: 'app',
  id: 'release',
  contextField: 'own',
  strategyName: 'own',
  name: 'own',
}
