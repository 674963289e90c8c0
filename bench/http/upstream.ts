import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ClientFeatures } from '@burgee/protocol/feature'

/** Upstream with one configuration at a time. */
export interface Upstream {
  /** URL to configure proxies with. */
  readonly url: string
  /** Serves another configuration, beginning with the next request. */
  readonly serve: (document: ClientFeatures) => void
  readonly close: () => Promise<void>
}

/** Serves a configuration to proxies on the loopback interface; accepts their metrics and registrations. */
export async function serveDocument(document: ClientFeatures): Promise<Upstream> {
  let body = JSON.stringify(document)
  let revision = 1
  const server = createServer((request, response) => {
    if (request.method === 'POST') return void request.resume().on('end', () => response.writeHead(202).end())
    const etag = `"${revision}"`
    if (request.headers['if-none-match'] === etag) return void response.writeHead(304, { etag }).end()
    response.writeHead(200, { 'content-type': 'application/json', etag }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/api`,
    serve: (next) => {
      body = JSON.stringify(next)
      revision += 1
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
