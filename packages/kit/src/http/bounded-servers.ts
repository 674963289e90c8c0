import { once } from 'node:events'
import { createServer as createHttp, type Server as HttpServer, type RequestListener } from 'node:http'
import { createServer as createTcp, type Socket, type Server as TcpServer } from 'node:net'
import { createServer as createTls, type Server as TlsServer } from 'node:tls'
import type { HttpLimits } from './connections.ts'
import { PendingHandshakes } from './pending-handshakes.ts'

/** Length of the accept queue for a busy process; the kernel caps it at `net.core.somaxconn`. */
export const DEFAULT_LISTEN_BACKLOG = 4096

/**
 * Settings for each kind of server. `http` answers requests. A `tcp` server hands connections to another process, and
 * closes a connection that no process accepts. A `local` server listens on a Unix socket. A `shared` server passes
 * connections to a server that enforces its own limits. A `probe` server only tests whether a port is free. A `tls`
 * server closes connections that do not finish their handshake.
 */
export type ServerSettings =
  | { readonly kind: 'http'; readonly limits: HttpLimits; readonly listener?: RequestListener }
  | { readonly kind: 'tcp'; readonly idleTimeoutMs: number; readonly connection: (socket: Socket) => void }
  | { readonly kind: 'shared'; readonly pauseOnConnect: boolean; readonly connection: (socket: Socket) => void }
  | { readonly kind: 'local'; readonly idleTimeoutMs: number; readonly connection: (socket: Socket) => void }
  | { readonly kind: 'probe' }
  | {
      readonly kind: 'tls'
      readonly key: Buffer
      readonly cert: Buffer
      readonly handshakeTimeoutMs: number
      readonly maxPendingHandshakes: number
    }

/** Cipher suites. All cipher suites for TLS 1.2 have forward secrecy and authenticated encryption, as in TLS 1.3. */
const TLS_CIPHERS = [
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'TLS_AES_128_GCM_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':')

/**
 * Creates a server with the timeouts and limits for its kind. All programs must create their servers with this
 * function. Throws the platform's error if the key or certificate is unusable.
 */
export function createBoundedServer<Settings extends ServerSettings>(settings: Settings): CreatedServer<Settings> {
  return create(settings) as CreatedServer<Settings>
}

type CreatedServer<Settings extends ServerSettings> = {
  readonly http: HttpServer
  readonly tls: TlsServer
  readonly tcp: TcpServer
  readonly local: TcpServer
  readonly shared: TcpServer
  readonly probe: TcpServer
}[Settings['kind']]

function create(settings: ServerSettings): TcpServer {
  switch (settings.kind) {
    case 'http':
      return httpServer(settings.limits, settings.listener)
    case 'tls':
      return tlsServer(settings)
    case 'tcp':
      return createTcp({ pauseOnConnect: true }, (socket) => {
        socket.setTimeout(settings.idleTimeoutMs, () => socket.destroy())
        settings.connection(socket)
      })
    case 'local':
      return createTcp((socket) => {
        socket.setTimeout(settings.idleTimeoutMs, () => socket.destroy())
        socket.on('error', () => socket.destroy())
        settings.connection(socket)
      })
    case 'shared':
      return createTcp(
        { allowHalfOpen: true, noDelay: true, pauseOnConnect: settings.pauseOnConnect },
        settings.connection,
      )
    case 'probe':
      return createTcp((socket) => socket.destroy())
  }
}

/** A port or the path of a Unix socket. */
export type ListenTarget =
  | { readonly port: number; readonly host?: string | undefined; readonly backlog?: number | undefined }
  | { readonly path: string }

/** Starts listening and resolves once the server listens. Rejects with the platform's error. */
export async function listenBounded(server: TcpServer, at: ListenTarget): Promise<void> {
  if ('path' in at) server.listen(at.path)
  else listenOnPort(server, at.port, at.host, at.backlog)
  // `once` rejects on 'error'
  await once(server, 'listening')
}

function listenOnPort(
  server: TcpServer,
  port: number,
  host: string | undefined,
  backlog = DEFAULT_LISTEN_BACKLOG,
): void {
  server.listen(host === undefined ? { port, backlog } : { port, host, backlog })
}

function httpServer(limits: HttpLimits, listener?: RequestListener): HttpServer {
  const server = createHttp(
    {
      headersTimeout: limits.headersTimeoutMs,
      maxHeaderSize: limits.maxHeaderBytes,
      connectionsCheckingInterval: limits.checkIntervalMs,
      requestTimeout: limits.requestTimeoutMs,
      keepAliveTimeout: limits.keepAliveTimeoutMs,
    },
    listener,
  )
  server.setTimeout(limits.idleTimeoutMs)
  return server
}

function tlsServer(settings: Extract<ServerSettings, { kind: 'tls' }>): TlsServer {
  const { key, cert, handshakeTimeoutMs, maxPendingHandshakes } = settings
  const server = createTls({
    key,
    cert,
    ciphers: TLS_CIPHERS,
    minVersion: 'TLSv1.2',
    handshakeTimeout: handshakeTimeoutMs,
  })
  const pending = new PendingHandshakes(maxPendingHandshakes)
  server.on('connection', (socket: Socket) => pending.add(socket))
  server.on('secureConnection', (socket) => pending.finish(socket))
  // the platform only reports a failed or late handshake, but does not close the connection
  server.on('tlsClientError', (_error, socket) => socket.destroy())
  return server
}
