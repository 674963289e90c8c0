import { gzipSync } from 'node:zlib'
import type { StartedEdge } from '@burgee/edge/edge-process'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { startServer, type TestServer, TOKENS } from '../../http/scenario.ts'
import { type HttpRelay, openHttpRelay, type RelayedReply, type Spoil } from '../../support/http-relay.ts'
import { KEY, startProxy } from '../../support/proxy.ts'
import { until } from '../../support/wait.ts'
import { ask } from '../http/edge-scene.ts'
import { runEdge } from '../http/running-edge.ts'

/**
 * Networks that delay, repeat, cut and replace replies of the upstream. Edge and proxy always continue to serve their
 * flags. Edge and proxy never serve older flags, no flags, or a 500.
 */
const FLAGS = '/api/admin/projects/default/features'
let server: TestServer
let serverUrl: string
let made = 0

beforeAll(async () => {
  server = await startServer()
  serverUrl = (await server.server.listen()).url
  await addFlag(server, 'always')
})
afterAll(() => server.close())

async function addFlag(at: TestServer, name: string): Promise<string> {
  await at.admin(`POST ${FLAGS}`, { name })
  await at.admin(`POST ${FLAGS}/${name}/environments/development/strategies`, { name: 'default' })
  await at.admin(`POST ${FLAGS}/${name}/environments/development/on`)
  return name
}

function addFreshFlag(): Promise<string> {
  made += 1
  return addFlag(server, `fresh-${made}`)
}

/** Relay and the nodes behind it, which are closed together. */
class Network {
  readonly relay: HttpRelay
  readonly #closing: (() => Promise<unknown>)[] = []
  /** Requests that SDKs send, with URL, call and token. */
  readonly #calls: (readonly [url: string, call: string, token: string])[] = []

  private constructor(relay: HttpRelay) {
    this.relay = relay
  }

  static async open(): Promise<Network> {
    return new Network(await openHttpRelay(serverUrl))
  }

  async addEdge(url: string, env: Record<string, string> = {}, ready = true): Promise<StartedEdge> {
    const often = { FEATURES_REFRESH_INTERVAL_SECONDS: '1', UPSTREAM_REQUEST_TIMEOUT: '1' }
    const edge = await runEdge({ UPSTREAM_URL: url, TOKENS: TOKENS.client, ...often, ...env }, { ready })
    this.#closing.push(() => edge.close())
    this.#calls.push([edge.url, 'GET /api/client/features', TOKENS.client])
    this.#calls.push([edge.url, 'GET /api/frontend', TOKENS.frontend])
    return edge
  }

  async addProxy(ready = true): Promise<void> {
    const config = { flagUrl: `${this.relay.url}/api`, flagApiToken: TOKENS.client, refreshInterval: 500 }
    const tokens = { expServerSideSdkConfig: { tokens: 'server-token' } }
    const proxy = await startProxy({ ...config, ...tokens }, { ready })
    this.#closing.push(() => proxy.close())
    this.#calls.push([proxy.url, 'GET /proxy', KEY])
    this.#calls.push([proxy.url, 'GET /proxy/client/features', 'server-token'])
  }

  /** Returns the statuses of all requests. */
  async statuses(): Promise<number[]> {
    const replies = await Promise.all(this.#calls.map(([url, call, token]) => ask(url, call, { token })))
    return replies.map(({ status }) => status)
  }

  /** Returns the requests whose reply lacks any of these flags, together with the reply. */
  async lacking(...flags: readonly string[]): Promise<string[]> {
    const replies = await Promise.all(
      this.#calls.map(async ([url, call, token]) => ({ call, reply: await ask(url, call, { token }) })),
    )
    return replies.flatMap(({ call, reply: { status, text } }) => {
      const missing = flags.filter((flag) => !text.includes(`"name":"${flag}"`))
      return status === 200 && missing.length === 0 ? [] : [`${call}: ${status}, without ${missing.join()}`]
    })
  }

  /** Waits until every request gets these flags. */
  async shows(...flags: readonly string[]): Promise<void> {
    await until(async () => {
      const lacking = await this.lacking(...flags)
      if (lacking.length > 0) throw new Error(lacking.join('; '))
      return true
    }, 40_000)
  }

  async close(): Promise<void> {
    for (const close of this.#closing.reverse()) await close()
    await this.relay.close()
  }
}

const DOWNLOADS = /\/api\/client\//
const JSON_TYPE = { 'content-type': 'application/json' }
const HTML = '<!doctype html><title>Please log in</title>'
const page =
  (status: number): Spoil =>
  (_reply, response) =>
    void response.writeHead(status, { 'content-type': 'text/html' }).end(HTML)
const body =
  (text: string, headers: Record<string, string> = JSON_TYPE): Spoil =>
  (_reply, response) =>
    void response.writeHead(200, headers).end(text)
const changedBody =
  (change: (reply: RelayedReply) => Partial<RelayedReply>): Spoil =>
  (reply, _response, pass) =>
    pass({ ...reply, ...change(reply) })

/** Creates new instances each time, because some of them are stateful. */
const SPOILS: Readonly<Record<string, () => Spoil>> = {
  'a page with 200': () => page(200),
  'a page with 502': () => page(502),
  'a page with 404': () => page(404),
  'an empty 200': () => body(''),
  'a 204': () => (_reply, response) => void response.writeHead(204).end(),
  'an empty object': () => body('{}'),
  'a list': () => body('[]'),
  null: () => body('null'),
  'a message with 200': () => body('{"message":"quota exceeded"}'),
  'no list of features': () => body('{"version":2,"features":null}'),
  'an error of the database': () => body('{"error":"x","features":{}}'),
  '304 to everything': () => (_reply, response) => void response.writeHead(304).end(),
  'gzip that is none': () => body('this is no gzip', { ...JSON_TYPE, 'content-encoding': 'gzip' }),
  'gzip that is cut off': () => (reply, response) => {
    const packed = gzipSync(reply.body)
    response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end(packed.subarray(0, packed.length - 9))
  },
  'a document that is cut off': () =>
    changedBody(({ body: whole }) => ({ body: whole.subarray(0, whole.length - 20) })),
  'a connection that is cut off': () => (reply, response) => {
    response.writeHead(200, { ...JSON_TYPE, 'content-length': String(reply.body.length + 100) })
    response.write(reply.body.subarray(0, 30), () => response.destroy())
  },
  'a connection that is reset': () => (_reply, response) => void response.destroy(),
  'a reply that never comes': () => () => {},
  'a body that never ends': () => (reply, response) => void response.writeHead(200, JSON_TYPE).write(reply.body),
  'the same reply again and again': () => {
    let first: RelayedReply | undefined
    return (reply, _response, pass) => {
      if (reply.status === 200) first ??= reply
      pass(first ?? reply)
    }
  },
  'a stream in the place of the document': () => body('data: x\n\n', { 'content-type': 'text/event-stream' }),
  'a redirect to another host': () => (_reply, response) =>
    void response.writeHead(302, { location: 'http://192.0.2.1/login' }).end(),
  'a redirect to itself': () => (_reply, response) =>
    void response.writeHead(302, { location: '/api/client/features' }).end(),
}

/** Replies that could be mistaken for flags, or for a valid empty configuration. */
const AT_START = [
  'a page with 200',
  'an empty 200',
  'an empty object',
  'a list',
  'no list of features',
  '304 to everything',
  'a document that is cut off',
  'gzip that is cut off',
]

describe.concurrent('flags survive', () => {
  test.each(Object.entries(SPOILS))(
    'behind %s',
    async (_kind, spoil) => {
      const network = await Network.open()
      try {
        await network.addEdge(network.relay.url, { FLAG_STREAMING: 'off' })
        await network.addEdge(network.relay.url)
        await network.addProxy()
        const before = await addFreshFlag()
        await network.shows('always', before)
        network.relay.spoil(DOWNLOADS, spoil())
        const asked = network.relay.asked.length
        const during = await addFreshFlag()
        const wrong: string[] = []
        await until(async () => {
          wrong.push(...(await network.lacking('always', before)))
          return network.relay.asked.length >= asked + 6
        }, 30_000)
        network.relay.spoil(DOWNLOADS, undefined)
        await network.shows('always', before, during)
        expect(wrong).toEqual([])
      } finally {
        await network.close()
      }
    },
    90_000,
  )

  test.each(AT_START.map((kind) => [kind, SPOILS[kind] as () => Spoil] as const))(
    'a start without any makes none up behind %s',
    async (_kind, spoil) => {
      const network = await Network.open()
      try {
        network.relay.spoil(DOWNLOADS, spoil())
        await network.addEdge(network.relay.url, {}, false)
        await network.addProxy(false)
        const statuses = new Set<number>()
        await until(async () => {
          for (const status of await network.statuses()) statuses.add(status)
          return network.relay.asked.length >= 6
        }, 30_000)
        expect([...statuses]).toEqual([503])
        network.relay.spoil(DOWNLOADS, undefined)
        await network.shows('always')
      } finally {
        await network.close()
      }
    },
    90_000,
  )
})

describe('a question about a token that the edge does not know', () => {
  const KINDS: readonly (readonly [string, Spoil, number])[] = [
    ['a page with 200', page(200), 503],
    ['500', page(500), 503],
    ['502', page(502), 503],
    ['an empty 200', body(''), 503],
    ['no list of tokens', body('{}'), 503],
    ['a body that is cut off', changedBody(({ body: whole }) => ({ body: whole.subarray(0, 5) })), 503],
    ['nothing', (_reply, response) => void response.destroy(), 503],
    ['401', page(401), 503],
    ['429', page(429), 429],
  ]
  test.each(KINDS)('answered with %s: the SDK may try again, known tokens go on', async (_name, spoil, status) => {
    const network = await Network.open()
    try {
      const edge = await network.addEdge(network.relay.url)
      await network.shows('always')
      network.relay.spoil(/validate/, spoil)
      const unknown = await ask(edge.url, 'GET /api/frontend', { token: '*:development.nobody-knows' })
      expect([unknown.status, unknown.headers.get('retry-after')]).toEqual([status, '5'])
      expect(await network.lacking('always')).toEqual([])
    } finally {
      await network.close()
    }
  })
})

describe('an upstream that is another one', () => {
  test('its flags are taken, and those of the first one when it is back', async () => {
    const other = await startServer()
    const network = await Network.open()
    try {
      const { url } = await other.server.listen()
      await addFlag(other, 'of-the-other')
      await network.addEdge(network.relay.url, { FLAG_STREAMING: 'off' })
      await network.addEdge(network.relay.url)
      await network.addProxy()
      await network.shows('always')
      for (let round = 0; round < 2; round += 1) {
        network.relay.lead(url)
        await network.shows('of-the-other')
        network.relay.lead(serverUrl)
        await network.shows('always')
      }
      expect(new Set(await network.statuses())).toEqual(new Set([200]))
    } finally {
      await network.close()
      await other.close()
    }
  }, 90_000)
})

describe('a chain of three edges', () => {
  test.each([
    ['between the first and the second', 1],
    ['between the server and the first', 0],
  ])(
    'follows changes, and keeps its flags while the network is cut %s',
    async (_name, where) => {
      const network = await Network.open()
      try {
        const first = await network.addEdge(where === 0 ? network.relay.url : serverUrl)
        if (where === 1) network.relay.lead(first.url)
        const second = await network.addEdge(where === 1 ? network.relay.url : first.url)
        await network.addEdge(second.url)
        const flags = ['always', await addFreshFlag()]
        await network.shows(...flags)
        const wrong: string[] = []
        for (const spoil of [page(502), page(200), SPOILS['304 to everything']?.() ?? page(200)]) {
          network.relay.spoil(/./, spoil)
          const asked = network.relay.asked.length
          flags.push(await addFreshFlag())
          await until(async () => {
            wrong.push(...(await network.lacking(...flags.slice(0, -1))))
            return network.relay.asked.length >= asked + 2
          }, 30_000)
          network.relay.spoil(/./, undefined)
          await network.shows(...flags)
        }
        expect(wrong).toEqual([])
      } finally {
        await network.close()
      }
    },
    120_000,
  )
})

describe('a clock that jumps', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  test.each([
    ['back by a day', -86_400_000],
    ['forward by a day', 86_400_000],
  ])(
    '%s stops no work',
    async (_name, jumpMs) => {
      // nodes read the clock source when they start
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
      const network = await Network.open()
      try {
        const edge = await network.addEdge(network.relay.url, { METRICS_INTERVAL_SECONDS: '1' })
        await network.addProxy()
        await network.shows('always')
        // one token validation and one report fail because of this
        network.relay.spoil(/validate|metrics/, page(502))
        const undecided = await ask(edge.url, 'GET /api/frontend', { token: '*:development.nobody-knows' })
        const report = {
          appName: 'app',
          bucket: { start: new Date(), stop: new Date(), toggles: { always: { yes: 1 } } },
        }
        const taken = await ask(edge.url, 'POST /api/client/metrics', { token: TOKENS.client, body: report })
        await until(() => network.relay.asked.some((path) => path.includes('metrics/bulk')))
        expect([undecided.status, taken.status]).toEqual([503, 202])
        vi.setSystemTime(Date.now() + jumpMs)
        network.relay.spoil(/./, undefined)
        const asked = network.relay.asked.length
        const wrong = await network.lacking('always')
        await network.shows('always', await addFreshFlag())
        await until(
          async () => (await ask(edge.url, 'GET /api/frontend', { token: '*:development.nobody' })).status === 403,
        )
        await until(() => network.relay.asked.slice(asked).some((path) => path.includes('metrics/bulk')))
        expect(wrong).toEqual([])
      } finally {
        await network.close()
      }
    },
    90_000,
  )
})
