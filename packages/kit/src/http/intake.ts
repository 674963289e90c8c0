import type { IncomingMessage, ServerResponse } from 'node:http'
import { Turns } from '../turns.ts'
import { plainAddress } from './address.ts'
import type { AppOptions } from './app-options.ts'
import { BodyBudget, DEFAULT_BODY_MEMORY_BYTES } from './body-budget.ts'
import type { Connections } from './connections.ts'
import { Exchange, type ExchangeDeps, type Exit } from './exchange.ts'
import { HeaderBlocks } from './header-block.ts'
import { hasValidHost } from './host.ts'
import type { PlainRequest } from './plain-request.ts'
import { announcesBody, isJson } from './request-body.ts'
import { ResponseExit } from './response-exit.ts'
import { type Endpoint, Router } from './router.ts'

/** The two ways in: whoever has read a request, its route is found here and its exchange begins. */
export class Intake<Access> {
  readonly #deps: ExchangeDeps<Access>
  readonly #router: Router<Access>
  readonly #connections: Connections
  /** Requests whose clients wait for a word before they send the body. */
  readonly #expecting = new WeakSet<IncomingMessage>()
  /** Memory for bodies. */
  readonly bodies: BodyBudget
  #count = 0

  constructor(options: AppOptions<Access>, connections: Connections) {
    const bodies = options.bodies ?? new BodyBudget({ maxBytes: DEFAULT_BODY_MEMORY_BYTES })
    this.#deps = { options, blocks: new HeaderBlocks(options.compress === true), turns: new Turns(), bodies }
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
    const from = { remoteAddress: plainAddress(socket.remoteAddress ?? ''), id: `req-${++this.#count}` }
    const exit = new ResponseExit(message, response, {
      connections: this.#connections,
      isContinueExpected: this.#expecting.has(message),
    })
    new Exchange(this.#deps, this.#router.find(method, url), request, from, exit).answer()
  }

  /** Notes that the client of a request sends the body only once it is told to. */
  readonly expect = (message: IncomingMessage): void => {
    this.#expecting.add(message)
  }

  /**
   * Answers a plain request that was read on the socket, if it asks for exactly the path of a hot route, with a body
   * that leaves nothing to judge; or leaves it untouched and says no.
   */
  readonly answerPlain = (request: PlainRequest, remoteAddress: string, exit: Exit): boolean => {
    const found = this.#router.findExact(request.method, request.url)
    if (found === undefined || !found.endpoint.isHot || !hasPlainBody(request, found.endpoint)) return false
    new Exchange(this.#deps, found, request, { remoteAddress, id: `hot-${++this.#count}` }, exit).answer()
    return true
  }
}

/** No body, or JSON where a body belongs to the method, not encoded and not too long. */
function hasPlainBody<Access>({ method, headers, body }: PlainRequest, { bodyLimitBytes }: Endpoint<Access>): boolean {
  if (body === undefined) return true
  const type = headers['content-type']
  const isSuch = method === 'POST' && headers['content-encoding'] === undefined && (type === undefined || isJson(type))
  return isSuch && body.length <= bodyLimitBytes
}
