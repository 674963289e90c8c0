import { Reply } from '@burgee/kit/http/route'
import { CorsSettings, UiConfig, UiSettings } from '@burgee/protocol/ui-config'
import { execute } from '../../core/execute.ts'
import { LIST, WRITE } from '../../core/http/problem-lists.ts'
import { publicUrl } from '../../core/http/public-url.ts'
import { type HttpWorld, type Routes, route } from '../../core/http/route.ts'
import { RESOURCE_LIMITS, TABLE_LIMITS } from '../../core/resource-limits.ts'
import { setOrigins } from '../../core/settings.ts'
import { WIRE_VERSION } from '../../core/version.ts'

const common = { method: 'POST', permission: 'ADMIN', tag: 'System', problems: WRITE } as const

/**
 * Routes for the configuration of the UI, and for the list of origins that may call the frontend API. Source: spec "UI
 * configuration response".
 */
export const uiConfigRoutes: Routes = [
  route({
    method: 'GET',
    url: '/api/admin/ui-config',
    permission: null,
    tag: 'System',
    summary: 'Returns name, version and capabilities of this server.',
    replies: { 200: { description: 'The configuration', schema: UiConfig } },
    problems: LIST,
    handle: (_input, world) => ({ ...buildConfig(world), ...(world.options.enableOAS === false ? { links: [] } : {}) }),
  }),
  route({
    ...common,
    url: '/api/admin/ui-config/cors',
    summary: 'Sets the origins that may call the frontend API (CORS); takes effect at once.',
    body: CorsSettings,
    replies: { 204: { description: 'Set' } },
    handle: async ({ body, access }, world) => {
      await execute(world, access.actor, setOrigins, body)
      return new Reply(204)
    },
  }),
  route({
    ...common,
    url: '/api/admin/ui-config',
    summary: 'Sets the origins of the frontend API (legacy).',
    body: UiSettings,
    replies: { 204: { description: 'Set' } },
    handle: async ({ body, access }, world) => {
      await execute(world, access.actor, setOrigins, body.frontendSettings)
      return new Reply(204)
    },
  }),
]

/**
 * Returns the UI configuration. Features that this server lacks are off and have a limit of 0. Unleash's UI shows
 * roles, groups, service accounts, single sign-on, logins and change requests only if `versionInfo.current.enterprise`
 * is not empty. This server supports all of these features, so `enterprise` contains the same version as `oss`.
 */
function buildConfig({ settings, options, mails, signIn }: HttpWorld): UiConfig {
  const { baseUriPath } = options
  const { segmentValuesLimit: segmentValues = RESOURCE_LIMITS.constraintValues } = options
  const limits = {
    segmentValues,
    strategySegments: options.strategySegmentsLimit,
    featureEnvironmentStrategies: options.featureEnvironmentStrategiesLimit,
    constraintValues: RESOURCE_LIMITS.constraintValues,
    constraints: RESOURCE_LIMITS.strategyConstraints,
    environments: TABLE_LIMITS.environments,
    apiTokens: TABLE_LIMITS.api_tokens,
    segments: TABLE_LIMITS.segments,
  }
  return {
    name: 'Burgee',
    version: WIRE_VERSION,
    environment: 'Open source',
    unleashUrl: publicUrl(options),
    baseUriPath,
    authenticationType: 'enterprise',
    disablePasswordAuth: signIn.isPasswordOff(),
    emailEnabled: mails !== undefined,
    maintenanceMode: settings.isInMaintenance(),
    networkViewEnabled: false,
    segmentValuesLimit: limits.segmentValues,
    strategySegmentsLimit: limits.strategySegments,
    resourceLimits: { ...limits, ...NO_ACTIONS },
    frontendApiOrigins: [...settings.frontendApiOrigins()],
    flags: { ...SERVED },
    links: [{ value: 'API', icon: 'library_books', href: `${baseUriPath}/docs/openapi`, title: 'API documentation' }],
    versionInfo: {
      current: { oss: WIRE_VERSION, enterprise: WIRE_VERSION },
      latest: {},
      isLatest: true,
      instanceId: settings.instanceId(),
    },
  }
}

/** Feature toggles of Unleash's UI for features that this server has. Toggles that are not listed are off. */
const SERVED = {
  /** Frontend API, with the list of origins that may call it. */
  embedProxy: true,
  embedProxyFrontend: true,
  /** Lifecycle stages of a flag. */
  featureLifecycle: true,
  /** Export and import of flags as a document. */
  featuresExportImport: true,
  /** Page that shows which permissions a user has in a project. */
  userAccessUIEnabled: true,
  /** List of inactive users. */
  showInactiveUsers: true,
  /** Banner that warns about outdated SDK versions. */
  outdatedSdksBanner: true,
  /** Turns off notifications in Unleash's UI. Users can use the event history and integrations instead. */
  disableNotifications: true,
}

const NO_ACTIONS = {
  actionSetActions: 0,
  actionSetsPerProject: 0,
  actionSetFilters: 0,
  actionSetFilterValues: 0,
  signalEndpoints: 0,
  signalTokensPerEndpoint: 0,
}
