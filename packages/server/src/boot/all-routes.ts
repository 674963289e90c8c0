import { docsRoutes } from '@burgee/kit/openapi/docs-routes'
import { RESTRICTIONS } from '@burgee/protocol/targeting/restriction'
import { createFrontends, watchFrontends } from '@burgee/serving/sdk/frontends'
import { createOfrepStreams } from '@burgee/serving/sdk/ofrep-streams'
import { createFixedProfile } from '@burgee/serving/upstream/announced-profile'
import type { TokenRow } from '@burgee/storage/queries/access/tokens'
import { groupRoutes } from '../admin/access/group-routes.ts'
import { inactiveUserRoutes } from '../admin/access/inactive-user-routes.ts'
import { loginHistoryRoutes } from '../admin/access/login-history-routes.ts'
import { loginRoutes } from '../admin/access/login-routes.ts'
import { peopleRoutes } from '../admin/access/people-routes.ts'
import { resetRoutes } from '../admin/access/reset-routes.ts'
import { roleRoutes } from '../admin/access/role-routes.ts'
import { serviceAccountRoutes } from '../admin/access/service-account-routes.ts'
import { sessionRoutes } from '../admin/access/session-routes.ts'
import { tokenRoutes } from '../admin/access/token-routes.ts'
import { userAdminRoutes } from '../admin/access/user-admin-routes.ts'
import { userRoutes } from '../admin/access/user-routes.ts'
import { agentRoutes } from '../admin/agents/agent-routes.ts'
import { mcpRoutes } from '../admin/agents/mcp-routes.ts'
import { changeRequestListRoutes } from '../admin/change-requests/change-request-list-routes.ts'
import { changeRequestRoutes } from '../admin/change-requests/change-request-routes.ts'
import { scannerRoutes } from '../admin/code-references/scanner-routes.ts'
import { configRoutes } from '../admin/config/config-routes.ts'
import { eventExportRoutes } from '../admin/events/event-export-routes.ts'
import { eventRoutes } from '../admin/events/event-routes.ts'
import { eventSearchRoutes } from '../admin/events/event-search-routes.ts'
import { eventStreamRoutes } from '../admin/events/event-stream-routes.ts'
import { withEventTypes } from '../admin/events/operation-events.ts'
import { commentRoutes } from '../admin/flags/comment-routes.ts'
import { dependencyRoutes } from '../admin/flags/dependency-routes.ts'
import { featureRoutes } from '../admin/flags/feature-routes.ts'
import { featureTypeRoutes } from '../admin/flags/feature-type-routes.ts'
import { historyRoutes } from '../admin/flags/history-routes.ts'
import { impactRoutes } from '../admin/flags/impact-routes.ts'
import { lifecycleRoutes } from '../admin/flags/lifecycle-routes.ts'
import { manifestRoutes } from '../admin/flags/manifest-routes.ts'
import { moveRoutes } from '../admin/flags/move-routes.ts'
import { searchRoutes } from '../admin/flags/search-routes.ts'
import { selfTargetRoutes } from '../admin/flags/self-target-routes.ts'
import { staleRoutes } from '../admin/flags/stale-routes.ts'
import { strategyRoutes } from '../admin/flags/strategy-routes.ts'
import { tagRoutes } from '../admin/flags/tag-routes.ts'
import { tagTypeRoutes } from '../admin/flags/tag-type-routes.ts'
import { fleetRoutes } from '../admin/fleet/fleet-routes.ts'
import { impactChartRoutes } from '../admin/impact-metrics/impact-chart-routes.ts'
import { impactMetricRoutes } from '../admin/impact-metrics/impact-metric-routes.ts'
import { prometheusRoutes } from '../admin/impact-metrics/prometheus-routes.ts'
import { inboxRoutes } from '../admin/inbox/inbox-routes.ts'
import { integrationRoutes } from '../admin/integrations/integration-routes.ts'
import { inviteLinkRoutes } from '../admin/invitations/invite-link-routes.ts'
import { mailRoutes } from '../admin/mail/mail-routes.ts'
import { notificationRoutes } from '../admin/notifications/notification-routes.ts'
import { playgroundRoutes } from '../admin/playground/playground-routes.ts'
import { presenceRoutes } from '../admin/presence/presence-routes.ts'
import { environmentRoutes } from '../admin/projects/environment-routes.ts'
import { featureLinkRoutes } from '../admin/projects/feature-link-routes.ts'
import { projectAccessRoutes } from '../admin/projects/project-access-routes.ts'
import { projectEnvironmentRoutes } from '../admin/projects/project-environment-routes.ts'
import { projectRoutes } from '../admin/projects/project-routes.ts'
import { projectStatusRoutes } from '../admin/projects/project-status-routes.ts'
import { projectTagRoutes } from '../admin/projects/project-tag-routes.ts'
import { projectTokenRoutes } from '../admin/projects/project-token-routes.ts'
import { trafficSamplingRoutes } from '../admin/projects/traffic-sampling-routes.ts'
import { promotionRoutes } from '../admin/promotion/promotion-routes.ts'
import { releasePlanRoutes } from '../admin/releases/release-plan-routes.ts'
import { releaseTemplateRoutes } from '../admin/releases/release-template-routes.ts'
import { safeguardRoutes } from '../admin/releases/safeguard-routes.ts'
import { removalRoutes } from '../admin/removal/removal-routes.ts'
import { scimRoutes } from '../admin/scim/scim-routes.ts'
import { scimSettingsRoutes } from '../admin/scim/scim-settings-routes.ts'
import { signalRoutes } from '../admin/signals/signal-routes.ts'
import { oidcRoutes } from '../admin/sso/oidc-routes.ts'
import { signInSettingsRoutes } from '../admin/sso/settings-routes.ts'
import { constraintRoutes } from '../admin/targeting/constraint-routes.ts'
import { contextFieldRoutes } from '../admin/targeting/context-field-routes.ts'
import { segmentRoutes } from '../admin/targeting/segment-routes.ts'
import { strategyTypeRoutes } from '../admin/targeting/strategy-type-routes.ts'
import { testRunRoutes } from '../admin/test-runs/test-run-routes.ts'
import { featureTransferRoutes } from '../admin/transfer/feature-transfer-routes.ts'
import { importRoutes } from '../admin/transfer/import-routes.ts'
import { stateRoutes } from '../admin/transfer/state-routes.ts'
import { landingRoutes } from '../admin/ui/landing-routes.ts'
import { maintenanceRoutes } from '../admin/ui/maintenance-routes.ts'
import { uiConfigRoutes } from '../admin/ui/ui-config-routes.ts'
import { uiErrorRoutes } from '../admin/ui/ui-error-routes.ts'
import { uiRoutes } from '../admin/ui/ui-routes.ts'
import { unsupportedRoutes } from '../admin/ui/unsupported-routes.ts'
import { applicationRoutes } from '../admin/usage/application-routes.ts'
import { projectApplicationRoutes } from '../admin/usage/project-application-routes.ts'
import { stageRoutes } from '../admin/usage/stage-routes.ts'
import { statisticsRoutes } from '../admin/usage/statistics-routes.ts'
import { usageRoutes } from '../admin/usage/usage-routes.ts'
import type { Access } from '../core/access/access.ts'
import { StreamHolders } from '../core/access/logins/stream-holders.ts'
import { describeServer } from '../core/http/openapi.ts'
import type { HttpWorld, Routes } from '../core/http/route.ts'
import { impactSeriesRoutes, seriesRoutes, systemRoutes, unknownApiRoutes } from '../core/http/system-routes.ts'
import { createRandomFractions } from '../core/world.ts'
import { clientRoutes } from '../delivery/routes/client-routes.ts'
import { serverTargets } from '../delivery/routes/evaluation-target.ts'
import { frontendRoutes, openFeatureRoutes } from '../delivery/routes/frontend-routes.ts'
import { edgeRoutes } from '../delivery/routes/token-validation-routes.ts'

/** Routes for events, notifications and presence. */
const events = (): Routes => [
  ...[...eventStreamRoutes, ...eventRoutes, ...eventSearchRoutes, ...eventExportRoutes],
  ...[...notificationRoutes, ...inboxRoutes, ...presenceRoutes],
]
/** Routes that read and change flags. */
const singleFlagAdminRoutes = (): Routes => [
  ...featureRoutes,
  ...historyRoutes(),
  ...lifecycleRoutes,
  ...staleRoutes,
  ...removalRoutes,
  ...moveRoutes,
  ...stageRoutes,
  ...featureLinkRoutes,
  ...commentRoutes,
  ...dependencyRoutes,
  ...strategyRoutes,
  ...selfTargetRoutes,
]

/** Routes of the admin API, in the order in which they are documented. */
const administration = (): Routes => [
  ...userRoutes,
  ...userAdminRoutes,
  ...sessionRoutes,
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
  ...configRoutes(),
  ...impactRoutes,
  ...impactMetricRoutes,
  ...impactChartRoutes,
  ...prometheusRoutes,
  ...changeRequestListRoutes,
  ...changeRequestRoutes,
  ...constraintRoutes,
  ...segmentRoutes,
  ...releaseTemplateRoutes,
  ...releasePlanRoutes,
  ...safeguardRoutes,
  ...signalRoutes,
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
  ...testRunRoutes,
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
  ...fleetRoutes,
  ...agentRoutes,
]

/**
 * Returns every API route of the server, in the order in which they are documented. Does not include the files of the
 * admin UI.
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
    ...(options.exposeImpactMetrics ? impactSeriesRoutes : []),
    ...loginRoutes(world),
    ...oidcRoutes(world),
    ...administration(),
    ...importRoutes(world),
    ...mcpRoutes(),
    ...clientRoutes(world),
    ...frontendRoutes(targets, world),
    ...openFeatureRoutes(targets, ofrepStreams, world),
    ...manifestRoutes,
    ...scannerRoutes,
    ...edgeRoutes,
    ...scimRoutes,
  ]
  const checked = api.map(withCheckedBody).map(withEventTypes)
  const docs = docsRoutes<Access>(() => describeServer(checked, options.baseUriPath))
  return [...checked, ...(options.enableOAS === false ? [] : docs), ...unknownApiRoutes]
}

/**
 * Routes that only validate a name and store nothing. Some callers send the whole object when they only check a name.
 */
const NAME_CHECKS = /^\/api\/admin\/(context|environments|features|projects|roles|segments|tag-types)\/validate$/

/**
 * Wraps an admin route so that it rejects an unknown property if the property's name suggests that it restricts who
 * gets a flag. The route ignores all other unknown properties.
 */
function withCheckedBody(route: Routes[number]): Routes[number] {
  const isOfAdmin = route.url.startsWith('/api/admin/') && !NAME_CHECKS.test(route.url)
  return isOfAdmin && route.body !== undefined ? { ...route, neverIgnored: RESTRICTIONS } : route
}
