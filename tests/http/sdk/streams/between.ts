import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A proxy between clients and a server, whose connections can be cut. */
export interface Between {
  /** Where clients ask. */
  readonly url: string
  /** Paths that were asked for, in their order, and with which `Last-Event-ID`. */
  readonly asked: { readonly path: string; readonly lastEventId: string | undefined }[]
  /** How many replies go on. */
  readonly goingOn: () => number
  /** Ends replies that go on: as replies end, or by breaking the connection off. */
  cut(how: 'end' | 'reset'): void
  /** Keeps what replies that go on say from the client, which is lost. */
  swallow(): void
  close(): Promise<void>
}

/** How clients are told to wait after a cut: what takes a minute elsewhere takes a second. */
const RETRY_MS = 50

/** Opens a proxy before a server; streams through it say how soon their clients may come again. */
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
