import { EventLoopBudget } from '@burgee/kit/event-loop-budget'
import { createApp } from '@burgee/kit/http/app'
import { BodyBudget } from '@burgee/kit/http/body-budget'
import type { Network } from '@burgee/kit/http/client-network'
import type { RequestTracer } from '@burgee/kit/http/request-tracer'
import { parseQueryString } from '@burgee/kit/input/query-string'
import { withResponseLog } from '@burgee/kit/log/response-log'
import { getShutdownTimes } from '@burgee/kit/shutdown-times'
import { withDefaultHeaders } from '@burgee/serving/cache-rules'
import { isRunEnvironment } from '@burgee/serving/document/run-environment'
import { withOfrepFailures } from '@burgee/serving/ofrep/ofrep-failure'
import { findTokenOwner } from '@burgee/storage/queries/access/people'
import { findFeature } from '@burgee/storage/queries/flags/features'
import { findLastProject } from '@burgee/storage/queries/flags/hidden-names'
import { listProjectIds } from '@burgee/storage/queries/projects/projects'
import { withMcpFailures } from '../admin/agents/mcp-failure.ts'
import { withScannerFailures } from '../admin/code-references/scanner-failure.ts'
import { withManifestFailures } from '../admin/flags/manifest-failure.ts'
import { withScimFailures } from '../admin/scim/scim-failure.ts'
import { withWellFormedBody } from '../admin/targeting/well-formed-body.ts'
import { browserRules } from '../admin/ui/browser-rules.ts'
import { readUiBuild } from '../admin/ui/ui-build.ts'
import { uiFileRoutes } from '../admin/ui/ui-routes.ts'
import type { Access } from '../core/access/access.ts'
import { createAuthorizer } from '../core/access/auth.ts'
import { withHiddenNames } from '../core/access/hidden-names.ts'
import { opensSignalEndpoint } from '../core/access/tokens/signal-tokens.ts'
import { hashSecret } from '../core/access/tokens/tokens.ts'
import { createCallers } from '../core/http/callers.ts'
import {
  auditDenials,
  auditLimits,
  createDenialAuditor,
  createLimitAuditor,
  createRejectionAuditor,
} from '../core/http/denial-audit.ts'
import { errorRenderer } from '../core/http/errors.ts'
import { withPageHosts } from '../core/http/page-hosts.ts'
import { PendingQuota } from '../core/http/pending-quota.ts'
import { withRevision } from '../core/http/revision-header.ts'
import type { HttpWorld } from '../core/http/route.ts'
import { createRouteRateLimits } from '../core/http/route-rate-limits.ts'
import { serializeReads } from '../core/http/serialized-reads.ts'
import { withValueWarnings } from '../core/http/value-warnings-header.ts'
import type { ServerOptions } from '../core/options/options.ts'
import type { ServerWorld } from '../core/server-world.ts'
import { parseClientInfo } from '../delivery/routes/client-info.ts'
import { corsFirst } from '../delivery/routes/frontend-cors.ts'
import { allRoutes } from './all-routes.ts'

const BODY_LIMIT_BYTES = 100 * 1024
const MS_PER_SECOND = 1000

/**
 * Creates the function that renders errors. The renderer uses the error format of the API that the request was sent to.
 */
function createErrorRenderer(world: HttpWorld, basePath: string) {
  const render = withScannerFailures(withOfrepFailures(errorRenderer(world, basePath), basePath), basePath)
  return withMcpFailures(withScimFailures(withManifestFailures(render, basePath), basePath), world.options)
}

/** Parts of the app that only some servers have. */
interface AppParts {
  readonly tracer?: RequestTracer | undefined
  /** See `ServerDeps`. */
  readonly pageHosts?: readonly string[] | undefined
}

/**
 * Creates the HTTP app of a server with all its routes. Also returns the routes.
 *
 * @param now `isDraining` returns true once the process has been asked to shut down; `tracer` creates spans of requests
 */
export function createServerApp(
  server: ServerWorld,
  options: ServerOptions,
  now: Pick<HttpWorld, 'isDraining' | 'sizes'> & AppParts,
) {
  const { tracer, pageHosts, ...state } = now
  const callers = createCallers(options)
  const limits = createRouteRateLimits(server, options, callers)
  const world: HttpWorld = { ...server, ...state, options, callers, limits, ui: readUiBuild(options.baseUriPath) }
  const routes = allRoutes(world)
  const refused = createDenialAuditor(world.security, callers)
  const rejected = createRejectionAuditor(world.security, callers)
  const renderError = createErrorRenderer(world, options.baseUriPath)
  const pending = new PendingQuota(callers)
  const first = withDefaultHeaders(
    browserRules(options),
    corsFirst(world.settings.frontendApiOrigins, options.baseUriPath, options.accessControlMaxAge),
  )
  const app = createApp<Access, HttpWorld>({
    routes: [...applyRouteRules(routes, world, { pending, refused }), ...(world.ui === undefined ? [] : uiFileRoutes)],
    world,
    basePath: options.baseUriPath,
    order: 'authorize-first',
    authorize: createServerAuthorizer(world, { pending, refused }),
    renderError: (error, caller, request) => {
      rejected?.(error, caller, request)
      return renderError(error, caller)
    },
    parseQuery: parseQueryString,
    bodyLimitBytes: BODY_LIMIT_BYTES,
    compress: true,
    bodies: new BodyBudget({ maxBytes: options.bodyMemoryLimit }),
    owners: (caller, access) => listBodyOwners(callers.getNetwork(caller), access),
    fastLane: options.httpFastLane,
    streams: world.streams,
    limits: {
      keepAliveTimeoutMs: options.serverKeepAliveTimeout * MS_PER_SECOND,
      headersTimeoutMs: options.serverHeadersTimeout * MS_PER_SECOND,
      closeGraceMs: getShutdownTimes(options.shutdownDelay).graceMs,
    },
    onReply: withResponseLog(world.telemetry.recordReply, world.debug),
    tracer,
    first: pageHosts === undefined ? first : withPageHosts(pageHosts, first),
    logger: world.logger,
  })
  return { app, routes }
}

/** Parts of the app that check requests. */
interface RequestChecks {
  readonly pending: PendingQuota
  readonly refused: ReturnType<typeof createDenialAuditor>
}

/** Adds to each route the rules that hold for all routes. */
function applyRouteRules(routes: ReturnType<typeof allRoutes>, world: HttpWorld, { pending, refused }: RequestChecks) {
  const limited = createLimitAuditor(world.security, world.callers)
  const budget = new EventLoopBudget()
  return routes
    .map(withHiddenNames)
    .map((route) => pending.bound(serializeReads(route, budget)))
    .map(withValueWarnings)
    .map(withWellFormedBody)
    .map((route) => withRevision(route, world.revisions))
    .map((route) => (limited === undefined ? route : auditLimits(route, limited)))
    .map((route) => (refused === undefined ? route : auditDenials(route, refused)))
}

function createServerAuthorizer(world: HttpWorld, checks: RequestChecks) {
  const { options, callers, limits } = world
  return createAuthorizer({
    tokens: world.tokens,
    sessions: world.sessions,
    callers,
    wrongToken: limits.wrongToken,
    ...checks,
    random: world.random,
    enforcePasswordChange: options.enforcePasswordChange,
    loadRights: (user) => world.rights.getGrants(user),
    listHiddenProjects: (userId, grants) => world.hidden.from(userId, grants),
    findProject: async (feature) =>
      (await findFeature(world.db.reader, feature))?.project ?? (await findLastProject(world.db.reader, feature)),
    listProjectIds: () => listProjectIds(world.db.reader),
    findTokenOwner: (secret) => findTokenOwner(world.db.reader, hashSecret(secret), world.clock()),
    isInMaintenance: world.settings.isInMaintenance,
    basePath: options.baseUriPath,
    signIn: world.signIn,
    scim: world.scim,
    opensSignalEndpoint: (name, secret) => opensSignalEndpoint(world.db.reader, name, secret),
    recordTokenUse: (token, caller) => {
      if (!isRunEnvironment(token.environment)) world.usage.token(token.id, () => parseClientInfo(caller))
    },
    recordPersonalTokenUse: (id) => world.usage.personalToken(id),
  })
}

/** Returns the users or networks to whose limits the memory for a request body is charged. */
function listBodyOwners(network: Network, access: Access | undefined): readonly string[] {
  const holder = access?.holder
  return holder === undefined ? [network] : [network, holder]
}
