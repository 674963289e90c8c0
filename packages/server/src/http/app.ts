import { createApp } from '@burgee/kit/app'
import { docsRoutes } from '@burgee/kit/docs-routes'
import { toldReplies } from '@burgee/kit/replies-told'
import type { Route } from '@burgee/kit/route'
import { parseQueryString } from '@burgee/proxy/query-string'
import type { ServerOptions } from '../options.ts'
import type { ServerWorld } from '../services/server-world.ts'
import { hashOf } from '../services/tokens.ts'
import { membershipsOf, ownerOfToken } from '../store/people.ts'
import { applicationRoutes } from './application-routes.ts'
import { type Access, authorizer } from './auth.ts'
import { browserRules, withRules } from './browser-rules.ts'
import { createCallers } from './callers.ts'
import { clientRoutes } from './client-routes.ts'
import { constraintRoutes } from './constraint-routes.ts'
import { dependencyRoutes } from './dependency-routes.ts'
import { edgeRoutes } from './edge-routes.ts'
import { errorRenderer } from './errors.ts'
import { eventRoutes } from './event-routes.ts'
import { eventSearchRoutes } from './event-search-routes.ts'
import { featureRoutes } from './feature-routes.ts'
import { corsFirst } from './frontend-cors.ts'
import { frontendRoutes } from './frontend-routes.ts'
import { inactiveUserRoutes } from './inactive-user-routes.ts'
import { lifecycleRoutes } from './lifecycle-routes.ts'
import { createLimits, type Limits } from './limits.ts'
import { loginRoutes } from './login-routes.ts'
import { moveRoutes } from './move-routes.ts'
import { describeServer } from './openapi.ts'
import { playgroundRoutes } from './playground-routes.ts'
import { projectRoutes } from './project-routes.ts'
import { projectTagRoutes } from './project-tag-routes.ts'
import { projectTokenRoutes } from './project-token-routes.ts'
import { publicUrl } from './public-url.ts'
import { refusalTeller, toldOf } from './refusals-told.ts'
import { resetRoutes } from './reset-routes.ts'
import { searchRoutes } from './search-routes.ts'
import { segmentRoutes } from './segment-routes.ts'
import { setupRoutes } from './setup-routes.ts'
import { statisticsRoutes } from './statistics-routes.ts'
import { strategyRoutes } from './strategy-routes.ts'
import { seriesRoutes, systemRoutes, unknownApiRoutes } from './system-routes.ts'
import { tagRoutes } from './tag-routes.ts'
import { tagTypeRoutes } from './tag-type-routes.ts'
import { tokenRoutes } from './token-routes.ts'
import { uiConfigRoutes } from './ui-config-routes.ts'
import { uiFileRoutes, uiRoutes } from './ui-routes.ts'
import { usageRoutes } from './usage-routes.ts'
import { userAdminRoutes } from './user-admin-routes.ts'
import { userRoutes } from './user-routes.ts'

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
  const app = createApp<Access>({
    // pages and files of the UI are no part of the API
    routes: [
      ...routes.map((route) => (refused === undefined ? route : toldOf(route, refused))),
      ...uiFileRoutes(options.baseUriPath),
    ],
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
