import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Request that passed a relay, with the reply to it. */
export interface ObservedRequest {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly contentType: string
  readonly body: string
  readonly authorization: string
  /** True if the request has `If-None-Match`. */
  readonly isConditional: boolean
}

/** Relay between one client and one target. Records every request. */
export interface ObservingRelay {
  readonly url: string
  /** Number of requests that have arrived. */
  readonly position: number
  /**
   * Lists the requests from a given position on that have been answered. The list contains no requests of earlier
   * clients.
   */
  listSince(position: number): readonly ObservedRequest[]
  /** Cuts all connections. Also closes new connections, until this is called with false. */
  setAway(isAway: boolean): void
  close(): Promise<void>
}

/** Opens a relay on a free port in front of a URL without a path. */
export async function openObservingRelay(base: string): Promise<ObservingRelay> {
  let isAway = false
  let position = 0
  const requests: { readonly at: number; readonly request: ObservedRequest }[] = []
  const server = createServer((message, response) => {
    const { method = '', url = '', headers } = message
    const at = position
    position += 1
    const { host: _host, connection: _connection, ...others } = headers
    const pieces: Buffer[] = []
    const forwarded = request(`${base}${url}`, { method, headers: others, agent: false }, (reply) => {
      const body = Buffer.concat(pieces).toString()
      const contentType = reply.headers['content-type'] ?? ''
      const { authorization = '', 'if-none-match': condition } = headers
      const isConditional = condition !== undefined
      const status = reply.statusCode ?? 0
      requests.push({ at, request: { method, path: url, status, contentType, body, authorization, isConditional } })
      response.writeHead(reply.statusCode ?? 502, reply.headers)
      reply.on('error', () => response.destroy())
      reply.pipe(response)
    })
    forwarded.on('error', () => response.destroy())
    response.on('close', () => forwarded.destroy())
    message.on('data', (piece) => pieces.push(piece))
    message.pipe(forwarded)
  })
  server.on('connection', (socket) => {
    if (isAway) socket.destroy()
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get position() {
      return position
    },
    listSince: (start) => requests.filter(({ at }) => at >= start).map(({ request: one }) => one),
    setAway: (next) => {
      isAway = next
      if (next) server.closeAllConnections()
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
