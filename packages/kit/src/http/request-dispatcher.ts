import type { IncomingMessage, ServerResponse } from 'node:http'
import { EventLoopBudget } from '../event-loop-budget.ts'
import type { AppOptions } from './app-options.ts'
import { BodyBudget, DEFAULT_BODY_MEMORY_BYTES } from './body-budget.ts'
import type { Connections } from './connections.ts'
import { Exchange, type ExchangeDeps, type Exit } from './exchange.ts'
import { HeaderBlocks } from './header-block.ts'
import { hasValidHost } from './host.ts'
import { toPlainAddress } from './mapped-ipv4.ts'
import type { PlainRequest } from './plain-request.ts'
import { announcesBody, isJson } from './request-body.ts'
import { ResponseExit } from './response-exit.ts'
import { type Endpoint, Router } from './router.ts'

/** Request dispatcher. Finds the route for a request, however the request was read, and starts its exchange. */
export class RequestDispatcher<Access> {
  readonly #deps: ExchangeDeps<Access>
  readonly #router: Router<Access>
  readonly #connections: Connections
  /** Requests whose clients wait for 100 Continue before they send the body. */
  readonly #expecting = new WeakSet<IncomingMessage>()
  /** Limit on the memory for request bodies. */
  readonly bodies: BodyBudget
  #count = 0

  constructor(options: AppOptions<Access>, connections: Connections) {
    const bodies = options.bodies ?? new BodyBudget({ maxBytes: DEFAULT_BODY_MEMORY_BYTES })
    this.#deps = {
      options,
      blocks: new HeaderBlocks(options.compress === true),
      eventLoopBudget: new EventLoopBudget(),
      bodies,
    }
    this.#router = new Router(options, bodies.maxBodyBytes)
    this.bodies = bodies
    this.#connections = connections
  }

  /** Answers a request that an HTTP server has read. */
  readonly answer = (message: IncomingMessage, response: ServerResponse): void => {
    if (!hasValidHost(message)) {
      response.writeHead(400, { connection: 'close', 'content-length': '0' }).end()
      return
    }
    const { method = '', url = '', headers, socket } = message
    const request = { method, url, headers, body: announcesBody(message) ? message : undefined }
    const from = { remoteAddress: toPlainAddress(socket.remoteAddress ?? ''), id: `req-${++this.#count}` }
    const exit = new ResponseExit(message, response, {
      connections: this.#connections,
      isContinueExpected: this.#expecting.has(message),
    })
    new Exchange(this.#deps, this.#router.find(method, url), request, from, exit).answer()
  }

  /** Records that the client of a request waits for `100 Continue`. */
  readonly expectContinue = (message: IncomingMessage): void => {
    this.#expecting.add(message)
  }

  /**
   * Answers a plain request that was read directly from the socket. Does so only if the path exactly matches a hot
   * route and the request has either no body or plain JSON. Otherwise returns false without side effects.
   */
  readonly answerPlain = (request: PlainRequest, remoteAddress: string, exit: Exit): boolean => {
    const found = this.#router.findExact(request.method, request.url)
    if (found === undefined || !found.endpoint.isHot || !hasPlainBody(request, found.endpoint)) return false
    new Exchange(this.#deps, found, request, { remoteAddress, id: `hot-${++this.#count}` }, exit).answer()
    return true
  }
}

/** Returns true if there is no body, or if the request is a POST with uncompressed JSON within the size limit. */
function hasPlainBody<Access>({ method, headers, body }: PlainRequest, { bodyLimitBytes }: Endpoint<Access>): boolean {
  if (body === undefined) return true
  const type = headers['content-type']
  const isSuch = method === 'POST' && headers['content-encoding'] === undefined && (type === undefined || isJson(type))
  return isSuch && body.length <= bodyLimitBytes
}
