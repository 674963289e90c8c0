import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createServer, type Server } from 'node:tls'
import { type App, createApp } from '@burgee/kit/http/app'
import type { BodyBudget } from '@burgee/kit/http/body-budget'
import { NO_HEADERS } from '@burgee/kit/http/header-block'
import { explainListening } from '@burgee/kit/http/listening'
import { type Caller, Reply, type Route } from '@burgee/kit/http/route'
import { parseQueryString } from '@burgee/kit/input/query-string'
import type { Logger } from '@burgee/kit/log/logger'
import { OptionsError } from '@burgee/kit/options/options'
import type { ServingOptions } from './options.ts'
import { readFile } from './upstream-connections.ts'

/** A second port, with TLS, for the same app. */
export interface TlsListener {
  readonly port: number
  /** Takes no more connections; those that are there are the app's. */
  close(): void
}

/**
 * Listens with TLS where the options say so; connections are answered by the app. Undefined where they do not. Rejects with
 * OptionsError for key or certificate, and with ListenError.
 */
export async function listenWithTls(
  options: ServingOptions,
  app: Pick<App, 'accept'>,
): Promise<TlsListener | undefined> {
  const { tlsEnable, tlsServerKey, tlsServerCert, tlsServerPort: port, interface: host } = options
  if (!tlsEnable || tlsServerKey === undefined || tlsServerCert === undefined) return undefined
  const server = serverOf(readFile('TLS_SERVER_KEY', tlsServerKey), readFile('TLS_SERVER_CERT', tlsServerCert))
  server.on('secureConnection', (socket) => app.accept(socket))
  try {
    server.listen({ port, ...(host === undefined ? {} : { host }) })
    await once(server, 'listening')
  } catch (error) {
    throw explainListening(error, { port, host, portNames: 'TLS_SERVER_PORT', hostNames: 'INTERFACE, --interface' })
  }
  // what fails is one connection, which says so to its client
  server.on('tlsClientError', () => {})
  return { port: (server.address() as AddressInfo).port, close: () => void server.close() }
}

function serverOf(key: Buffer, cert: Buffer): Server {
  try {
    return createServer({ key, cert })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new OptionsError([`TLS_SERVER_KEY and TLS_SERVER_CERT cannot be used: ${reason}`])
  }
}

const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::\d+)?$/i

/** An app that sends everybody to the port with TLS, but at the paths of `routes`. */
export function createRedirectApp<Access>(
  { tlsServerPort, basePath }: ServingOptions,
  routes: readonly Route<Access>[],
  deps: {
    readonly logger: Logger
    readonly renderError: (error: unknown, caller: Caller) => Reply
    readonly bodies: BodyBudget
  },
): App {
  const own = new Set(routes.map(({ url }) => `${basePath}${url}`.toLowerCase()))
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
      const [path = ''] = url.toLowerCase().split('?', 1)
      if (own.has(path)) return NO_HEADERS
      const [, host] = HOST.exec(headers.host ?? '') ?? []
      return host === undefined
        ? new Reply(400)
        : new Reply(308, undefined, { location: `https://${host}:${tlsServerPort}${url}` })
    },
  })
}
