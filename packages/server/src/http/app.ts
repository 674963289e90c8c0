import { createApp } from '@burgee/kit/http/app'
import type { Route } from '@burgee/kit/http/route'
import { parseQueryString } from '@burgee/kit/input/query-string'
import { toldReplies } from '@burgee/kit/log/replies-told'
import { docsRoutes } from '@burgee/kit/openapi/docs-routes'
import type { ServerOptions } from '../options.ts'
import { hashOf } from '../services/access/tokens.ts'
import type { ServerWorld } from '../services/server-world.ts'
import { membershipsOf, ownerOfToken } from '../store/access/people.ts'
import { type Access, authorizer } from './access/auth.ts'
import { inactiveUserRoutes } from './access/inactive-user-routes.ts'
import { loginRoutes } from './access/login-routes.ts'
import { resetRoutes } from './access/reset-routes.ts'
import { tokenRoutes } from './access/token-routes.ts'
import { userAdminRoutes } from './access/user-admin-routes.ts'
import { userRoutes } from './access/user-routes.ts'
import { createCallers } from './callers.ts'
import { errorRenderer } from './errors.ts'
import { eventRoutes } from './events/event-routes.ts'
import { eventSearchRoutes } from './events/event-search-routes.ts'
import { dependencyRoutes } from './features/dependency-routes.ts'
import { featureRoutes } from './features/feature-routes.ts'
import { lifecycleRoutes } from './features/lifecycle-routes.ts'
import { moveRoutes } from './features/move-routes.ts'
import { searchRoutes } from './features/search-routes.ts'
import { strategyRoutes } from './features/strategy-routes.ts'
import { tagRoutes } from './features/tag-routes.ts'
import { tagTypeRoutes } from './features/tag-type-routes.ts'
import { createLimits, type Limits } from './limits.ts'
import { describeServer } from './openapi.ts'
import { playgroundRoutes } from './playground-routes.ts'
import { projectRoutes } from './projects/project-routes.ts'
import { projectTagRoutes } from './projects/project-tag-routes.ts'
import { projectTokenRoutes } from './projects/project-token-routes.ts'
import { publicUrl } from './public-url.ts'
import { refusalTeller, toldOf } from './refusals-told.ts'
import { clientRoutes } from './sdk/client-routes.ts'
import { edgeRoutes } from './sdk/edge-routes.ts'
import { corsFirst } from './sdk/frontend-cors.ts'
import { frontendRoutes } from './sdk/frontend-routes.ts'
import { setupRoutes } from './setup-routes.ts'
import { seriesRoutes, systemRoutes, unknownApiRoutes } from './system-routes.ts'
import { constraintRoutes } from './targeting/constraint-routes.ts'
import { segmentRoutes } from './targeting/segment-routes.ts'
import { browserRules, withRules } from './ui/browser-rules.ts'
import { uiConfigRoutes } from './ui/ui-config-routes.ts'
import { uiFileRoutes, uiRoutes } from './ui/ui-routes.ts'
import { applicationRoutes } from './usage/application-routes.ts'
import { statisticsRoutes } from './usage/statistics-routes.ts'
import { usageRoutes } from './usage/usage-routes.ts'

const BODY_LIMIT_BYTES = 100 * 1024
const MS_PER_SECOND = 1000
/** With what must be written after it, below the ten seconds that supervisors wait between SIGTERM and SIGKILL. */
const CLOSE_GRACE_MS = 4000

/** Every route of the server, in the order of its documentation. */
function allRoutes(world: ServerWorld, options: ServerOptions, limits: Limits): Route<Access>[] {
  const api = apiRoutes(world, options, limits)
  const docs = docsRoutes<Access>(() => describeServer(api, options.baseUriPath))
  return [...api, ...(options.enableOAS === false ? [] : docs), ...unknownApiRoutes()]
}

function apiRoutes(world: ServerWorld, options: ServerOptions, limits: Limits): Route<Access>[] {
  const callers = createCallers(options)
  return [
    ...uiRoutes(options.baseUriPath),
    ...systemRoutes(world),
    ...(options.serverMetrics ? seriesRoutes(world.telemetry) : []),
    ...loginRoutes(world, { basePath: options.baseUriPath, callers, limits }),
    ...userRoutes(world, { most: options.personalTokensLimit, lifetimeDays: options.personalTokenLifetimeDays }),
    ...userAdminRoutes(world, { limits, publicUrl: publicUrl(options) }),
    ...inactiveUserRoutes(world, options.userInactivityThresholdDays),
    ...resetRoutes(world, { callers, limits, publicUrl: publicUrl(options) }),
    ...projectRoutes(world),
    ...setupRoutes(world),
    ...featureRoutes(world),
    ...lifecycleRoutes(world),
    ...moveRoutes(world),
    ...dependencyRoutes(world),
    ...strategyRoutes(world),
    ...constraintRoutes(world),
    ...segmentRoutes(world),
    ...tagRoutes(world),
    ...tagTypeRoutes(world),
    ...projectTagRoutes(world),
    ...eventRoutes(world),
    ...eventSearchRoutes(world),
    ...searchRoutes(world),
    ...playgroundRoutes(world, options.baseUriPath),
    ...tokenRoutes(world),
    ...projectTokenRoutes(world),
    ...uiConfigRoutes(world, options),
    ...statisticsRoutes(world),
    ...usageRoutes(world),
    ...applicationRoutes(world),
    ...clientRoutes(world, { callers, limits }),
    ...frontendRoutes(world, { trustProxy: options.trustProxy, callers, limits }),
    ...edgeRoutes(world.tokens, limits),
  ]
}

/** The HTTP app over a world, answering all its routes, which are told as well. */
export function createServerApp(world: ServerWorld, options: ServerOptions) {
  const callers = createCallers(options)
  const limits = createLimits(world, options, callers)
  const routes = allRoutes(world, options, limits)
  const refused = refusalTeller(world.security, callers)
  const app = createApp<Access, ServerWorld>({
    // pages and files of the UI are no part of the API
    routes: [
      ...routes.map((route) => (refused === undefined ? route : toldOf(route, refused))),
      ...uiFileRoutes(options.baseUriPath),
    ],
    world,
    basePath: options.baseUriPath,
    order: 'authorize-first',
    authorize: authorizer({
      tokens: world.tokens,
      sessions: world.sessions,
      callers,
      wrongToken: limits.wrongToken,
      refused,
      enforcePasswordChange: options.enforcePasswordChange,
      memberships: (userId) => membershipsOf(world.db.reader, userId),
      ownerOf: (secret) => ownerOfToken(world.db.reader, hashOf(secret), world.clock()),
      seen: (token) => world.usage.token(token.id),
      seenPersonal: (id) => world.usage.personalToken(id),
    }),
    renderError: errorRenderer(world.logger, options.baseUriPath),
    parseQuery: parseQueryString,
    bodyLimitBytes: BODY_LIMIT_BYTES,
    compress: true,
    fastLane: options.httpFastLane,
    limits: {
      keepAliveTimeoutMs: options.serverKeepAliveTimeout * MS_PER_SECOND,
      headersTimeoutMs: options.serverHeadersTimeout * MS_PER_SECOND,
      closeGraceMs: CLOSE_GRACE_MS,
    },
    onReply: toldReplies(world.telemetry.reply, world.debug),
    first: withRules(
      browserRules(options),
      corsFirst(world.settings.frontendApiOrigins, options.baseUriPath, options.accessControlMaxAge),
    ),
    logger: world.logger,
  })
  return { app, routes }
}
