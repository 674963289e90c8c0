import { createServer, type Server } from 'node:http'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { type CheckOrder, compileChecks, readQuery } from '../input/checks.ts'
import type { Logger } from '../log/logger.ts'
import type { AppOptions } from './app-options.ts'
import { Connections, DEFAULT_LIMITS, type HttpLimits } from './connections.ts'
import { dateHeader, readDirectly } from './direct-connection.ts'
import { fastLane } from './fast-lane.ts'
import { Refusal } from './refusal.ts'
import { plainAddress, rendered, replyOf, statusOf } from './render.ts'
import { announcesBody, isDiscarded, isJson, readJson } from './request-body.ts'
import { putHeaders, type SendOptions, send, type Wrote } from './respond.ts'
import { type Caller, type Input, Reply, type Route } from './route.ts'

export type { AppOptions, SeenReply } from './app-options.ts'

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
const LONGEST_PARAMETER = 1000

/**
 * An app that answers `routes`; `listen` and `close` it, or `inject` requests in tests. `close` ends idle connections
 * at once and lets requests in flight end for `limits.closeGraceMs`.
 */
export function createApp<Access, World = undefined>(ofWorld: AppOptions<Access, World>): FastifyInstance {
  // from here on nobody asks what the world is: it only goes with its routes
  const given = ofWorld as unknown as AppOptions<Access>
  const limits = { ...DEFAULT_LIMITS, ...given.limits }
  const server = serverOf(limits)
  const connections = new Connections(server, limits.mostHeldBytes, cutNotice(given.logger, Date.now))
  const wrote: Wrote = (socket, body) => connections.wrote(socket, body)
  const options = { ...given, sending: { compress: given.compress === true, wrote } }
  const lane = options.fastLane === false ? undefined : fastLane(options, wrote)
  if (lane !== undefined) readDirectly(server, { lane, connections, limits, date: dateHeader(Date.now) })
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
    serverFactory: (answer) =>
      server.on('request', (request, response) =>
        connections.inTurn(request.socket, () => {
          if (lane?.take(request, response) !== true) answer(request, response)
        }),
      ),
    clientErrorHandler: (error, socket) => connections.answerClientError(error, socket),
    forceCloseConnections: 'idle',
    return503OnClosing: false,
  })
  app.addHook('preClose', async () => {
    lane?.close()
    connections.close(limits.closeGraceMs)
  })
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

/** The options of an app with how it sends what goes through the framework. */
interface AppParts<Access> extends AppOptions<Access> {
  readonly sending: SendOptions
}

const NOTICE_INTERVAL_MS = 60_000

/** Says that connections are cut, once a minute at most: callers can bring it about as often as they like. */
function cutNotice(logger: Logger, now: () => number): () => void {
  let [count, toldAtMs] = [0, Number.NEGATIVE_INFINITY]
  return () => {
    count += 1
    if (now() - toldAtMs < NOTICE_INTERVAL_MS) return
    logger.warn(`Connections were cut (${count}), for they do not read their replies, and memory for these is bounded`)
    ;[count, toldAtMs] = [0, now()]
  }
}

/** A server with its bounds. */
function serverOf(limits: HttpLimits): Server {
  const server = createServer({
    headersTimeout: limits.headersTimeoutMs,
    maxHeaderSize: limits.maxHeaderBytes,
    connectionsCheckingInterval: limits.checkIntervalMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
  })
  server.setTimeout(limits.idleTimeoutMs)
  return server
}

function addRoute<Access>(app: FastifyInstance, options: AppParts<Access>, route: Route<Access>): void {
  const check = compileChecks(route, options)
  const status = statusOf(route)
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    try {
      const input = await check(request, callerOf(request))
      const result = await route.handle(input as Input<Access, never, never, never>, options.world)
      await send(request, reply, replyOf(status, result), options.sending)
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

function runFirst<Access>(app: FastifyInstance, options: AppParts<Access>): void {
  if (options.first !== undefined) app.addHook('onRequest', firstHook(options, options.first))
}

function firstHook<Access>(options: AppParts<Access>, first: NonNullable<Route['first']>) {
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
  options: AppParts<Access>,
  first: NonNullable<Route['first']>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<boolean> {
  const answer = first(callerOf(request), options.world)
  if (!(answer instanceof Reply)) {
    putHeaders(reply, answer)
    return false
  }
  await send(request, reply, answer, options.sending)
  return true
}

/** A URL that cannot be routed (`/%zz`) comes to no hook. */
async function badUrl<Access>(options: AppParts<Access>, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  try {
    const first = options.first ?? (() => ({}))
    if (!(await answerFirst(options, first, request, reply))) await fail(options, notFound(request), request, reply)
  } catch (error) {
    options.logger.error('A request could not be answered', error)
    reply.raw.destroy()
  }
}

/** Sends the reply that a failure calls for. */
async function fail<Access>(
  options: AppParts<Access>,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  // The framework would close the connection after a body that was refused
  if (isDiscarded(request.raw) && reply.hasHeader('connection')) reply.removeHeader('connection')
  await send(request, reply, rendered(options, error, callerOf(request)), options.sending)
  return reply
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

function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? url
}
