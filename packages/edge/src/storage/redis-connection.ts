import { getBackoffMs } from '@burgee/kit/backoff'
import { TimeoutError, withTimeout } from '@burgee/kit/with-timeout'
import { createClient, createCluster } from '@redis/client'

/** Address of a Redis server or cluster, and how to connect to it. */
export interface RedisAddress {
  readonly mode: 'single' | 'cluster'
  /**
   * URLs of the form `redis[s]://[[user][:password]@]host[:port][/database]`: one server, or several nodes of a
   * cluster. If no URLs are given, `host` is used.
   */
  readonly urls: readonly string[]
  readonly host: string
  readonly port: number
  readonly username?: string | undefined
  /** Secret. */
  readonly password?: string | undefined
  /** True to use TLS when connecting to `host`. For URLs, the scheme determines whether TLS is used. */
  readonly isSecure: boolean
  /** Additional trusted CA certificates, PEM. */
  readonly ca?: string | undefined
  readonly rejectUnauthorized?: boolean | undefined
}

/** Redis commands that this package uses, the same for one server and for a cluster. */
export interface RedisCommands {
  get(key: string): Promise<string | null>
  hKeys(key: string): Promise<string[]>
  hGet(key: string, field: string): Promise<string | null | undefined>
  hGetAll(key: string): Promise<Record<string, string>>
  hSet(key: string, fields: Record<string, string>): Promise<unknown>
  hDel(key: string, fields: string[]): Promise<unknown>
}

interface Client extends RedisCommands {
  on(event: 'error', listener: (error: unknown) => void): unknown
  connect(): Promise<unknown>
  destroy(): void
}

/** Redis connection that is opened on demand and reopened when it is lost. */
export interface RedisConnection {
  /** Returns a connected client. Rejects if no connection can be opened within `limitMs`. */
  client(limitMs: number): Promise<RedisCommands>
  close(): Promise<void>
}

const RECONNECTS = { firstMs: 100, maxMs: 10_000 }
/**
 * RESP 2, because every Redis server and every proxy in front of one supports it. RESP 3 needs `HELLO`, which only
 * exists since Redis 6.
 */
const PROTOCOL_VERSION = 2
/** Maximum number of commands that wait for a cluster node. */
const MAX_QUEUED = 100

/**
 * Creates a connection. Creates a client that connects only when it is first used. Throws an Error that names the
 * option if an address is malformed. Error messages never contain users or passwords.
 */
export function connectRedis(
  address: RedisAddress,
  { random, readTimeoutMs }: { readonly random: () => number; readonly readTimeoutMs: number },
): RedisConnection {
  const urls = address.urls.length > 0 ? address.urls.map(checkUrl) : [buildUrl(address)]
  const pause = (retries: number) => getBackoffMs(RECONNECTS, retries + 1) * (0.5 + random() / 2)
  const make = () => makeClient(address, urls, { connectTimeout: readTimeoutMs, reconnectStrategy: pause })
  let client: Client | undefined
  let connecting: Promise<unknown> | undefined
  let lastError: unknown
  const connect = async (fresh: Client) => {
    try {
      await fresh.connect()
    } catch (error) {
      // a cluster client stops reconnecting when no node answers
      fresh.destroy()
      client = undefined
      connecting = undefined
      throw error
    }
  }
  return {
    async client(limitMs) {
      if (client === undefined) {
        client = make()
        // the command that needs the connection then reports the error
        client.on('error', (error) => {
          lastError = error
        })
        connecting = connect(client)
        connecting.catch(() => {})
      }
      const wanted = client
      try {
        await withTimeout(limitMs, connecting)
      } catch (error) {
        throw new Error('Redis cannot be reached', {
          cause: error instanceof TimeoutError ? (lastError ?? error) : error,
        })
      }
      return wanted
    },
    async close() {
      const last = client
      client = undefined
      try {
        last?.destroy()
      } catch {
        // already closed
      }
    },
  }
}

interface SocketTimes {
  readonly connectTimeout: number
  readonly reconnectStrategy: (retries: number) => number
}

function makeClient(address: RedisAddress, urls: readonly string[], times: SocketTimes): Client {
  const { mode, username, password } = address
  const isSecure = urls.some((url) => url.startsWith('rediss:'))
  const { ca, rejectUnauthorized = true } = address
  const socket = isSecure
    ? { ...times, tls: true as const, rejectUnauthorized, ...(ca === undefined ? {} : { ca }) }
    : times
  const login = { ...(username === undefined ? {} : { username }), ...(password === undefined ? {} : { password }) }
  if (mode === 'cluster') {
    const [first] = urls.map((url) => new URL(url))
    const named = first === undefined ? {} : getLogin(first)
    // a new object for each client, because the client writes host and port into the given object
    const defaults = () => ({ ...named, ...login, socket: { ...socket } })
    const rootNodes = urls.map((url) => ({ url, ...defaults() }))
    return createCluster({
      rootNodes,
      RESP: PROTOCOL_VERSION,
      defaults: { ...defaults(), commandsQueueMaxLength: MAX_QUEUED },
    }) as unknown as Client
  }
  const [url = ''] = urls
  return createClient({ url, ...login, socket, RESP: PROTOCOL_VERSION, disableOfflineQueue: true }) as unknown as Client
}

function getLogin({ username, password }: URL): { username?: string; password?: string } {
  return {
    ...(username === '' ? {} : { username: decodeURIComponent(username) }),
    ...(password === '' ? {} : { password: decodeURIComponent(password) }),
  }
}

function buildUrl({ host, port, isSecure }: RedisAddress): string {
  const name = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
  return checkUrl(`${isSecure ? 'rediss' : 'redis'}://${name}:${port}`)
}

function checkUrl(url: string): string {
  if (!URL.canParse(url) || !/^rediss?:$/.test(new URL(url).protocol) || new URL(url).hostname === '') {
    throw new Error('REDIS_URL or REDIS_HOST must name a server: redis://host:port or rediss://host:port')
  }
  return url
}
