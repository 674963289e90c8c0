import { createServer, type IncomingHttpHeaders, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Request as sent over the wire, with the status of its reply. */
export interface Recorded {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly status: number
}

/** Plain HTTP server on a free local port. */
export interface LocalSite {
  readonly port: number
  close(): Promise<void>
}

/**
 * Forwards every request unchanged, including its Host, and records it. Thus, tests can check what a browser really
 * sends.
 */
export async function startRecorder(target: string): Promise<LocalSite & { readonly seen: Recorded[] }> {
  const seen: Recorded[] = []
  const { hostname, port } = new URL(target)
  const site = await listen(
    createServer((incoming, outgoing) => {
      const { method = '', url: path = '', headers } = incoming
      const onward = request({ hostname, port, method, path, headers }, (reply) => {
        const status = reply.statusCode ?? 0
        seen.push({ method, path, headers, status })
        outgoing.writeHead(status, reply.headers)
        reply.pipe(outgoing)
      })
      onward.on('error', () => outgoing.destroy())
      incoming.pipe(onward)
    }),
  )
  return { ...site, seen }
}

/** Answers every request with the same page. */
export function startPage(html: string): Promise<LocalSite> {
  return listen(
    createServer((_request, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(html)),
  )
}

async function listen(server: Server): Promise<LocalSite> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.closeAllConnections()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  }
  return { port: (server.address() as AddressInfo).port, close }
}
