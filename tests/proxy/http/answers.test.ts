import { gzipSync } from 'node:zlib'
import type { Logger } from '@burgee/kit/log/logger'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { KEY, startProxy, type TestProxy } from '../../support/proxy.ts'
import { type FakeUpstream, startUpstream } from '../../support/upstream.ts'
import { until } from '../../support/wait.ts'

/** Replies of an upstream, and their effects on callers and in the log. */
const feature = (name: string) => ({ name, enabled: true, strategies: [] })
const body = (...names: string[]) => JSON.stringify({ version: 2, features: names.map(feature) })

let upstream: FakeUpstream
let proxy: TestProxy | undefined
let lines: string[]
const say = (message: string) => void lines.push(message)
const logger: Logger = { debug() {}, info() {}, warn: say, error: say, fatal: say }

beforeEach(async () => {
  lines = []
  upstream = await startUpstream({ version: 2, features: [feature('first')] })
})
afterEach(async () => {
  await proxy?.close()
  proxy = undefined
  await upstream.close()
})

async function start(config: object = {}, options: object = {}): Promise<void> {
  proxy = await startProxy(
    { flagUrl: upstream.url, logger, refreshInterval: 10, metricsInterval: 10, ...config },
    options,
  )
}
const names = async (): Promise<string[]> => {
  const response = await fetch(`${proxy?.url}/proxy`, { headers: { authorization: KEY } })
  return ((await response.json()) as { toggles: { name: string }[] }).toggles.map((toggle) => toggle.name)
}
const health = async () => {
  const response = await fetch(`${proxy?.url}/proxy/health/ready`)
  return (await response.json()) as { upstreamFailures: number; lastError: { message: string } | null }
}

describe('a document with an older revision than the one in use', () => {
  /** Answers with the revision that `pick` returns, as one of several servers behind an upstream address would. */
  const answer = (pick: () => number) =>
    upstream.answerWith((request, response) => {
      if (request.method === 'POST') return void response.writeHead(202).end()
      const etag = `"abc:${pick()}"`
      if (request.headers['if-none-match'] === etag) return void response.writeHead(304).end()
      response.writeHead(200, { etag }).end(body(`revision-${pick()}`))
    })

  test('ignores it while newer ones arrive too', async () => {
    answer(() => 7)
    await start()
    let asked = 0
    answer(() => {
      asked += 1
      return Math.floor(asked / 2) % 2 === 0 ? 7 : 6
    })
    for (let times = 0; times < 30; times += 1) expect(await names()).toEqual(['revision-7'])
    await until(async () => (await health()).upstreamFailures > 0)
    expect(await names()).toEqual(['revision-7'])
    expect(lines[0]).toMatch(/Cannot get features .* older than the one in use/)
    answer(() => 8)
    await until(async () => (await names())[0] === 'revision-8')
  })

  test('replaces the current configuration if nothing newer arrives, because the upstream was restored', async () => {
    answer(() => 7)
    await start()
    answer(() => 3)
    await until(async () => (await names())[0] === 'revision-3')
    expect((await health()).upstreamFailures).toBe(4)
  })
})

describe('too much', () => {
  test('rejects a small response that is huge when decoded', async () => {
    await start()
    const huge = gzipSync(Buffer.concat([Buffer.alloc(140 * 1024 * 1024, ' '), Buffer.from(body('huge'))]), {
      level: 1,
    })
    upstream.answerWith((_request, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(huge))
    await until(async () => (await health()).lastError?.message.includes('larger than'))
    expect(await names()).toEqual(['first'])
  })
})

describe('health, which anybody may read, and the log say what is wrong', () => {
  test.each<[string, Parameters<FakeUpstream['answerWith']>[0], string, RegExp]>([
    [
      'no JSON',
      (_request, response) => void response.writeHead(200).end('hidden words'),
      'The response of the upstream is not JSON',
      /is not JSON \(.*hidden wor/,
    ],
    [
      'a redirect without end',
      ({ url }, response) => void response.writeHead(302, { location: url }).end(),
      'Too many redirects from the upstream',
      /^Cannot get features from the upstream: Too many redirects from the upstream$/,
    ],
    [
      'a redirect to another host',
      (_request, response) => void response.writeHead(302, { location: 'http://other.example/?secret=1' }).end(),
      'The upstream redirects to another host, which is not followed; set its new address with flagUrl',
      /not followed; set its new address with flagUrl \(302 to http:\/\/other\.example\)$/,
    ],
    [
      'a connection that breaks',
      (_request, response) => void response.destroy(),
      'The request to the upstream failed: UND_ERR_SOCKET',
      /failed: UND_ERR_SOCKET \(fetch failed: other side closed\)/,
    ],
  ])('%s', async (_name, answer, shown, logged) => {
    upstream.answerWith(answer)
    await start({}, { ready: false })
    await until(async () => (await health()).lastError !== null)
    expect((await health()).lastError?.message).toBe(shown)
    expect(lines[0]).toMatch(logged)
  })

  test('addresses are for the log only', async () => {
    await start({ flagUrl: 'http://127.0.0.1:1/api' }, { ready: false })
    await until(async () => (await health()).lastError !== null)
    expect(JSON.stringify(await health())).not.toContain('127.0.0.1')
  })
})

describe('redirected reports', () => {
  test.each([301, 302, 307, 308])('%i within the origin: they arrive whole', async (status) => {
    await start()
    upstream.answerWith((request, response) => {
      if (request.method !== 'POST') return void response.writeHead(304).end()
      if (request.url.startsWith('/moved')) return void response.writeHead(202).end()
      response.writeHead(status, { location: `/moved${request.url}` }).end()
    })
    const headers = { authorization: KEY, 'content-type': 'application/json' }
    await fetch(`${proxy?.url}/proxy`, { method: 'POST', headers, body: '{"toggles":["first"]}' })
    await until(() => upstream.seen.some((request) => request.url.startsWith('/moved/api/client/metrics')))
    const moved = upstream.seen.filter((request) => request.url.startsWith('/moved/api/client/metrics'))
    expect(moved.map(({ method, body }) => [method, JSON.parse(body).bucket.toggles])).toEqual([
      ['POST', { first: { yes: 1, no: 0, variants: {} } }],
    ])
  })

  test('do not follow a redirect to another origin, to protect the token', async () => {
    const other = await startUpstream()
    await start()
    upstream.answerWith((request, response) => {
      if (request.method !== 'POST') return void response.writeHead(304).end()
      response.writeHead(308, { location: `${other.url}/client/metrics` }).end()
    })
    const headers = { authorization: KEY, 'content-type': 'application/json' }
    await fetch(`${proxy?.url}/proxy`, { method: 'POST', headers, body: '{"toggles":["first"]}' })
    await until(() => lines.some((line) => line.includes(`not followed; set its new address with flagUrl (308 to`)))
    expect(other.seen).toEqual([])
    await other.close()
  })
})

describe('redirected downloads', () => {
  test.each([301, 302, 303, 307, 308])('%i within the origin: followed, with the token and the tag', async (status) => {
    upstream.answerWith((request, response) => {
      if (request.method === 'POST') return void response.writeHead(202).end()
      if (!request.url.startsWith('/moved')) {
        return void response.writeHead(status, { location: `/moved${request.url}` }).end()
      }
      if (request.headers['if-none-match'] === '"1"') return void response.writeHead(304).end()
      response.writeHead(200, { etag: '"1"' }).end(body('moved'))
    })
    await start({ projectName: 'p' })
    await until(() => upstream.seen.some(({ headers }) => headers['if-none-match'] === '"1"'))
    const moved = upstream.seen.filter(({ url }) => url.startsWith('/moved'))
    expect(new Set(moved.map(({ url }) => url))).toEqual(new Set(['/moved/api/client/features?project=p']))
    expect(new Set(moved.map(({ headers }) => headers.authorization))).toEqual(new Set(['upstream-token']))
    expect(await names()).toEqual(['moved'])
  })

  test.each([301, 302, 303, 307, 308])(
    '%i to another port: does not send the token there and keeps the configuration',
    async (status) => {
      const other = await startUpstream({ features: [feature('other')] })
      await start()
      upstream.answerWith((request, response) => {
        if (request.method === 'POST') return void response.writeHead(202).end()
        response.writeHead(status, { location: `${other.url}/client/features` }).end()
      })
      await until(async () => (await health()).upstreamFailures > 1)
      expect((await health()).lastError?.message).toMatch(/^The upstream redirects to another host/)
      expect(await names()).toEqual(['first'])
      expect(other.seen).toEqual([])
      expect(lines).toHaveLength(1)
      await other.close()
    },
  )
})

test('a new token is used at once, not at the next interval', async () => {
  await start({ refreshInterval: 600_000 })
  upstream.serve({ version: 2, features: [feature('second')] })
  proxy?.reloadSecrets()
  await until(async () => (await names())[0] === 'second')
})

test('a custom logger that throws ends nothing', async () => {
  const broken = () => {
    throw new Error('disk full')
  }
  await start({ logger: { debug: broken, info: broken, warn: broken, error: broken, fatal: broken } })
  upstream.answerWith((_request, response) => void response.writeHead(500).end())
  await until(async () => (await health()).upstreamFailures > 1)
  upstream.answerWith(undefined)
  upstream.serve({ version: 2, features: [feature('second')] })
  await until(async () => (await names())[0] === 'second')
})
