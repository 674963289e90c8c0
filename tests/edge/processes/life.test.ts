import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type BurgeeProcess, runBurgee, temporaryFolder } from '../../support/burgee.ts'
import { childrenOf } from '../../support/children.ts'
import { REDIS_LIMIT_MS } from '../../support/redis.ts'
import { startRedisNode } from '../../support/redis-nodes.ts'
import { openRelay, type Relay } from '../../support/relay.ts'
import { until } from '../../support/wait.ts'
import { type EdgeNode, edgeNode, ended, runEdge } from './edge-node.ts'
import {
  fillUpstream,
  flagOf,
  START_TOKENS,
  seenBy,
  startUpstreamServer,
  type TokenName,
  type UpstreamServer,
} from './upstream-server.ts'

/** Behavior of an edge when its upstream goes down, recovers or revokes a token (P1, P3, P5). */
const folder = temporaryFolder()
const kept = temporaryFolder()
let server: UpstreamServer
let tokens: Readonly<Record<TokenName, string>>
let relay: Relay
const running: BurgeeProcess[] = []

beforeAll(async () => {
  server = await startUpstreamServer(folder.path)
  tokens = await fillUpstream(server)
  relay = await openRelay({ host: '127.0.0.1', port: Number(new URL(server.url).port) })
})
afterEach(async () => {
  relay.become('through')
  for (const process of running.splice(0)) await ended(process, 'SIGKILL')
})
afterAll(async () => {
  await relay.close()
  await ended(server.process)
  folder.remove()
  kept.remove()
})

async function start(env: Readonly<Record<string, string>> = {}): Promise<EdgeNode> {
  const process = runEdge({
    UPSTREAM_URL: `http://127.0.0.1:${relay.port}`,
    TOKENS: Object.values(START_TOKENS).join(),
    FEATURES_REFRESH_INTERVAL_SECONDS: '1',
    ...env,
  })
  running.push(process)
  return edgeNode(process)
}

test.each(['refused', 'swallowed'] as const)(
  'the upstream gone for good after the start (%s): known tokens are answered, unknown ones do not get in',
  async (mode) => {
    const edge = await start()
    await edge.ready()
    expect(await edge.frontend(tokens.shopWeb)).toEqual(seenBy('shopWeb'))
    relay.become(mode)
    for (let round = 1; round <= 20; round += 1) {
      expect(await edge.frontend(tokens.shopWeb, `?userId=${round}`)).toEqual(seenBy('shopWeb'))
      expect(await edge.download(START_TOKENS.production)).toEqual(
        ['default', 'shop', 'bank'].map((project) => flagOf(project, 'production')).sort(),
      )
    }
    const unknown = await edge.frontend(tokens.bankWeb)
    expect(unknown).toEqual(expect.any(Number))
    expect((await edge.ask('/internal-backstage/health')).status).toBe(200)
    relay.become('through')
    await until(async () => Array.isArray(await edge.frontend(tokens.bankWeb)))
    expect(await edge.frontend(tokens.bankWeb)).toEqual(seenBy('bankWeb'))
  },
)

test('the upstream gone at the start, with a backup: served at once, and ready', async () => {
  const env = { BACKUP_FOLDER: kept.path }
  const first = await start(env)
  await first.ready()
  expect(await first.frontend(tokens.shopWeb)).toEqual(seenBy('shopWeb'))
  expect(await ended(first.process)).toBe(0)
  relay.become('refused')
  const second = await start(env)
  await second.ready()
  expect(await second.frontend(tokens.shopWeb)).toEqual(seenBy('shopWeb'))
  expect(await second.download(START_TOKENS.development)).toEqual(
    expect.arrayContaining([flagOf('bank', 'development')]),
  )
  expect(await second.frontend(tokens.bankWeb)).toEqual(expect.any(Number))
  relay.become('through')
  await server.turn('shop', flagOf('shop', 'development'), 'development', 'off')
  await until(async () => JSON.stringify(await second.frontend(tokens.shopWeb)) === '[]')
  await server.turn('shop', flagOf('shop', 'development'), 'development', 'on')
})

test(
  'the same works with a snapshot in Redis, which a second node reads as well',
  async () => {
    const redis = await startRedisNode('secret')
    try {
      const env = { REDIS_URL: `redis://:secret@127.0.0.1:${redis.ports[0]}` }
      const first = await start(env)
      await first.ready()
      expect(await first.frontend(tokens.shopWeb)).toEqual(seenBy('shopWeb'))
      expect(await ended(first.process)).toBe(0)
      relay.become('refused')
      for (const node of [await start(env), await start(env)]) {
        await node.ready()
        expect(await node.frontend(tokens.shopWeb)).toEqual(seenBy('shopWeb'))
      }
    } finally {
      await redis.stop()
    }
  },
  REDIS_LIMIT_MS,
)

test('the upstream gone at the start, without a backup: alive, not ready, and no flag is on', async () => {
  relay.become('refused')
  const edge = await start()
  expect((await edge.ask('/internal-backstage/health')).status).toBe(200)
  const ready = await edge.ask('/internal-backstage/ready')
  expect([ready.status, await ready.json()]).toEqual([
    503,
    { error: 'Edge is not ready to serve requests', status: 'NOTREADY' },
  ])
  expect(await edge.frontend(tokens.shopWeb)).toEqual(expect.any(Number))
  relay.become('through')
  await edge.ready()
  expect(await edge.frontend(tokens.shopWeb)).toEqual(seenBy('shopWeb'))
})

test('a token that is revoked upstream is refused within the interval, and its stream ends', async () => {
  const edge = await start({ TOKEN_REVALIDATION_INTERVAL_SECONDS: '1' })
  await edge.ready()
  const secret = await server.admin<{ secret: string }>('POST', 'api-tokens', {
    tokenName: 'short',
    type: 'client',
    environment: 'development',
    projects: ['shop'],
  })
  const stream = await edge.ask('/api/client/streaming', secret.secret)
  expect(stream.status).toBe(200)
  await server.admin('DELETE', `api-tokens/${encodeURIComponent(secret.secret)}`)
  // reads until the edge ends the stream
  for await (const _piece of stream.body ?? []);
  expect(await edge.download(secret.secret)).toBe(403)
})

test('the probe commands say what the pages say', async () => {
  const edge = await start()
  await edge.ready()
  const probe = async (args: readonly string[]) => {
    const process = runBurgee(args)
    return [await process.ended, `${process.output()}${process.errors()}`.trim().split('\n').length]
  }
  expect(await probe(['edge', 'health', '--edge-url', edge.base])).toEqual([0, 1])
  expect(await probe(['edge', 'ready', '-e', edge.base])).toEqual([0, 1])
  expect(await probe(['edge', 'health', '-e', 'http://127.0.0.1:9'])).toEqual([1, 1])
})

test('a killed worker of two is replaced, and every request is answered', async () => {
  const edge = await start({ WORKERS: '2' })
  await edge.ready()
  const [first] = childrenOf(edge.process.pid)
  expect(childrenOf(edge.process.pid)).toHaveLength(2)
  expect(await edge.series('burgee_edge_workers')).toBe(2)
  process.kill(first ?? 0, 'SIGKILL')
  for (let round = 1; round <= 10; round += 1) {
    const seen = await edge.frontend(tokens.shopWeb, `?userId=${round}`).catch(() => 'reset')
    if (seen !== 'reset') expect(seen).toEqual(seenBy('shopWeb'))
  }
  await until(() => childrenOf(edge.process.pid).filter((pid) => pid !== first).length === 2)
  await until(async () => (await edge.series('burgee_edge_worker_replacements_total')) === 1)
  // sends requests to both workers, with a token that is new to both of them
  for (let round = 1; round <= 6; round += 1) {
    const reply = await edge.ask('/api/frontend', tokens.allWeb, { headers: { connection: 'close' } })
    expect(reply.status).toBe(200)
  }
  expect(await ended(edge.process)).toBe(0)
})

test('however many SDKs follow a stream, the upstream has one for each token that fetches', async () => {
  const edge = await start()
  await edge.ready()
  const streams = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      edge.ask('/api/client/streaming', index % 2 === 0 ? tokens.shopBackend : START_TOKENS.production),
    ),
  )
  expect(streams.map(({ status }) => status)).toEqual(streams.map(() => 200))
  const openAt = async (base: string, path: string) => {
    const text = await (await fetch(`${base}${path}`)).text()
    return Number(/^burgee_streams\{kind="sdk"\} (\d+)$/m.exec(text)?.[1])
  }
  expect(await openAt(edge.base, '/internal-backstage/metrics')).toBe(8)
  await until(async () => (await openAt(server.url, '/internal-backstage/prometheus')) === 2)
  await Promise.all(streams.map(({ body }) => body?.cancel()))
})
