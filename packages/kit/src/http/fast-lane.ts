import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { compileChecks } from '../input/checks.ts'
import type { AppOptions } from './app-options.ts'
import { type HeaderBlock, ownHeaders } from './header-block.ts'
import { type Exit, HotExchange, type HotRequest, type HotRoute, type Sent } from './hot-exchange.ts'
import { statusOf } from './render.ts'
import { announcesBody, isJson } from './request-body.ts'
import type { Outgoing, Wrote } from './respond.ts'

/** Answers plain requests to hot routes without the framework. */
export interface FastLane {
  /** Answers the request, now or later, or leaves it untouched and says no. */
  take(request: IncomingMessage, response: ServerResponse): boolean
  /** The same for a request that is read already; `body` is undefined where it announces none. */
  takeRead(request: HotRequest, address: string | undefined, body: Buffer | undefined, exit: Exit): boolean
  /** Takes no more requests: what comes now has to hear that the connection ends. */
  close(): void
}

/** By method. */
type Methods<Access> = Readonly<Record<string, HotRoute<Access> | undefined>>

/**
 * The lane for the hot routes of an app; undefined when there are none. It takes requests for exactly the path of a
 * route, with a JSON body of known length within the limit or none where a body belongs to the method, and without one
 * where it does not. All rules are those of the app: the same checks, handlers, renderer and decisions about the reply.
 *
 * @param wrote hears of replies through the HTTP server
 */
export function fastLane<Access>(options: AppOptions<Access>, wrote: Wrote): FastLane | undefined {
  const paths = hotPaths(options)
  if (paths.size === 0) return undefined
  const exchange = new HotExchange(options)
  let isClosed = false
  const find = (request: HotRequest) => {
    const { url, method, headers } = request
    if (isClosed) return undefined
    const mark = url.indexOf('?')
    const hot = paths.get(mark < 0 ? url : url.slice(0, mark))?.[method]
    return hot !== undefined && (!announcesBody(request) || isPlainBody(hot, headers)) ? hot : undefined
  }
  return {
    take: (message, response) => {
      const { method = '', url = '', headers, socket } = message
      const request = { method, url, headers }
      const hot = find(request)
      if (hot === undefined) return false
      const exit = new ResponseExit(response, method, wrote)
      const answer = (body: Buffer | undefined) => exchange.answer(hot, request, socket.remoteAddress, body, exit)
      if (announcesBody(request)) read(message, answer)
      else answer(undefined)
      return true
    },
    takeRead: (request, address, body, exit) => {
      const hot = find(request)
      if (hot !== undefined) exchange.answer(hot, request, address, body, exit)
      return hot !== undefined
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
function isPlainBody<Access>({ route, bodyLimitBytes }: HotRoute<Access>, headers: IncomingHttpHeaders): boolean {
  const { 'content-type': type, 'content-length': length, 'content-encoding': coding } = headers
  if (route.method === 'GET' || headers['transfer-encoding'] !== undefined) return false
  if (coding !== undefined || length === undefined) return false
  return Number(length) <= bodyLimitBytes && (type === undefined || isJson(type))
}

/** Gives the body once it has come; one that ends early has nobody left to answer to. */
function read(message: IncomingMessage, answer: (body: Buffer) => void): void {
  const chunks: Buffer[] = []
  message.on('data', (chunk: Buffer) => chunks.push(chunk))
  message.on('end', () => answer(Buffer.concat(chunks)))
  message.on('error', () => {})
}

/** Writes a whole reply. What a client that reads slowly has not taken yet is kept, as everywhere, by its connection. */
class ResponseExit implements Exit {
  readonly #response: ServerResponse
  readonly #method: string
  readonly #wrote: Wrote

  constructor(response: ServerResponse, method: string, wrote: Wrote) {
    this.#response = response
    this.#method = method
    this.#wrote = wrote
  }

  send(block: HeaderBlock, outgoing: Outgoing, sent: Sent | undefined): void {
    const { status, body, loan } = outgoing
    const response = this.#response
    // when all of it is with the operating system, or the connection is closed
    if (loan !== undefined) response.on('close', () => loan.giveBack())
    const { socket } = response
    // Node 22 calls a reply finished that its client did not wait for
    if (sent !== undefined) response.on('finish', () => socket?.destroyed || sent(status))
    response.writeHead(status, [...block.list, ...ownHeaders(block, outgoing, this.#method)]).end(body)
    if (response.socket !== null) this.#wrote(response.socket, body)
  }

  destroy(): void {
    this.#response.destroy()
  }
}
