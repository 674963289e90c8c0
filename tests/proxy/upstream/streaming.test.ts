import type { ServerResponse } from 'node:http'
import type { ProxyConfig } from '@burgee/proxy/options'
import { getTagEpoch } from '@burgee/serving/document/revision-tag'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startServer, type TestServer, TOKENS } from '../../http/scenario.ts'
import { KEY, startProxy, type TestProxy } from '../../support/proxy.ts'
import { type FakeUpstream, startUpstream } from '../../support/upstream.ts'
import { until } from '../../support/wait.ts'

const FLAGS = '/api/admin/projects/default/features'
/** Polling interval that is too long to affect these tests. */
const SELDOM_MS = 3_600_000
const proxies: TestProxy[] = []
afterEach(async () => {
  for (const proxy of proxies.splice(0)) await proxy.close()
})

async function proxyOf(config: ProxyConfig): Promise<TestProxy> {
  const proxy = await startProxy({ streaming: 'auto', refreshInterval: SELDOM_MS, ...config })
  proxies.push(proxy)
  return proxy
}
/** Returns the names of the flags that are on for a front end. */
async function on({ url }: TestProxy): Promise<string[]> {
  const reply = await fetch(`${url}/proxy`, { headers: { authorization: KEY } })
  const { toggles } = (await reply.json()) as { toggles: { name: string }[] }
  return toggles.map(({ name }) => name).sort()
}

describe('streaming from a server', () => {
  let server: TestServer
  let url: string
  const streams = async (): Promise<number> => {
    const text = await (await server.call({ call: 'GET /internal-backstage/prometheus' })).body
    return Number(/^burgee_streams\{kind="sdk"\} (\d+)/m.exec(text)?.[1] ?? 0)
  }
  const turn = (name: string, to: 'on' | 'off') => server.admin(`POST ${FLAGS}/${name}/environments/development/${to}`)
  beforeAll(async () => {
    server = await startServer()
    url = `${(await server.server.listen()).url}/api`
    for (const name of ['a.one', 'a.two', 'b.one']) {
      await server.admin(`POST ${FLAGS}`, { name })
      await server.admin(`POST ${FLAGS}/${name}/environments/development/strategies`, { name: 'default' })
    }
  })
  afterEach(async () => {
    for (const name of ['a.one', 'a.two', 'b.one']) await turn(name, 'off')
  })
  afterAll(() => server.close())

  test('serves a change without a poll', async () => {
    const proxy = await proxyOf({ flagUrl: url, flagApiToken: TOKENS.client })
    await until(async () => (await streams()) === 1)
    await turn('a.one', 'on')
    await until(async () => (await on(proxy)).join() === 'a.one')
    await turn('b.one', 'on')
    await turn('a.one', 'off')
    await until(async () => (await on(proxy)).join() === 'b.one')
    const series = await fetch(`${proxy.url}/proxy/internal-backstage/prometheus`)
    expect(await series.text()).toMatch(/^burgee_proxy_following 1$/m)
  })

  test('a prefix applies to streamed flags, too', async () => {
    const proxy = await proxyOf({ flagUrl: url, flagApiToken: TOKENS.client, namePrefix: 'a.' })
    await until(async () => (await streams()) === 1)
    await turn('b.one', 'on')
    await turn('a.two', 'on')
    await until(async () => (await on(proxy)).join() === 'a.two')
  })

  test.each<[string, ProxyConfig]>([
    ['it is configured to', { streaming: 'off' }],
    ['it filters by tags, which a stream does not contain', { tags: [{ type: 'simple', value: 'x' }] }],
  ])('it polls where %s', async (_name, config) => {
    const before = await streams()
    const proxy = await proxyOf({ flagUrl: url, flagApiToken: TOKENS.client, refreshInterval: 20, ...config })
    await turn('a.one', 'on')
    if (config.tags === undefined) await until(async () => (await on(proxy)).join() === 'a.one')
    expect(await streams()).toBe(before)
  })

  test('a token that is revoked ends its stream, and what was good stays', async () => {
    const { secret } = await server.admin('POST /api/admin/api-tokens', {
      tokenName: 'gone',
      type: 'client',
      environment: 'development',
      project: '*',
    })
    await turn('a.one', 'on')
    const proxy = await proxyOf({ flagUrl: url, flagApiToken: secret })
    await until(async () => (await streams()) === 1)
    await server.admin(`DELETE /api/admin/api-tokens/${secret}`)
    await until(async () => (await streams()) === 0)
    await turn('a.two', 'on')
    expect(await on(proxy)).toEqual(['a.one'])
  })
})

describe('streaming from an arbitrary upstream', () => {
  let upstream: FakeUpstream
  /** Open streams, and the handler for further requests of streams. */
  let open: ServerResponse[]
  let answer: (response: ServerResponse) => void
  let answersPolls: boolean
  /** Epoch of the upstream's database; empty for an upstream without epochs. */
  let epoch: string
  const flag = (name: string, more: object = {}) => ({
    name,
    enabled: true,
    strategies: [{ name: 'default' }],
    ...more,
  })
  const hydration = (eventId: number, ...names: string[]) => {
    return { type: 'hydration', eventId, features: names.map((name) => flag(name)), segments: [] }
  }
  const send = (event: string, data: unknown, response = open.at(-1)) =>
    void response?.write(
      `id: 1:${epoch}\nevent: ${event}\ndata: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`,
    )
  const begin = (eventId: number, ...names: string[]) =>
    void send('unleash-connected', { events: [hydration(eventId, ...names)] })
  const update = (eventId: number, ...names: string[]) =>
    send('unleash-updated', {
      events: names.map((name) => ({ type: 'feature-updated', eventId, feature: flag(name) })),
    })
  const asked = (path: string) => upstream.seen.filter((seen) => seen.url.includes(path)).length
  const asStream = (response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    open.push(response)
  }

  beforeAll(async () => {
    upstream = await startUpstream()
  })
  afterAll(() => upstream.close())
  const start = async (etag = '"q:10"', polled: () => object[] = () => [flag('polled')], config: ProxyConfig = {}) => {
    open = []
    answer = asStream
    answersPolls = true
    epoch = getTagEpoch(etag)
    upstream.seen.length = 0
    upstream.answerWith(({ url, method }, response) => {
      if (method === 'POST') response.writeHead(202).end()
      else if (url.endsWith('/client/streaming')) answer(response)
      else if (!answersPolls) response.writeHead(503).end()
      else response.writeHead(200, { etag }).end(JSON.stringify({ version: 2, features: polled() }))
    })
    const proxy = await proxyOf({ flagUrl: upstream.url, ...config })
    return proxy
  }
  const followed = async (...args: Parameters<typeof start>) => {
    const proxy = await start(...args)
    await until(() => open.length === 1)
    begin(11, 'first')
    await until(async () => (await on(proxy)).join() === 'first')
    return proxy
  }

  test('the stream is requested after the first poll, uncompressed, with the token', async () => {
    await followed()
    const [first, second] = upstream.seen.filter(({ method }) => method === 'GET')
    expect([first?.url, second?.url]).toEqual(['/api/client/features', '/api/client/streaming'])
    expect(second?.headers).toMatchObject({
      accept: 'text/event-stream',
      'accept-encoding': 'identity',
      authorization: 'upstream-token',
    })
  })

  test.each<[string, (proxy: TestProxy) => void]>([
    ['no JSON', () => send('unleash-updated', '{"events":[')],
    ['a flag without a name', () => send('unleash-updated', { events: [{ type: 'feature-updated', feature: {} }] })],
    ['neither a delta nor a configuration', () => send('unleash-updated', { other: 1 })],
    ['a clean end', () => void open.at(-1)?.end()],
    ['a reset', () => void open.at(-1)?.socket?.resetAndDestroy()],
  ])('%s: what is in use stays, and the next stream begins with everything', async (_name, fault) => {
    const proxy = await followed()
    fault(proxy)
    await until(() => open.length === 2)
    expect(await on(proxy)).toEqual(['first'])
    begin(12, 'second')
    await until(async () => (await on(proxy)).join() === 'second')
  })

  test('unknown events are ignored, and a bad flag stays as it was', async () => {
    const proxy = await followed()
    send('other', 'x')
    send('unleash-updated', { events: [{ type: 'of tomorrow', eventId: 12 }] })
    send('unleash-updated', { events: [{ type: 'feature-updated', feature: { name: 'first', strategies: 7 } }] })
    update(13, 'third')
    await until(async () => (await on(proxy)).join() === 'first,third')
    expect(open).toHaveLength(1)
  })

  test.each([404, 501, 410, 204, 401, 403, 429])(
    '%i: it polls as ever, and does not ask again soon',
    async (status) => {
      let polls = 0
      const count = () => [flag(`poll-${++polls > 3 ? 'late' : 'early'}`)]
      open = []
      const proxy = await (async () => {
        const starting = start('"q:10"', count, { refreshInterval: 10 })
        answer = (response) => void response.writeHead(status).end()
        return starting
      })()
      await until(async () => (await on(proxy)).join() === 'poll-late')
      expect(asked('/streaming')).toBe(1)
    },
  )

  test('a reply that is not a stream ends streaming', async () => {
    const starting = start('"q:10"', undefined, { refreshInterval: 10 })
    answer = (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    await starting
    await until(() => asked('/features') > 5)
    expect(asked('/streaming')).toBe(1)
  })

  test('`fetch-mode: polling` is heeded', async () => {
    const proxy = await followed('"q:10"', undefined, { refreshInterval: 10 })
    send('fetch-mode', 'polling')
    await until(async () => (await on(proxy)).join() === 'polled')
    expect(asked('/streaming')).toBe(1)
  })

  test('while it is followed the upstream is polled no more, and again once it has ended', async () => {
    const proxy = await followed('"q:10"', undefined, { refreshInterval: 10 })
    const status = async () => ((await (await fetch(`${proxy.url}/proxy/health`)).text()) || '').length
    let polls = 0
    // a poll may be in flight when the stream starts, so wait much longer than the polling interval
    await until(async () => {
      polls = asked('/features')
      for (let count = 0; count < 60; count += 1) await status()
      return asked('/features') === polls
    })
    answer = (response) => void response.writeHead(503).end()
    open.at(-1)?.end()
    await until(() => asked('/features') > polls + 3)
  })

  test('a poll that is older than the streamed state changes nothing', async () => {
    const proxy = await followed('"q:10:e.1"', () => [flag('polled')], { refreshInterval: 10 })
    answer = (response) => void response.writeHead(503).end()
    const polls = asked('/features')
    open.at(-1)?.end()
    await until(() => asked('/features') >= polls + 2)
    expect(await on(proxy)).toEqual(['first'])
  })

  test('a stream that is older than what is in use is not taken, unless nothing else comes', async () => {
    const proxy = await followed()
    const older = (response: ServerResponse) => {
      asStream(response)
      begin(5, 'older')
    }
    answer = older
    open.at(-1)?.end()
    await until(() => open.length >= 3)
    expect(await on(proxy)).toEqual(['first'])
    answersPolls = false
    await until(async () => {
      proxy.reloadSecrets()
      return (await on(proxy)).join() === 'older'
    })
  })
})
