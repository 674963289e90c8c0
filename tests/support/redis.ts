import { spawn } from 'node:child_process'
import { createConnection, type Socket } from 'node:net'
import { join } from 'node:path'
import { haveDebian, whereIs } from '../setup/debian.ts'
import { temporaryFolder } from './burgee.ts'
import { until } from './wait.ts'

/** The parts of the npm package's client that the example uses, and `del`. */
export interface RedisClient {
  on(event: 'error', listener: (error: Error) => void): RedisClient
  connect(): Promise<RedisClient>
  get(key: string): Promise<string | null>
  set(key: string, value: string): Promise<string | null>
  del(key: string): Promise<string | null>
  destroy(): void
}

/**
 * Creates a client like the npm package's `createClient`, for strings. Accepts `unix:/path` and
 * `redis://:password@host:port`.
 */
export function createClient({ url }: { readonly url: string }): RedisClient {
  const { protocol, pathname, hostname, port, password } = new URL(url)
  const waiting: { resolve: (reply: string | null) => void; reject: (error: Error) => void }[] = []
  const listeners: ((error: Error) => void)[] = []
  let received = Buffer.alloc(0)
  let socket: Socket | undefined
  const fail = (error: Error) => {
    for (const { reject } of waiting.splice(0)) reject(error)
  }
  const send = (...words: readonly string[]) =>
    new Promise<string | null>((resolve, reject) => {
      if (socket === undefined || socket.destroyed) return reject(new Error('The client is closed'))
      waiting.push({ resolve, reject })
      const parts = words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`)
      socket.write(`*${words.length}\r\n${parts.join('')}`)
    })
  const read = (chunk: Buffer) => {
    received = Buffer.concat([received, chunk])
    for (let reply = takeReply(received); reply !== undefined; reply = takeReply(received)) {
      received = received.subarray(reply.length)
      const asked = waiting.shift()
      if (reply.value instanceof Error) asked?.reject(reply.value)
      else asked?.resolve(reply.value)
    }
  }
  const client: RedisClient = {
    on: (_event, listener) => {
      listeners.push(listener)
      return client
    },
    connect: async () => {
      socket = protocol === 'unix:' ? createConnection(pathname) : createConnection(Number(port || 6379), hostname)
      socket.on('data', read).on('error', (error) => {
        for (const listener of listeners) listener(error)
      })
      socket.on('close', () => fail(new Error('The connection was closed')))
      await send(...(password === '' ? ['PING'] : ['AUTH', decodeURIComponent(password)]))
      return client
    },
    get: (key) => send('GET', key),
    set: (key, value) => send('SET', key, value),
    del: (key) => send('DEL', key),
    destroy: () => void socket?.destroy(),
  }
  return client
}

/**
 * Parses the first complete reply and its length in bytes: `+OK`, `-ERR …`, `:1`, `$3 abc`, `$-1`. Returns undefined if
 * the reply is incomplete.
 */
function takeReply(bytes: Buffer): { readonly value: string | null | Error; readonly length: number } | undefined {
  const end = bytes.indexOf('\r\n')
  if (end < 0) return undefined
  const line = bytes.toString('utf8', 1, end)
  const start = end + 2
  if (bytes[0] === '-'.charCodeAt(0)) return { value: new Error(line), length: start }
  if (bytes[0] !== '$'.charCodeAt(0)) return { value: line, length: start }
  if (line === '-1') return { value: null, length: start }
  const stop = start + Number(line)
  return bytes.length < stop + 2 ? undefined : { value: bytes.toString('utf8', start, stop), length: stop + 2 }
}

/** Timeout in milliseconds for tests that call `startRedis`, which may have to install a package. */
export const REDIS_LIMIT_MS = 300_000

/** Redis server. */
export interface RedisServer {
  readonly url: string
  stop(): Promise<void>
}

/**
 * Returns the server of TEST_REDIS_URL, or starts one on a socket in a temporary folder, from the PATH or installed by
 * apt. If no server is available, rejects with an Error that explains how to provide one.
 */
export async function startRedis(): Promise<RedisServer> {
  const given = process.env.TEST_REDIS_URL
  if (given) return { url: given, stop: async () => {} }
  const command = redisCommand()
  const folder = temporaryFolder()
  const url = `unix:${join(folder.path, 'redis.sock')}`
  const args = ['--port', '0', '--unixsocket', join(folder.path, 'redis.sock'), '--save', '', '--dir', folder.path]
  const child = spawn(command, args, { stdio: 'ignore' })
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()))
  const answers = async () => {
    const client = createClient({ url }).on('error', () => {})
    await client.connect()
    client.destroy()
    return true
  }
  await until(answers)
  return {
    url,
    stop: async () => {
      child.kill('SIGTERM')
      await ended
      folder.remove()
    },
  }
}

/**
 * Returns the command `redis-server`, from the PATH or installed by apt. Throws an Error that explains what to do if
 * there is none.
 */
export function redisCommand(): string {
  if (haveDebian(['redis-server'], ['redis-server'])) return whereIs('redis-server') ?? 'redis-server'
  throw new Error('This test needs Redis: set TEST_REDIS_URL, or put redis-server on the PATH')
}
