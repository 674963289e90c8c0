import type { AddressInfo } from 'node:net'
import type { Server } from 'node:tls'
import { getMaxPendingHandshakes } from '@burgee/kit/descriptors'
import { type App, createApp } from '@burgee/kit/http/app'
import type { BodyBudget } from '@burgee/kit/http/body-budget'
import { createBoundedServer, listenBounded } from '@burgee/kit/http/bounded-servers'
import { toListenError } from '@burgee/kit/http/listening'
import { type Caller, Reply, type Route } from '@burgee/kit/http/route'
import { parseQueryString } from '@burgee/kit/input/query-string'
import type { Logger } from '@burgee/kit/log/logger'
import { readFile } from '@burgee/kit/options/option-files'
import { OptionsError } from '@burgee/kit/options/options'
import { NOSNIFF_HEADERS } from '@burgee/serving/cache-rules'
import { listTokenHeaders, type ServingOptions } from './options.ts'

/** Second port, with TLS, that serves the same app. */
export interface TlsListener {
  readonly port: number
  /** Stops accepting connections. Open connections are closed by the app. */
  close(): void
}

/**
 * Opens the TLS port of the app if the options enable it. Returns undefined otherwise. Rejects with OptionsError for an
 * invalid key or certificate, and with ListenError if the port is unavailable.
 */
export async function listenWithTls(
  options: ServingOptions,
  app: Pick<App, 'accept'>,
): Promise<TlsListener | undefined> {
  const { tlsEnable, tlsServerKey, tlsServerCert, tlsServerPort: port, interface: host } = options
  if (!tlsEnable || tlsServerKey === undefined || tlsServerCert === undefined) return undefined
  const [key, cert] = [readFile('TLS_SERVER_KEY', tlsServerKey), readFile('TLS_SERVER_CERT', tlsServerCert)]
  const server = createTlsServer(key, cert, options.edgeRequestTimeout * MS_PER_SECOND)
  server.on('secureConnection', (socket) => app.accept(socket))
  try {
    await listenBounded(server, { port, host, backlog: options.listenBacklog })
  } catch (error) {
    throw toListenError(error, { port, host, portNames: 'TLS_SERVER_PORT', hostNames: 'INTERFACE, --interface' })
  }
  return { port: (server.address() as AddressInfo).port, close: () => void server.close() }
}

function createTlsServer(key: Buffer, cert: Buffer, handshakeTimeoutMs: number): Server {
  try {
    return createBoundedServer({
      kind: 'tls',
      key,
      cert,
      handshakeTimeoutMs,
      maxPendingHandshakes: getMaxPendingHandshakes(),
    })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new OptionsError([`TLS_SERVER_KEY and TLS_SERVER_CERT cannot be used: ${reason}`])
  }
}

const MS_PER_SECOND = 1000
const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::\d+)?$/i
/** Absolute form of the target of a request. Source: RFC 9112, 3.2.2. */
const ABSOLUTE = /^https?:\/\/([^/?#]*)([/?].*)?$/i

interface RequestTarget {
  readonly host: string | undefined
  /** Undefined if the target has no path, as in `OPTIONS *`. */
  readonly path: string | undefined
}

/** Returns the host and path of a request. The host in an absolute target takes precedence over the `Host` header. */
function parseTarget(url: string, header: string): RequestTarget {
  const [, authority = header, rest = ''] = ABSOLUTE.exec(url) ?? [undefined, undefined, url]
  const [, host] = HOST.exec(authority) ?? []
  const path = rest === '' || rest.startsWith('?') ? `/${rest}` : rest
  return { host, path: path.startsWith('/') ? path : undefined }
}

const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8' }
const UNENCRYPTED = JSON.stringify({
  message:
    'Use https: the token of this request was sent without encryption. Replace it if the network is not trusted.',
})

/**
 * Creates an app that redirects requests to the TLS port. Requests to the paths of `routes` are not redirected.
 * Requests with a token get 403, because a redirect would hide that the client sends its token without encryption.
 * Source: OWASP ASVS 4.1.2
 */
export function createRedirectApp<Access>(
  options: ServingOptions,
  routes: readonly Route<Access>[],
  deps: {
    readonly logger: Logger
    readonly renderError: (error: unknown, caller: Caller) => Reply
    readonly bodies: BodyBudget
  },
): App {
  const { tlsServerPort, basePath } = options
  const tokenHeaders = listTokenHeaders(options)
  const ownPaths = new Set(routes.map(({ url }) => `${basePath}${url}`.toLowerCase()))
  return createApp<Access>({
    ...deps,
    routes,
    world: undefined,
    basePath,
    order: 'authorize-first',
    authorize: () => undefined as Access,
    parseQuery: parseQueryString,
    bodyLimitBytes: 0,
    first: ({ url, headers }) => {
      const { host, path } = parseTarget(url, headers.host ?? '')
      if (path === undefined) return new Reply(400)
      const [own = ''] = path.toLowerCase().split('?', 1)
      if (ownPaths.has(own)) return NOSNIFF_HEADERS
      if (tokenHeaders.some((name) => headers[name] !== undefined))
        return new Reply(403, UNENCRYPTED, { ...JSON_HEADERS, ...NOSNIFF_HEADERS })
      return host === undefined
        ? new Reply(400)
        : new Reply(308, undefined, { location: `https://${host}:${tlsServerPort}${path}`, ...NOSNIFF_HEADERS })
    },
  })
}
