import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { type CheckOrder, compileChecks, readQuery } from './checks.ts'
import { Connections, DEFAULT_LIMITS, type HttpLimits } from './connections.ts'
import type { Logger } from './logger.ts'
import { Refusal, refusalOf } from './refusal.ts'
import { announcesBody, isDiscarded, isJson, readJson } from './request-body.ts'
import { putHeaders, send } from './respond.ts'
import { type Caller, type First, type Input, Reply, type Route } from './route.ts'

/** What an app is made of. */
export interface AppOptions<Access> {
  readonly routes: readonly Route<Access>[]
  /** Put before every route's url: '' or '/base'. */
  readonly basePath: string
  readonly order: CheckOrder
  /** Who calls, and may they? Throws a Problem when not. */
  readonly authorize: (caller: Caller, route: Route<Access>) => Access | Promise<Access>
  /** Turns any failure of a request into its reply. Failures: Refusal, InvalidRequest, Problem, anything else (500). */
  readonly renderError: (error: unknown, caller: Caller) => Reply
  /** Reads the query string (without '?') into the object that the query schema checks. */
  readonly parseQuery: (text: string) => Record<string, unknown>
  /** Longest body, as sent and when inflated. */
  readonly bodyLimitBytes: number
  readonly logger: Logger
  /** Called before anything else: headers for whatever the reply will be, or the whole reply (CORS preflight). */
  readonly first?: First
  /** Compress replies of at least 1024 bytes for clients that accept it; no by default. */
  readonly compress?: boolean
  /** Hears of every reply that was sent, for series. */
  readonly onReply?: (seen: SeenReply) => void
  /** Bounds for connections, where they differ from `DEFAULT_LIMITS`. */
  readonly limits?: Partial<HttpLimits>
}

/** A reply as series count it: nothing of it is the caller's choice. */
export interface SeenReply {
  /** Pattern of the route, without the base path; 'unknown' where no route was found. */
  readonly route: string
  /** One of the methods that routes have, HEAD or OPTIONS; 'other' for the rest. */
  readonly method: string
  readonly status: number
  readonly durationMs: number
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
const LONGEST_PARAMETER = 1000

/**
 * An app that answers `routes`; `listen` and `close` it, or `inject` requests in tests. `close` ends idle connections
 * at once and lets requests in flight end for `limits.closeGraceMs`.
 */
export function createApp<Access>(options: AppOptions<Access>): FastifyInstance {
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const app = Fastify({
    bodyLimit: options.bodyLimitBytes,
    routerOptions: {
      caseSensitive: false,
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: true,
      maxParamLength: LONGEST_PARAMETER,
      querystringParser: (text) => readQuery(options.parseQuery, text),
    },
    frameworkErrors: (_error, request, reply) => badUrl(options, request, reply as FastifyReply),
    http: {
      headersTimeout: limits.headersTimeoutMs,
      maxHeaderSize: limits.maxHeaderBytes,
      connectionsCheckingInterval: limits.checkIntervalMs,
    },
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    connectionTimeout: limits.idleTimeoutMs,
    clientErrorHandler: (error, socket) => connections.answerClientError(error, socket),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
  })
  const connections = new Connections(app.server)
  app.addHook('preClose', async () => connections.close(limits.closeGraceMs))
  runFirst(app, options)
  tellReplies(app, options)
  readJsonOnly(app, options.order)
  for (const route of options.routes) addRoute(app, options, route)
  app.setErrorHandler((error, request, reply) => {
    const unread = options.order === 'authorize-first' && isUnreadMedia(error) && request.is404
    return fail(options, unread ? notFound(request) : error, request, reply)
  })
  app.setNotFoundHandler((request, reply) => fail(options, notFound(request), request, reply))
  return app
}

function addRoute<Access>(app: FastifyInstance, options: AppOptions<Access>, route: Route<Access>): void {
  const check = compileChecks(route, options)
  const status = Math.min(...Object.keys(route.replies).map(Number))
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    try {
      const input = await check(request, callerOf(request))
      const result = await route.handle(input as Input<Access, never, never, never>)
      await send(request, reply, replyOf(status, result), { compress: options.compress === true })
      return reply
    } catch (error) {
      return fail(options, error, request, reply)
    }
  }
  app.route({
    method: route.method === 'GET' ? ['GET', 'HEAD'] : route.method,
    exposeHeadRoute: false,
    // A colon of the base path is a colon, not a parameter
    url: `${options.basePath.replaceAll(':', '::')}${route.url}`,
    config: { pattern: route.url },
    ...(route.bodyLimitBytes === undefined ? {} : { bodyLimit: route.bodyLimitBytes }),
    ...(route.first === undefined ? {} : { onRequest: firstHook(options, route.first) }),
    handler: answer,
    // A malformed media type is refused by the framework while reading; rights come before that here
    errorHandler: (error, request, reply) =>
      options.order === 'authorize-first' && isUnreadMedia(error)
        ? answer(request, reply)
        : fail(options, error, request, reply),
  })
}

function replyOf(status: number, result: unknown): Reply {
  if (result instanceof Reply) return result
  return result === undefined ? new Reply(status) : Reply.json(status, result)
}

function isUnreadMedia(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE'
}

/** Bodies without a type are read as JSON, those of another type not at all. */
function readJsonOnly(app: FastifyInstance, order: CheckOrder): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(['application/json', '*'], async (request: FastifyRequest) => {
    const type = request.headers['content-type']
    return type === undefined || isJson(type) ? readJson(request.raw, request.routeOptions.bodyLimit) : undefined
  })
  if (order !== 'validate-first') return
  app.addHook('onRequest', async (request) => {
    const type = request.headers['content-type']
    if (type !== undefined && announcesBody(request.raw) && !isJson(type)) throw new Refusal('media-type', type)
  })
}

function runFirst<Access>(app: FastifyInstance, options: AppOptions<Access>): void {
  if (options.first !== undefined) app.addHook('onRequest', firstHook(options, options.first))
}

function firstHook<Access>(options: AppOptions<Access>, first: First) {
  return async (request: FastifyRequest, reply: FastifyReply) =>
    (await answerFirst(options, first, request, reply)) ? reply : undefined
}

function tellReplies<Access>(app: FastifyInstance, { onReply }: AppOptions<Access>): void {
  if (onReply === undefined) return
  app.addHook('onResponse', async (request, reply) => {
    const { pattern = 'unknown' } = request.routeOptions.config as { pattern?: string }
    const method = METHODS.has(request.method) ? request.method : 'other'
    onReply({ route: pattern, method, status: reply.statusCode, durationMs: reply.elapsedTime })
  })
}

/** Sets the headers of `first`, or sends its whole reply and says so. */
async function answerFirst<Access>(
  options: AppOptions<Access>,
  first: First,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  const answer = first(callerOf(request))
  if (!(answer instanceof Reply)) {
    putHeaders(reply, answer)
    return false
  }
  await send(request, reply, answer, { compress: options.compress === true })
  return true
}

/** A URL that cannot be routed (`/%zz`) comes to no hook. */
async function badUrl<Access>(
  options: AppOptions<Access>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  try {
    const first = options.first ?? (() => ({}))
    if (!(await answerFirst(options, first, request, reply))) await fail(options, notFound(request), request, reply)
  } catch (error) {
    options.logger.error('A request could not be answered', error)
    reply.raw.destroy()
  }
}

/** Sends the reply that a failure calls for. A failing renderer is logged and answered with 500 without body. */
async function fail<Access>(
  options: AppOptions<Access>,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  // The framework would close the connection after a body that was refused
  if (isDiscarded(request.raw)) reply.removeHeader('connection')
  await send(request, reply, rendered(options, error, request), { compress: options.compress === true })
  return reply
}

function rendered<Access>(options: AppOptions<Access>, error: unknown, request: FastifyRequest): Reply {
  try {
    return options.renderError(refusalOf(error), callerOf(request))
  } catch (failure) {
    options.logger.error('An error could not be rendered', failure, error)
    return new Reply(500)
  }
}

function notFound(request: FastifyRequest): Refusal {
  return new Refusal('not-found', `Cannot ${request.method} ${pathOf(request.url)}`)
}

function callerOf(request: FastifyRequest): Caller {
  return {
    method: request.method,
    url: request.url,
    headers: request.headers,
    params: (request.params ?? {}) as Record<string, string>,
    remoteAddress: plainAddress(request.socket.remoteAddress ?? ''),
    id: request.id,
  }
}

/** An IPv4 address as a dual-stack socket shows it (`::ffff:192.0.2.1`) is that IPv4 address. */
export function plainAddress(address: string): string {
  return /^::ffff:\d+\.\d+\.\d+\.\d+$/i.test(address) ? address.slice('::ffff:'.length) : address
}

function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? url
}
