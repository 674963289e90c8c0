import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { matchesEtag, weakEtag } from './etag.ts'
import type { Logger } from './logger.ts'
import { Refusal, refusalOf } from './refusal.ts'
import { type Caller, type Input, Reply, type Route } from './route.ts'
import { compileValidator, type Validator } from './validation.ts'

/**
 * When the caller's rights are looked at. 'authorize-first': body parsed → rights → media type → schema (admin API).
 * 'validate-first': media type → body parsed → schema → rights (client proxy).
 */
export type CheckOrder = 'authorize-first' | 'validate-first'

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
  readonly bodyLimitBytes: number
  readonly logger: Logger
  /** Called before anything else: headers for whatever the reply will be, or the whole reply (CORS preflight). */
  readonly first?: (caller: Caller) => Readonly<Record<string, string>> | Reply
}

const HEADERS_TIMEOUT_MS = 20_000
const REQUEST_TIMEOUT_MS = 60_000

/** An app that answers `routes`; `listen` and `close` it, or `inject` requests in tests. */
export function createApp<Access>(options: AppOptions<Access>): FastifyInstance {
  const app = Fastify({
    bodyLimit: options.bodyLimitBytes,
    routerOptions: {
      caseSensitive: false,
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: true,
      maxParamLength: 1000,
      querystringParser: options.parseQuery,
    },
    frameworkErrors: (error, request, reply) => fail(options, error, request, reply as FastifyReply),
    http: { headersTimeout: HEADERS_TIMEOUT_MS },
    requestTimeout: REQUEST_TIMEOUT_MS,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
  })
  runFirst(app, options)
  readJsonOnly(app, options.order)
  for (const route of options.routes) addRoute(app, options, route)
  app.setErrorHandler((error, request, reply) => fail(options, error, request, reply))
  app.setNotFoundHandler((request, reply) => {
    fail(options, new Refusal('not-found', `Cannot ${request.method} ${pathOf(request.url)}`), request, reply)
  })
  return app
}

function addRoute<Access>(app: FastifyInstance, options: AppOptions<Access>, route: Route<Access>): void {
  const validate = {
    params: route.params && compileValidator(route.params, 'params'),
    query: route.query && compileValidator(route.query, 'query'),
    body: route.body && compileValidator(route.body, 'body'),
  }
  const status = Math.min(...Object.keys(route.replies).map(Number))
  app.route({
    method: route.method,
    url: `${options.basePath}${route.url}`,
    ...(route.bodyLimitBytes === undefined ? {} : { bodyLimit: route.bodyLimitBytes }),
    handler: async (request, reply) => {
      const input = await check(options, route, validate, request)
      const result = await route.handle(input as Input<Access, never, never, never>)
      send(request, reply, result instanceof Reply ? result : Reply.json(status, result))
      return reply
    },
  })
}

interface Validators {
  readonly params: Validator | undefined
  readonly query: Validator | undefined
  readonly body: Validator | undefined
}

/** The checks between parsing and handler, in the app's order. */
async function check<Access>(
  options: AppOptions<Access>,
  route: Route<Access>,
  validate: Validators,
  request: FastifyRequest,
): Promise<Input<Access, unknown, unknown, unknown>> {
  const caller = callerOf(request)
  if (options.order === 'authorize-first') {
    const access = await options.authorize(caller, route)
    if (route.body !== undefined) refuseOtherMedia(request, route)
    return { ...validParts(validate, route, request), access, caller }
  }
  const parts = validParts(validate, route, request)
  return { ...parts, access: await options.authorize(caller, route), caller }
}

function validParts(validate: Validators, route: Route<never>, request: FastifyRequest) {
  return {
    params: validate.params?.(request.params),
    query: validate.query?.(request.query),
    body: request.body === undefined && route.bodyOptional === true ? undefined : validate.body?.(request.body),
  }
}

/** A body of another media type was left unread by the parser; a missing one counts as another media type. */
function refuseOtherMedia(request: FastifyRequest, route: Route<never>): void {
  const type = request.headers['content-type']
  if (type !== undefined && isJson(type)) return
  if (type === undefined && request.body === undefined && route.bodyOptional === true) return
  throw new Refusal('media-type', type ?? '')
}

/** Whether a Content-Type header means JSON: `application/json` in any case, with or without parameters. */
export function isJson(contentType: string): boolean {
  return contentType.split(';', 1)[0]?.trim().toLowerCase() === 'application/json'
}

function readJsonOnly(app: FastifyInstance, order: CheckOrder): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (_request: FastifyRequest, body: Buffer) =>
    parseJson(body),
  )
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
    if (request.headers['content-type'] === undefined) return parseJson(body)
    return undefined
  })
  if (order !== 'validate-first') return
  app.addHook('onRequest', async (request) => {
    const type = request.headers['content-type']
    if (type !== undefined && announcesBody(request) && !isJson(type)) throw new Refusal('media-type', type)
  })
}

function announcesBody(request: FastifyRequest): boolean {
  return request.headers['content-length'] !== undefined || request.headers['transfer-encoding'] !== undefined
}

/** An empty body is no body. */
function parseJson(body: Buffer): unknown {
  if (body.length === 0) return undefined
  try {
    return JSON.parse(body.toString('utf8'))
  } catch (error) {
    throw new Refusal('syntax', error instanceof Error ? error.message : String(error))
  }
}

function runFirst<Access>(app: FastifyInstance, options: AppOptions<Access>): void {
  const { first } = options
  if (first === undefined) return
  app.addHook('onRequest', async (request, reply) => {
    const answer = first(callerOf(request))
    if (!(answer instanceof Reply)) {
      reply.headers(answer)
      return undefined
    }
    send(request, reply, answer)
    return reply
  })
}

function send(request: FastifyRequest, reply: FastifyReply, answer: Reply): void {
  reply.headers(answer.headers as Record<string, string>)
  if (answer.body === undefined) {
    reply.code(answer.status).send()
    return
  }
  const etag = reply.getHeader('etag') ?? weakEtag(answer.body)
  reply.header('etag', etag)
  const cacheable = request.method === 'GET' || request.method === 'HEAD'
  if (cacheable && answer.status === 200 && matchesEtag(request.headers['if-none-match'], String(etag))) {
    reply.removeHeader('content-type')
    reply.code(304).send()
    return
  }
  reply.code(answer.status).send(answer.body)
}

function fail<Access>(options: AppOptions<Access>, error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  send(request, reply, options.renderError(refusalOf(error), callerOf(request)))
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
