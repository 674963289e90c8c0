import { TookTooLong, within } from '@burgee/kit/within'
import { createClient, createCluster } from '@redis/client'

/** Where a Redis is, and how it is spoken to. */
export interface RedisAddress {
  readonly mode: 'single' | 'cluster'
  /** `redis[s]://[[user][:password]@]host[:port][/database]`; of a cluster, some of its nodes. None: `host` counts. */
  readonly urls: readonly string[]
  readonly host: string
  readonly port: number
  readonly username?: string | undefined
  /** Secret. */
  readonly password?: string | undefined
  /** Whether TLS is spoken where no URL says so. */
  readonly isSecure: boolean
  /** Certificates of further authorities that are trusted, PEM. */
  readonly ca?: string | undefined
  readonly rejectUnauthorized?: boolean | undefined
}

/** As much of a client as is used here; one server and a cluster are the same. */
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

/** A Redis that is connected to when it is needed, and again when the connection is lost. */
export interface RedisConnection {
  /** Rejects where there is no connection within so many milliseconds. */
  client(limitMs: number): Promise<RedisCommands>
  close(): Promise<void>
}

const LONGEST_PAUSE_MS = 10_000
const FIRST_PAUSE_MS = 100
/** Every server and every proxy in front of one speaks it. The next one needs `HELLO`, which is new in Redis 6. */
const PROTOCOL_VERSION = 2
/** Commands that wait for a node of a cluster. */
const MOST_QUEUED = 100

/**
 * Nothing is asked of the server before the first use. Throws an Error that names the option where an address cannot be
 * read; no error tells anything of users and passwords.
 */
export function connectRedis(
  address: RedisAddress,
  { random, readTimeoutMs }: { readonly random: () => number; readonly readTimeoutMs: number },
): RedisConnection {
  const urls = address.urls.length > 0 ? address.urls.map(checked) : [urlOf(address)]
  const pause = (retries: number) =>
    Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(retries, 10)) * (0.5 + random() / 2)
  const make = () => makeClient(address, urls, { connectTimeout: readTimeoutMs, reconnectStrategy: pause })
  let client: Client | undefined
  let connecting: Promise<unknown> | undefined
  let lastError: unknown
  const connect = async (fresh: Client) => {
    try {
      await fresh.connect()
    } catch (error) {
      // a cluster of which no node answers gives up
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
        // told by the command that needs the connection
        client.on('error', (error) => {
          lastError = error
        })
        connecting = connect(client)
        connecting.catch(() => {})
      }
      const wanted = client
      try {
        await within(limitMs, connecting)
      } catch (error) {
        throw new Error('Redis cannot be reached', {
          cause: error instanceof TookTooLong ? (lastError ?? error) : error,
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
        // it was closed already
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
    const named = first === undefined ? {} : loginOf(first)
    // the client writes host and port into what it is given
    const defaults = () => ({ ...named, ...login, socket: { ...socket } })
    const rootNodes = urls.map((url) => ({ url, ...defaults() }))
    return createCluster({
      rootNodes,
      RESP: PROTOCOL_VERSION,
      defaults: { ...defaults(), commandsQueueMaxLength: MOST_QUEUED },
    }) as unknown as Client
  }
  const [url = ''] = urls
  return createClient({ url, ...login, socket, RESP: PROTOCOL_VERSION, disableOfflineQueue: true }) as unknown as Client
}

function loginOf({ username, password }: URL): { username?: string; password?: string } {
  return {
    ...(username === '' ? {} : { username: decodeURIComponent(username) }),
    ...(password === '' ? {} : { password: decodeURIComponent(password) }),
  }
}

function urlOf({ host, port, isSecure }: RedisAddress): string {
  const name = host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
  return checked(`${isSecure ? 'rediss' : 'redis'}://${name}:${port}`)
}

function checked(url: string): string {
  if (!URL.canParse(url) || !/^rediss?:$/.test(new URL(url).protocol) || new URL(url).hostname === '') {
    throw new Error('REDIS_URL or REDIS_HOST must name a server: redis://host:port or rediss://host:port')
  }
  return url
}
