import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Proxy between clients and a server whose connections can be cut. */
export interface Between {
  /** URL for clients. */
  readonly url: string
  /** Requested paths in order, each with its `Last-Event-ID`. */
  readonly asked: { readonly path: string; readonly lastEventId: string | undefined }[]
  /** Returns the number of replies in progress. */
  readonly goingOn: () => number
  /** Ends replies in progress, either normally or by resetting the connection. */
  cut(how: 'end' | 'reset'): void
  /** Drops all further data of the replies in progress. */
  swallow(): void
  close(): Promise<void>
}

/** Retry delay sent to clients, in milliseconds, to shorten the tests. */
const RETRY_MS = 50

/** Opens a proxy in front of a server. The proxy sends clients of streams a short retry delay. */
export async function openBetween(base: string): Promise<Between> {
  const open = new Set<ServerResponse>()
  const asked: Between['asked'] = []
  let swallowed = new WeakSet<ServerResponse>()
  const pass = (from: IncomingMessage, reply: ServerResponse) => {
    reply.writeHead(from.statusCode ?? 500, from.headers)
    if (from.headers['content-type'] === 'text/event-stream') reply.write(`retry: ${RETRY_MS}\n\n`)
    open.add(reply)
    from.on('data', (piece) => swallowed.has(reply) || reply.write(piece))
    from.on('end', () => reply.end()).on('error', () => reply.destroy())
    reply.on('close', () => {
      open.delete(reply)
      from.destroy()
    })
  }
  const server = createServer((message, reply) => {
    const { method, url = '', headers } = message
    asked.push({ path: url, lastEventId: headers['last-event-id'] as string | undefined })
    const { host: _host, ...others } = headers
    const forwarded = request(`${base}${url}`, { method, headers: others, agent: false }, (from) => pass(from, reply))
    forwarded.on('error', () => (reply.headersSent ? reply.destroy() : reply.writeHead(502).end()))
    reply.on('close', () => forwarded.destroy())
    message.pipe(forwarded)
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    goingOn: () => open.size,
    cut: (how) => {
      for (const reply of open) how === 'end' ? reply.end() : reply.socket?.resetAndDestroy()
    },
    swallow: () => {
      swallowed = new WeakSet(open)
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
