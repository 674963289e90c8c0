import { createServer, type IncomingMessage, request as requestPlain, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'

/** Real forward proxy that records its requests: `GET http://up/…` to forward, `CONNECT up:443` to tunnel. */
export interface RecordingProxy {
  readonly port: number
  readonly seen: string[]
  close(): Promise<void>
}

/** Starts a forward proxy on a free loopback port. The proxy resolves every host to 127.0.0.1. */
export async function startRecordingProxy(): Promise<RecordingProxy> {
  const seen: string[] = []
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`)
    forward(request, response)
  })
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    seen.push(`CONNECT ${request.url}`)
    const port = Number((request.url ?? '').split(':').at(-1))
    const out = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      socket.pipe(out).pipe(socket)
    })
    socket.on('error', () => void out.destroy())
    out.on('error', () => void socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    seen,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

function forward(request: IncomingMessage, response: ServerResponse): void {
  const { port, pathname, search } = new URL(request.url ?? '')
  const { method, headers } = request
  const out = requestPlain({ host: '127.0.0.1', port, path: `${pathname}${search}`, method, headers }, (reply) => {
    response.writeHead(reply.statusCode ?? 502, reply.headers)
    reply.pipe(response)
  })
  out.on('error', () => void response.writeHead(502).end())
  request.pipe(out)
}
