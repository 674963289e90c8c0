import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { StorageProvider } from '@burgee/serving/upstream/backup-file'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { keptLog } from '../../support/kept-log.ts'
import { KEY, startProxy, type TestProxy } from '../../support/proxy.ts'
import { createClient, REDIS_LIMIT_MS, type RedisClient, type RedisServer, startRedis } from '../../support/redis.ts'
import { type FakeUpstream, startUpstream } from '../../support/upstream.ts'
import { until } from '../../support/wait.ts'

/** The example storage provider, against a real Redis. */
const TESTS = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const EXAMPLE = join(dirname(TESTS), 'examples', 'redis-storage')
const PREFIX = `test-${process.pid}:`
const feature = (name: string) => ({ name, enabled: true, strategies: [] })
const document = (...names: string[]) => ({ version: 2, features: names.map(feature), segments: [] })

type MakeStorage = new (client: RedisClient, options?: { readonly prefix: string }) => StorageProvider
let RedisStorage: MakeStorage
let redis: RedisServer
let client: RedisClient
let upstream: FakeUpstream
let proxies: TestProxy[]
const { logger, lines } = keptLog()

beforeAll(async () => {
  redis = await startRedis()
  const module: { RedisStorage: MakeStorage } = await import(pathToFileURL(join(EXAMPLE, 'redis-storage.mjs')).href)
  RedisStorage = module.RedisStorage
}, REDIS_LIMIT_MS)
afterAll(() => redis?.stop())
beforeEach(async () => {
  proxies = []
  lines.length = 0
  client = createClient({ url: redis.url }).on('error', () => {})
  await client.connect()
  upstream = await startUpstream(document('kept'))
})
afterEach(async () => {
  for (const proxy of proxies) await proxy.close()
  client.destroy()
  await upstream.close()
})

const start = async (flagAppName: string, ready = true): Promise<TestProxy> => {
  const storageProvider = new RedisStorage(client, { prefix: PREFIX })
  const config = { flagUrl: upstream.url, flagAppName, storageProvider, refreshInterval: 20, logger }
  const proxy = await startProxy(config, { ready })
  proxies.push(proxy)
  return proxy
}
const down = () => upstream.answerWith((_request, response) => void response.writeHead(503).end())
const names = async (url: string): Promise<string[]> => {
  const response = await fetch(`${url}/proxy`, { headers: { authorization: KEY } })
  const { toggles } = (await response.json()) as { toggles: { name: string }[] }
  return toggles.map(({ name }) => name)
}

describe('the provider', () => {
  test.each<[string, ReturnType<typeof document>]>([
    ['nothing but its frame', document()],
    ['letters of any kind', document('ünï ✓ 🚀', '$6\r\nfoobar\r\n', '"\\')],
    ['some megabytes', document(...Array.from({ length: 50_000 }, (_, index) => `feature-${index}`))],
  ])('stores %s', async (name, kept) => {
    const storage = new RedisStorage(client, { prefix: PREFIX })
    expect(await storage.get(name)).toBeUndefined()
    await storage.set(name, kept)
    expect(await storage.get(name)).toEqual(kept)
    expect(await storage.get(`${name} `)).toBeUndefined()
    expect(await client.get(PREFIX + name)).toBe(JSON.stringify(kept))
    await client.del(PREFIX + name)
  })

  test('a restart while the upstream is down serves the stored flags, by app name', async () => {
    const first = await start('restart')
    upstream.serve(document('kept', 'newest'))
    await until(async () => (await names(first.url)).includes('newest'))
    await first.close()
    down()
    expect(await names((await start('restart')).url)).toEqual(['kept', 'newest'])
    expect((await start('other', false)).isReady()).toBe(false)
    await client.del(`${PREFIX}restart`)
  })

  test('a stored value that is no configuration is not used', async () => {
    await client.set(`${PREFIX}garbage`, '{"features":')
    down()
    const proxy = await start('garbage', false)
    await until(() => lines.some((line) => line.startsWith('Cannot use the backup')))
    expect(proxy.isReady()).toBe(false)
    await client.del(`${PREFIX}garbage`)
  })

  test('a connection that ends is logged once and affects no request', async () => {
    const proxy = await start('gone')
    await until(async () => (await client.get(`${PREFIX}gone`)) !== null)
    client.destroy()
    for (const name of ['second', 'third']) {
      upstream.serve(document(name))
      await until(async () => (await names(proxy.url)).includes(name))
    }
    expect(lines.filter((line) => line.startsWith('Cannot write the backup'))).toHaveLength(1)
  })
})

describe('the command', () => {
  /** Runs the example with the test client in place of the npm package. */
  const run = (url: string) => {
    const client = pathToFileURL(join(TESTS, 'support', 'redis.ts')).href
    const hooks = `import { registerHooks } from 'node:module'
      const found = { url: ${JSON.stringify(client)}, shortCircuit: true }
      registerHooks({ resolve: (name, context, next) => (name === 'redis' ? found : next(name, context)) })`
    const args = ['--import', `data:text/javascript,${encodeURIComponent(hooks)}`, join(EXAMPLE, 'proxy.mjs')]
    const variables = { FLAG_URL: upstream.url, FLAG_API_TOKEN: 't', FLAG_PROXY_CLIENT_KEYS: KEY, PROXY_PORT: '0' }
    const env = { PATH: process.env.PATH ?? '', REDIS_URL: url, FLAG_APP_NAME: PREFIX, ...variables }
    const child = spawn(process.execPath, args, { env })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += String(chunk)
      })
    }
    const ended = new Promise<number | null>((resolve) => child.on('close', (code) => resolve(code)))
    const address = async () => `http://127.0.0.1:${await until(() => /port (\d+)/.exec(output)?.[1])}`
    const stop = () => {
      child.kill('SIGTERM')
      return ended
    }
    return { address, output: () => output, stop }
  }

  test('stores its flags, and serves them on a restart while the upstream is down', async () => {
    const first = run(redis.url)
    const address = await first.address()
    await until(async () => (await names(address)).includes('kept'))
    expect(await first.stop()).toBe(0)
    down()
    const second = run(redis.url)
    const again = await second.address()
    await until(async () => (await names(again)).includes('kept'))
    expect(second.output()).toContain('Serving 1 features from the backup until the upstream answers')
    expect(await second.stop()).toBe(0)
    await client.del(`burgee:features:${PREFIX}`)
  })

  test('starts without Redis too', async () => {
    const proxy = run('redis://127.0.0.1:9')
    const address = await proxy.address()
    await until(async () => (await names(address)).includes('kept'))
    expect(proxy.output()).toContain('Redis: ')
    expect(await proxy.stop()).toBe(0)
  })
})
