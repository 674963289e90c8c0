import { docsRoutes } from '@burgee/kit/openapi/docs-routes'
import { RESTRICTIONS } from '@burgee/protocol/targeting/restriction'
import { createFrontends, watchFrontends } from '@burgee/serving/sdk/frontends'
import { createOfrepStreams } from '@burgee/serving/sdk/ofrep-streams'
import { createFixedProfile } from '@burgee/serving/upstream/announced-profile'
import { StreamHolders } from '../services/access/logins/stream-holders.ts'
import { changesFlags } from '../services/storage-budget.ts'
import { createRandomFractions } from '../services/world.ts'
import type { TokenRow } from '../store/access/tokens.ts'
import type { Access } from './access/auth.ts'
import { groupRoutes } from './access/group-routes.ts'
import { inactiveUserRoutes } from './access/inactive-user-routes.ts'
import { loginHistoryRoutes } from './access/login-history-routes.ts'
import { loginRoutes } from './access/login-routes.ts'
import { peopleRoutes } from './access/people-routes.ts'
import { resetRoutes } from './access/reset-routes.ts'
import { roleRoutes } from './access/role-routes.ts'
import { serviceAccountRoutes } from './access/service-account-routes.ts'
import { tokenRoutes } from './access/token-routes.ts'
import { userAdminRoutes } from './access/user-admin-routes.ts'
import { userRoutes } from './access/user-routes.ts'
import { changeRequestListRoutes } from './change-requests/change-request-list-routes.ts'
import { changeRequestRoutes } from './change-requests/change-request-routes.ts'
import { eventRoutes } from './events/event-routes.ts'
import { eventSearchRoutes } from './events/event-search-routes.ts'
import { eventStreamRoutes } from './events/event-stream-routes.ts'
import { commentRoutes } from './features/comment-routes.ts'
import { dependencyRoutes } from './features/dependency-routes.ts'
import { featureRoutes } from './features/feature-routes.ts'
import { featureTypeRoutes } from './features/feature-type-routes.ts'
import { historyRoutes } from './features/history-routes.ts'
import { impactRoutes } from './features/impact-routes.ts'
import { lifecycleRoutes } from './features/lifecycle-routes.ts'
import { manifestRoutes } from './features/manifest-routes.ts'
import { moveRoutes } from './features/move-routes.ts'
import { searchRoutes } from './features/search-routes.ts'
import { staleRoutes } from './features/stale-routes.ts'
import { strategyRoutes } from './features/strategy-routes.ts'
import { tagRoutes } from './features/tag-routes.ts'
import { tagTypeRoutes } from './features/tag-type-routes.ts'
import { integrationRoutes } from './integrations/integration-routes.ts'
import { inviteLinkRoutes } from './invitations/invite-link-routes.ts'
import { mailRoutes } from './mail/mail-routes.ts'
import { notificationRoutes } from './notifications/notification-routes.ts'
import { describeServer } from './openapi.ts'
import { playgroundRoutes } from './playground-routes.ts'
import { presenceRoutes } from './presence/presence-routes.ts'
import { environmentRoutes } from './projects/environment-routes.ts'
import { featureLinkRoutes } from './projects/feature-link-routes.ts'
import { projectAccessRoutes } from './projects/project-access-routes.ts'
import { projectEnvironmentRoutes } from './projects/project-environment-routes.ts'
import { projectRoutes } from './projects/project-routes.ts'
import { projectStatusRoutes } from './projects/project-status-routes.ts'
import { projectTagRoutes } from './projects/project-tag-routes.ts'
import { projectTokenRoutes } from './projects/project-token-routes.ts'
import { trafficSamplingRoutes } from './projects/traffic-sampling-routes.ts'
import { promotionRoutes } from './promotion/promotion-routes.ts'
import type { HttpWorld, Routes } from './route.ts'
import { scimRoutes } from './scim/scim-routes.ts'
import { scimSettingsRoutes } from './scim/scim-settings-routes.ts'
import { clientRoutes } from './sdk/client-routes.ts'
import { edgeRoutes } from './sdk/edge-routes.ts'
import { serverTargets } from './sdk/evaluation-target.ts'
import { frontendRoutes, openFeatureRoutes } from './sdk/frontend-routes.ts'
import { oidcRoutes } from './sso/oidc-routes.ts'
import { signInSettingsRoutes } from './sso/settings-routes.ts'
import { seriesRoutes, systemRoutes, unknownApiRoutes } from './system-routes.ts'
import { constraintRoutes } from './targeting/constraint-routes.ts'
import { contextFieldRoutes } from './targeting/context-field-routes.ts'
import { segmentRoutes } from './targeting/segment-routes.ts'
import { strategyTypeRoutes } from './targeting/strategy-type-routes.ts'
import { featureTransferRoutes } from './transfer/feature-transfer-routes.ts'
import { importRoutes } from './transfer/import-routes.ts'
import { stateRoutes } from './transfer/state-routes.ts'
import { landingRoutes } from './ui/landing-routes.ts'
import { maintenanceRoutes } from './ui/maintenance-routes.ts'
import { unsupportedRoutes } from './ui/not-offered-routes.ts'
import { uiConfigRoutes } from './ui/ui-config-routes.ts'
import { uiErrorRoutes } from './ui/ui-error-routes.ts'
import { uiRoutes } from './ui/ui-routes.ts'
import { applicationRoutes } from './usage/application-routes.ts'
import { projectApplicationRoutes } from './usage/project-application-routes.ts'
import { stageRoutes } from './usage/stage-routes.ts'
import { statisticsRoutes } from './usage/statistics-routes.ts'
import { usageRoutes } from './usage/usage-routes.ts'

/** Routes for events, notifications and presence. */
const events = (): Routes => [
  ...[...eventStreamRoutes, ...eventRoutes, ...eventSearchRoutes],
  ...[...notificationRoutes, ...presenceRoutes],
]
/** Routes that read and change flags. */
const singleFlagAdminRoutes = (): Routes => [
  ...featureRoutes,
  ...historyRoutes(),
  ...lifecycleRoutes,
  ...staleRoutes,
  ...moveRoutes,
  ...stageRoutes,
  ...featureLinkRoutes,
  ...commentRoutes,
  ...dependencyRoutes,
  ...strategyRoutes,
]

/**
 * Documents the 429 reply for storage quotas. For routes that store something although the caller needs no right to
 * change flags.
 */
function withStorageProblem(one: Routes[number]): Routes[number] {
  const { method, permission, problems } = one
  const isFree = method === 'GET' || permission === 'public' || (permission !== null && changesFlags(permission))
  return isFree || problems.includes('RateLimitError') ? one : { ...one, problems: [...problems, 'RateLimitError'] }
}

/** Routes of the admin API, in the order of its documentation. */
const administration = (): Routes => [
  ...userRoutes,
  ...userAdminRoutes,
  ...inactiveUserRoutes,
  ...loginHistoryRoutes,
  ...roleRoutes,
  ...groupRoutes,
  ...serviceAccountRoutes,
  ...inviteLinkRoutes,
  ...resetRoutes,
  ...projectRoutes,
  ...projectStatusRoutes,
  ...environmentRoutes,
  ...trafficSamplingRoutes,
  ...projectEnvironmentRoutes,
  ...projectAccessRoutes,
  ...peopleRoutes,
  ...contextFieldRoutes,
  ...strategyTypeRoutes,
  ...featureTypeRoutes,
  ...singleFlagAdminRoutes(),
  ...promotionRoutes(),
  ...impactRoutes,
  ...changeRequestListRoutes,
  ...changeRequestRoutes,
  ...constraintRoutes,
  ...segmentRoutes,
  ...tagRoutes,
  ...tagTypeRoutes,
  ...projectTagRoutes,
  ...featureTransferRoutes,
  ...integrationRoutes,
  ...stateRoutes,
  ...events(),
  ...searchRoutes,
  ...playgroundRoutes,
  ...tokenRoutes,
  ...projectTokenRoutes,
  ...uiConfigRoutes,
  ...uiErrorRoutes,
  ...unsupportedRoutes,
  ...maintenanceRoutes,
  ...statisticsRoutes,
  ...mailRoutes,
  ...signInSettingsRoutes,
  ...scimSettingsRoutes,
  ...usageRoutes,
  ...applicationRoutes,
  ...projectApplicationRoutes,
]

/**
 * Returns every API route of the server, in the order of its documentation. The files of the admin UI are not part of
 * it.
 */
export function allRoutes(world: HttpWorld): Routes {
  const { options, ui } = world
  const profile = createFixedProfile(options.evaluationProfile)
  const frontends = createFrontends({ ...world, profile, random: createRandomFractions(world.random) })
  watchFrontends(world.telemetry.caches, frontends)
  const ofrepStreams = createOfrepStreams<TokenRow>({ ...world, frontends, holders: new StreamHolders(world) })
  const targets = serverTargets(world, { frontends, ofrepStreams }, options.trustProxy)
  const api: Routes = [
    ...(ui === undefined ? landingRoutes : uiRoutes),
    ...systemRoutes,
    ...(options.serverMetrics ? seriesRoutes : []),
    ...loginRoutes(world),
    ...oidcRoutes(world),
    ...administration().map(withStorageProblem),
    ...importRoutes(world),
    ...clientRoutes(world),
    ...frontendRoutes(targets),
    ...openFeatureRoutes(targets, ofrepStreams, world),
    ...manifestRoutes,
    ...edgeRoutes,
    ...scimRoutes,
  ]
  const checked = api.map(withCheckedBody)
  const docs = docsRoutes<Access>(() => describeServer(checked, options.baseUriPath))
  return [...checked, ...(options.enableOAS === false ? [] : docs), ...unknownApiRoutes]
}

/** Routes that validate only a name and store nothing. Some callers send them whole objects. */
const NAME_CHECKS = /^\/api\/admin\/(context|environments|features|projects|roles|segments|tag-types)\/validate$/

/**
 * Makes an admin route reject unknown properties whose names suggest that they restrict who gets a flag. Other unknown
 * properties are ignored.
 */
function withCheckedBody(route: Routes[number]): Routes[number] {
  const isOfAdmin = route.url.startsWith('/api/admin/') && !NAME_CHECKS.test(route.url)
  return isOfAdmin && route.body !== undefined ? { ...route, neverIgnored: RESTRICTIONS } : route
}
