import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import type { AppOptions } from './app-options.ts'
import { type Checks, compileChecks, readQuery } from './checks.ts'
import { HeaderBlocks, type Headers, write } from './fast-reply.ts'
import { plainAddress, rendered, replyOf, statusOf } from './render.ts'
import { announcesBody, isJson, parseJson, refuseOtherCharsets } from './request-body.ts'
import { outgoing } from './respond.ts'
import { type Caller, type Input, Reply, type Route } from './route.ts'

/** Answers plain requests to hot routes on the bare server. */
export interface FastLane {
  /** Answers the request, now or later, or leaves it untouched and says no. */
  take(request: IncomingMessage, response: ServerResponse): boolean
  /** Takes no more requests: what comes now has to hear that the connection ends. */
  close(): void
}

interface HotRoute<Access> {
  readonly route: Route<Access>
  readonly check: Checks<Access>
  readonly status: number
  readonly bodyLimitBytes: number
}

/** By method. */
type Methods<Access> = Readonly<Record<string, HotRoute<Access> | undefined>>

const NO_HEADERS: Headers = {}
const NO_PARAMS = {}

/**
 * The lane for the hot routes of an app; undefined when there are none. It takes requests for exactly the path of a
 * route, with a JSON body of known length within the limit or none where a body belongs to the method, and without one
 * where it does not. All rules are those of the app: the same checks, handlers, renderer and decisions about the reply.
 */
export function fastLane<Access>(options: AppOptions<Access>): FastLane | undefined {
  const paths = hotPaths(options)
  if (paths.size === 0) return undefined
  const exchange = new Exchange(options)
  let isClosed = false
  return {
    take: (request, response) => {
      const url = request.url ?? ''
      const mark = url.indexOf('?')
      const hot = paths.get(mark < 0 ? url : url.slice(0, mark))?.[request.method ?? '']
      if (hot === undefined || isClosed) return false
      const query = mark < 0 ? '' : url.slice(mark + 1)
      if (!announcesBody(request)) exchange.answer(hot, request, response, query, undefined)
      else if (hot.route.method === 'GET' || !isPlainBody(request.headers, hot.bodyLimitBytes)) return false
      else exchange.read(hot, request, response, query)
      return true
    },
    close: () => {
      isClosed = true
    },
  }
}

function hotPaths<Access>(options: AppOptions<Access>): ReadonlyMap<string, Methods<Access>> {
  const paths = new Map<string, Record<string, HotRoute<Access>>>()
  for (const route of options.routes) {
    if (route.isHot !== true || route.first !== undefined || route.url.includes(':')) continue
    const path = `${options.basePath}${route.url}`
    const methods = paths.get(path) ?? Object.create(null)
    const hot = {
      route,
      check: compileChecks(route, options),
      status: statusOf(route),
      bodyLimitBytes: route.bodyLimitBytes ?? options.bodyLimitBytes,
    }
    methods[route.method] = hot
    if (route.method === 'GET') methods.HEAD = hot
    paths.set(path, methods)
  }
  return paths
}

/** Not encoded, of a length that is known and allowed. Whatever is odd about a body is for the framework. */
function isPlainBody(headers: IncomingHttpHeaders, limitBytes: number): boolean {
  const { 'content-type': type, 'content-length': length, 'content-encoding': coding } = headers
  if (headers['transfer-encoding'] !== undefined || coding !== undefined || length === undefined) return false
  return Number(length) <= limitBytes && (type === undefined || isJson(type))
}

/** From a request to its reply. */
class Exchange<Access> {
  readonly #options: AppOptions<Access>
  readonly #blocks: HeaderBlocks

  constructor(options: AppOptions<Access>) {
    this.#options = options
    this.#blocks = new HeaderBlocks(options.compress === true)
  }

  /** Answers once the body has come; one that ends early has nobody left to answer to. */
  read(hot: HotRoute<Access>, request: IncomingMessage, response: ServerResponse, query: string): void {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => this.answer(hot, request, response, query, chunks))
    request.on('error', () => {})
  }

  answer(
    hot: HotRoute<Access>,
    request: IncomingMessage,
    response: ServerResponse,
    queryText: string,
    chunks: readonly Buffer[] | undefined,
  ): void {
    const caller = new LaneCaller(request)
    this.#tell(hot, caller, response)
    let first = NO_HEADERS
    let result: unknown
    try {
      const answer = this.#options.first?.(caller) ?? NO_HEADERS
      if (answer instanceof Reply) result = answer
      else {
        first = answer
        const query = readQuery(this.#options.parseQuery, queryText)
        const parts = { params: NO_PARAMS, query, body: bodyOf(request, chunks), headers: request.headers }
        result = this.#handle(hot, hot.check(parts, caller))
      }
    } catch (error) {
      result = rendered(this.#options, error, caller)
    }
    if (!(result instanceof Promise)) this.#send(caller, response, first, replyOf(hot.status, result))
    else {
      result.then(
        (value) => this.#send(caller, response, first, replyOf(hot.status, value)),
        (error) => this.#send(caller, response, first, rendered(this.#options, error, caller)),
      )
    }
  }

  #handle(hot: HotRoute<Access>, input: ReturnType<Checks<Access>>): unknown {
    if (input instanceof Promise) return input.then((known) => this.#handle(hot, known))
    return hot.route.handle(input as Input<Access, never, never, never>)
  }

  #send(caller: Caller, response: ServerResponse, first: Headers, answer: Reply): void {
    try {
      const block = this.#blocks.of(first, answer)
      const decided = outgoing(caller, answer, block)
      if (!(decided instanceof Promise)) write(response, block, decided)
      else {
        decided.then((ready) => write(response, block, ready)).catch((error: unknown) => this.#giveUp(response, error))
      }
    } catch (error) {
      this.#giveUp(response, error)
    }
  }

  #giveUp(response: ServerResponse, error: unknown): void {
    this.#options.logger.error('A request could not be answered', error)
    response.destroy()
  }

  #tell({ route }: HotRoute<Access>, { method }: Caller, response: ServerResponse): void {
    const { onReply } = this.#options
    if (onReply === undefined) return
    const startedMs = performance.now()
    response.on('finish', () => {
      onReply({ route: route.url, method, status: response.statusCode, durationMs: performance.now() - startedMs })
    })
  }
}

function bodyOf(request: IncomingMessage, chunks: readonly Buffer[] | undefined): unknown {
  if (chunks === undefined) return undefined
  refuseOtherCharsets(request.headers['content-type'])
  const [only] = chunks
  return parseJson(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks))
}

let taken = 0

class LaneCaller implements Caller {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly params = NO_PARAMS
  readonly remoteAddress: string
  #id: string | undefined

  constructor(request: IncomingMessage) {
    this.method = request.method ?? ''
    this.url = request.url ?? ''
    this.headers = request.headers
    this.remoteAddress = plainAddress(request.socket.remoteAddress ?? '')
  }

  /** Made when somebody asks. */
  get id(): string {
    this.#id ??= `hot-${++taken}`
    return this.#id
  }
}
