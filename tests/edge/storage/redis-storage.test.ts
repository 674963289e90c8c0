import type { EdgeSnapshot, SnapshotToken } from '@burgee/edge/storage/edge-storage'
import type { RedisAddress } from '@burgee/edge/storage/redis-connection'
import { RedisStorage } from '@burgee/edge/storage/redis-storage'
import { monotonicClock } from '@burgee/kit/monotonic-clock'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { keptLog } from '../../support/kept-log.ts'
import { REDIS_LIMIT_MS } from '../../support/redis.ts'
import { type RedisNodes, startRedisCluster, startRedisNode, startRedisTls } from '../../support/redis-nodes.ts'
import { until } from '../../support/wait.ts'

const { logger, lines } = keptLog()
const PASSWORD = 'p@ss/word:1'
const opened: RedisStorage[] = []
afterEach(async () => {
  for (const storage of opened.splice(0)) await storage.close()
  lines.length = 0
})

let now = 0
const ADDRESS: RedisAddress = { mode: 'single', urls: [], host: '127.0.0.1', port: 0, isSecure: false }
function open(address: Partial<RedisAddress>, timeoutMs = 2000): RedisStorage {
  const times = {
    readTimeoutMs: timeoutMs,
    writeTimeoutMs: timeoutMs,
    monotonic: monotonicClock(() => now),
    random: () => 0.1,
  }
  const storage = new RedisStorage({ address: { ...ADDRESS, ...address }, ...times, logger })
  opened.push(storage)
  return storage
}

const token = (environment: string): SnapshotToken => ({
  token: `*:${environment}.secret`,
  type: 'backend',
  environment,
  projects: ['*'],
})
const documentOf = (...names: string[]) => ({
  version: 2,
  features: names.map((name) => ({ name, enabled: true, strategies: [] })),
  segments: [],
})
const keptOf = (...environments: string[]): EdgeSnapshot => ({
  tokens: environments.map(token),
  documents: new Map(environments.map((name) => [name, documentOf(`flag of ${name}`)])),
})
/** Redis does not preserve the order of fields. */
const sorted = ({ tokens, documents }: EdgeSnapshot) => [
  tokens.map((one) => one.token).sort(),
  [...documents].sort(([a], [b]) => (a < b ? -1 : 1)),
]
const load = async (storage: RedisStorage) => sorted((await storage.load()) ?? { tokens: [], documents: new Map() })

describe('one server', () => {
  let redis: RedisNodes
  beforeAll(async () => {
    redis = await startRedisNode(PASSWORD)
  }, REDIS_LIMIT_MS)
  afterAll(() => redis?.stop())
  afterEach(() => void redis.cli('flushall'))
  const here = () => ({ port: redis.ports[0] ?? 0, password: PASSWORD })

  test.each<[string, () => Partial<RedisAddress>]>([
    ['by host and port', here],
    ['by a URL', () => ({ urls: [`redis://:${encodeURIComponent(PASSWORD)}@127.0.0.1:${redis.ports[0]}`] })],
    [
      'by a URL with the password beside',
      () => ({ urls: [`redis://127.0.0.1:${redis.ports[0]}`], password: PASSWORD }),
    ],
    ['by a user', () => ({ ...here(), username: 'default' })],
    ['by a URL with a database', () => ({ urls: [`redis://127.0.0.1:${redis.ports[0]}/3`], password: PASSWORD })],
  ])('%s stores its snapshot', async (_name, address) => {
    expect(await open(address()).load()).toBeUndefined()
    await open(address()).save(keptOf('dev', 'prod'))
    expect(await load(open(address()))).toEqual(sorted(keptOf('dev', 'prod')))
  })

  test('nodes add to the snapshots of others, and remove only their own entries', async () => {
    const [one, other] = [open(here()), open(here())]
    await one.save(keptOf('dev', 'test'))
    await other.save(keptOf('dev', 'prod'))
    expect(await load(open(here()))).toEqual(sorted(keptOf('dev', 'prod', 'test')))
    await one.save(keptOf('dev'))
    expect(await load(open(here()))).toEqual(sorted(keptOf('dev', 'prod')))
    // one node removes a field that the other node needs, and the other node writes it again at its next refresh
    await one.save(keptOf())
    expect(await load(open(here()))).toEqual(sorted(keptOf('prod')))
    now += 3_600_000
    await other.save(keptOf('dev', 'prod'))
    expect(await load(open(here()))).toEqual(sorted(keptOf('dev', 'prod')))
  })

  test('a stored token that is no longer valid is removed, also after a restart', async () => {
    await open(here()).save(keptOf('dev', 'prod'))
    const next = open(here())
    await next.load()
    await next.save({ ...keptOf('dev'), documents: new Map() })
    expect((await open(here()).load())?.tokens).toEqual([token('dev')])
  })

  test('the snapshot of an Edge is read if there is no own one', async () => {
    const tokens = [{ token: '*:dev.1', type: 'client', environment: 'dev', projects: ['*'], status: 'Validated' }]
    redis.cli('set', 'unleash-tokens', JSON.stringify(tokens))
    redis.cli('set', 'unleash-features', JSON.stringify([['dev', documentOf('f')]]))
    const kept = await open(here()).load()
    expect([kept?.tokens.length, kept?.documents.get('dev')]).toEqual([1, documentOf('f')])
    await open(here()).save(keptOf('prod'))
    expect(await load(open(here()))).toEqual(sorted(keptOf('prod')))
    expect(JSON.parse(redis.cli('get', 'unleash-tokens'))).toEqual(tokens)
  })

  test('a damaged entry is logged as a warning, and the rest is used', async () => {
    await open(here()).save(keptOf('dev', 'prod'))
    redis.cli('hset', 'burgee-edge-features', 'dev', '{"version":2')
    redis.cli('hset', 'burgee-edge-tokens', 'x', '*:dev.secret')
    const kept = await open(here()).load()
    expect([[...(kept?.documents.keys() ?? [])], kept?.tokens.length]).toEqual([['prod'], 2])
    expect(lines.length).toBe(2)
    expect(lines.join()).not.toContain('secret')
  })

  test('the connection is restored after an outage', async () => {
    const storage = open(here())
    await storage.save(keptOf('dev'))
    await redis.restart()
    await until(async () => {
      await storage.save(keptOf('dev', 'prod'))
      return true
    })
    expect((await load(open(here())))[0]).toContain('*:prod.secret')
  })

  test.each<[string, () => Partial<RedisAddress>, string]>([
    ['a wrong password', () => ({ ...here(), password: 'wrong-secret' }), 'WRONGPASS'],
    ['nothing listening', () => ({ port: 1 }), 'ECONNREFUSED'],
  ])('%s is an error that names the cause, without secrets', async (_name, address, why) => {
    const failure = await open(address(), 300)
      .load()
      .catch((error: unknown) => error)
    const text = JSON.stringify([String(failure), String((failure as Error).cause)])
    expect(text).toContain('Redis cannot be reached')
    expect(text).toContain(why)
    expect(text).not.toMatch(/wrong-secret|p@ss/)
  })
})

test.each([
  ['no URL', 'localhost'],
  ['another protocol', 'http://user:very-secret@localhost'],
  ['no host', 'redis://'],
])('%s is refused, with the name of the option and no secret', (_name, url) => {
  expect(() => open({ urls: [url] })).toThrow(/^REDIS_URL or REDIS_HOST(?!.*secret)/)
})

describe('a server that does not know HELLO, as before Redis 6', () => {
  const WITHOUT_HELLO = ['--rename-command', 'HELLO', '']

  test(
    'stores the snapshot',
    async () => {
      const redis = await startRedisNode(PASSWORD, WITHOUT_HELLO)
      const here = { port: redis.ports[0] ?? 0, password: PASSWORD }
      try {
        expect(redis.cli('hello')).toContain('unknown command')
        await open(here).save(keptOf('dev', 'prod'))
        expect(await load(open(here))).toEqual(sorted(keptOf('dev', 'prod')))
      } finally {
        await redis.stop()
      }
    },
    REDIS_LIMIT_MS,
  )

  test(
    'stores it as a member of a cluster',
    async () => {
      const redis = await startRedisCluster(WITHOUT_HELLO)
      const here = { mode: 'cluster' as const, port: redis.ports[0] ?? 0 }
      try {
        await open(here).save(keptOf('dev', 'prod'))
        expect(await load(open(here))).toEqual(sorted(keptOf('dev', 'prod')))
      } finally {
        await redis.stop()
      }
    },
    REDIS_LIMIT_MS,
  )
})

test(
  'TLS, with a certificate that is trusted and with one that is not',
  async () => {
    const redis = await startRedisTls()
    const port = redis.ports[0] ?? 0
    try {
      const trusting = { port, isSecure: true, ca: redis.ca }
      await open(trusting).save(keptOf('dev'))
      expect(await load(open(trusting))).toEqual(sorted(keptOf('dev')))
      const byUrl = { urls: [`rediss://127.0.0.1:${port}`], ca: redis.ca }
      expect(await load(open(byUrl))).toEqual(sorted(keptOf('dev')))
      await expect(open({ port, isSecure: true }, 300).load()).rejects.toThrow('Redis cannot be reached')
      await expect(open({ port }, 300).load()).rejects.toThrow('Redis cannot be reached')
    } finally {
      await redis.stop()
    }
  },
  REDIS_LIMIT_MS,
)

test(
  'a cluster, by any of its nodes',
  async () => {
    const redis = await startRedisCluster()
    try {
      const [one, other] = redis.ports.map((port) => ({ mode: 'cluster' as const, port }))
      await open(one ?? {}).save(keptOf('dev', 'prod'))
      expect(await load(open(other ?? {}))).toEqual(sorted(keptOf('dev', 'prod')))
      const urls = [`redis://127.0.0.1:1`, `redis://127.0.0.1:${redis.ports[2]}`]
      expect(await load(open({ mode: 'cluster', urls }))).toEqual(sorted(keptOf('dev', 'prod')))
    } finally {
      await redis.stop()
    }
    await expect(open({ mode: 'cluster', port: redis.ports[0] ?? 0 }, 500).load()).rejects.toThrow('cannot be reached')
  },
  REDIS_LIMIT_MS,
)
