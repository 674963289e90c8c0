import { createApp } from '@burgee/kit/http/app'
import { BodyBudget } from '@burgee/kit/http/body-budget'
import { parseQueryString } from '@burgee/kit/input/query-string'
import type { Logger } from '@burgee/kit/log/logger'
import { toldReplies } from '@burgee/kit/log/replies-told'
import { shutdownTimes } from '@burgee/kit/shutdown-times'
import { Turns } from '@burgee/kit/turns'
import { withRules } from '@burgee/serving/cache-rules'
import { withOfrepFailures } from '@burgee/serving/ofrep/ofrep-failure'
import type { ServerOptions } from '../options.ts'
import { hashOf } from '../services/access/tokens/tokens.ts'
import type { ServerWorld } from '../services/server-world.ts'
import { ownerOfToken } from '../store/access/people.ts'
import { featureNamed } from '../store/features/features.ts'
import { lastProjectOf } from '../store/features/hidden-names.ts'
import { projectIds } from '../store/projects/projects.ts'
import { type Access, authorizer } from './access/auth.ts'
import { allRoutes } from './all-routes.ts'
import { createCallers } from './callers.ts'
import { errorRenderer } from './errors.ts'
import { withManifestFailures } from './features/manifest-failure.ts'
import { PendingQuota } from './pending-quota.ts'
import { inTurn } from './reads-in-turn.ts'
import { refusalTeller, toldOf } from './refusals-told.ts'
import { withRevision } from './revision-header.ts'
import type { HttpWorld } from './route.ts'
import { createRouteRateLimits } from './route-rate-limits.ts'
import { withScimFailures } from './scim/scim-failure.ts'
import { corsFirst } from './sdk/frontend-cors.ts'
import { callerTold } from './sdk/told-caller.ts'
import { browserRules } from './ui/browser-rules.ts'
import { readUiBuild } from './ui/ui-build.ts'
import { uiFileRoutes } from './ui/ui-routes.ts'
import { withValueWarnings } from './value-warnings-header.ts'

const BODY_LIMIT_BYTES = 100 * 1024
const MS_PER_SECOND = 1000

/** Creates the error renderer, which picks the error format of the API that was called. */
function rendererOf(logger: Logger, basePath: string) {
  const render = withOfrepFailures(errorRenderer(logger, basePath), basePath)
  return withScimFailures(withManifestFailures(render, basePath), basePath)
}

/**
 * Creates the HTTP app of a server with all its routes; returns the routes as well.
 *
 * @param now `isDraining` returns true once the process was asked to end
 */
export function createServerApp(
  server: ServerWorld,
  options: ServerOptions,
  now: Pick<HttpWorld, 'isDraining' | 'sizes'>,
) {
  const callers = createCallers(options)
  const limits = createRouteRateLimits(server, options, callers)
  const world: HttpWorld = { ...server, ...now, options, callers, limits, ui: readUiBuild(options.baseUriPath) }
  const routes = allRoutes(world)
  const refused = refusalTeller(world.security, callers)
  const turns = new Turns()
  const pending = new PendingQuota(callers)
  const app = createApp<Access, HttpWorld>({
    routes: [
      ...routes
        .map((route) => pending.bound(inTurn(route, turns)))
        .map(withValueWarnings)
        .map((route) => withRevision(route, world.revisions))
        .map((route) => (refused === undefined ? route : toldOf(route, refused))),
      ...(world.ui === undefined ? [] : uiFileRoutes),
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
      pending,
      enforcePasswordChange: options.enforcePasswordChange,
      rightsOf: (user) => world.rights.of(user),
      hiddenFrom: (userId, grants) => world.hidden.from(userId, grants),
      projectOf: async (feature) =>
        (await featureNamed(world.db.reader, feature))?.project ?? (await lastProjectOf(world.db.reader, feature)),
      allProjects: () => projectIds(world.db.reader),
      ownerOf: (secret) => ownerOfToken(world.db.reader, hashOf(secret), world.clock()),
      isInMaintenance: world.settings.isInMaintenance,
      basePath: options.baseUriPath,
      signIn: world.signIn,
      scim: world.scim,
      seen: (token, caller) => world.usage.token(token.id, () => callerTold(caller)),
      seenPersonal: (id) => world.usage.personalToken(id),
    }),
    renderError: rendererOf(world.logger, options.baseUriPath),
    parseQuery: parseQueryString,
    bodyLimitBytes: BODY_LIMIT_BYTES,
    compress: true,
    bodies: new BodyBudget({ maxBytes: options.bodyMemoryLimit }),
    owners: (caller, access) => {
      const network = callers.networkOf(caller)
      const holder = access?.holder
      return holder === undefined ? [network] : [network, holder]
    },
    fastLane: options.httpFastLane,
    streams: world.streams,
    limits: {
      keepAliveTimeoutMs: options.serverKeepAliveTimeout * MS_PER_SECOND,
      headersTimeoutMs: options.serverHeadersTimeout * MS_PER_SECOND,
      closeGraceMs: shutdownTimes(options.shutdownDelay).graceMs,
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
