import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ClientFeatures } from '@burgee/protocol/feature'

/** Upstream of an edge that accepts every token. */
export interface EdgeUpstream {
  /** URL to configure an edge with. */
  readonly url: string
  /** Returns the number of requests received so far, by path. */
  readonly countRequests: () => Readonly<Record<string, number>>
  close(): Promise<void>
}

/** Pattern of backend tokens and of frontend tokens, whose secret begins with `web`. */
const TOKEN = /^([^:]+):([^.]+)\.(web)?/

/**
 * Serves one document to all backend tokens, without a stream; accepts metrics and registrations. The scope of a token
 * follows from its text.
 */
export async function serveEdge(document: ClientFeatures): Promise<EdgeUpstream> {
  const requested: Record<string, number> = {}
  const body = JSON.stringify(document)
  const etag = '"1"'
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?', 1)[0] ?? ''
    requested[path] = (requested[path] ?? 0) + 1
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      if (path === '/edge/validate') {
        const { tokens } = JSON.parse(Buffer.concat(pieces).toString()) as { tokens: string[] }
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ tokens: tokens.map(describeToken) }))
      } else if (request.method === 'POST') response.writeHead(202).end()
      else if (path !== '/api/client/features') response.writeHead(404).end()
      else if (request.headers['if-none-match'] === etag) response.writeHead(304, { etag }).end()
      else response.writeHead(200, { 'content-type': 'application/json', etag }).end(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    countRequests: () => ({ ...requested }),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

function describeToken(token: string) {
  const [, project = '*', environment = 'development', web] = TOKEN.exec(token) ?? []
  return { token, type: web === undefined ? 'client' : 'frontend', environment, projects: [project] }
}
