import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, normalize } from 'node:path'

/** Web server with the official UI's pages in front of a server. */
export interface Front {
  readonly url: string
  close(): Promise<void>
}

/** Paths that the server answers. All other paths lead to a file of the UI, or to its page. */
const OF_SERVER = /^\/(api|auth|logout|invite|edge|health|ready|docs|feedback|internal-backstage)(\/|\?|$)/
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.html': 'text/html; charset=utf-8',
}

/** Serves the files of `folder` and forwards the server's paths to `server`, on the same host. */
export async function startFront(folder: string, server: string): Promise<Front> {
  const page = pageOf(readFileSync(join(folder, 'index.html'), 'utf8'))
  const front = createServer((incoming, reply) => {
    const { url = '/' } = incoming
    if (OF_SERVER.test(url)) {
      handOn(incoming, reply, server)
      return
    }
    const file = join(folder, normalize(new URL(url, 'http://x').pathname))
    if (existsSync(file) && statSync(file).isFile() && !file.endsWith('index.html')) {
      reply.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' })
      reply.end(readFileSync(file))
    } else {
      reply.writeHead(200, { 'content-type': TYPES['.html'] ?? '' })
      reply.end(page)
    }
  })
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve))
  const { port } = front.address() as AddressInfo
  const close = () =>
    new Promise<void>((resolve) => {
      front.closeAllConnections()
      front.close(() => resolve())
    })
  return { url: `http://localhost:${port}`, close }
}

/** Fills in the placeholders of the page and removes third-party fonts. */
function pageOf(template: string): string {
  return template
    .replaceAll('::uiFlags::', '%7B%7D')
    .replaceAll(/::\w+::/g, '')
    .replaceAll(/<link\b[^>]*https:\/\/fonts\.[^>]*>/g, '')
}

function handOn(incoming: IncomingMessage, reply: ServerResponse, server: string): void {
  const { url = '/', method = 'GET', headers } = incoming
  const onward = request(new URL(url, server), { method, headers }, (answer) => {
    reply.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(reply)
  })
  onward.on('error', () => reply.writeHead(502).end())
  incoming.pipe(onward)
}
