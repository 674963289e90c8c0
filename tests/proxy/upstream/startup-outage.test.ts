import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import type { ProxyConfig } from '@burgee/proxy/options'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { temporaryFolder } from '../../support/burgee.ts'
import { keptLog } from '../../support/kept-log.ts'
import { KEY, startProxy, type TestProxy } from '../../support/proxy.ts'
import { type FakeUpstream, startUpstream } from '../../support/upstream.ts'
import { until } from '../../support/wait.ts'

/** Starts while the upstream is down: flags that are served, and log lines. */
const feature = (name: string) => ({ name, enabled: true, strategies: [] })
const folder = temporaryFolder()
afterAll(folder.remove)

let count = 0
let backupFolder: string
let upstream: FakeUpstream
const { logger, lines } = keptLog()
let closing: (() => Promise<unknown>)[]

beforeEach(async () => {
  count += 1
  backupFolder = join(folder.path, String(count))
  lines.length = 0
  closing = []
  upstream = await startUpstream({ version: 2, features: [feature('upstream')] })
})
afterEach(async () => {
  for (const close of closing) await close()
  await upstream.close()
})

const start = async (config: ProxyConfig, ready = true): Promise<TestProxy> => {
  const fast = { refreshInterval: 20, metricsInterval: 60_000 }
  const proxy = await startProxy({ flagUrl: upstream.url, logger, ...fast, ...config }, { ready })
  closing.push(proxy.close)
  return proxy
}
const down = () => upstream.answerWith((_request, response) => void response.writeHead(503).end())
const get = ({ url }: TestProxy, path: string) => fetch(`${url}/proxy${path}`, { headers: { authorization: KEY } })
const names = async (proxy: TestProxy): Promise<string[]> => {
  const { toggles } = (await (await get(proxy, '')).json()) as { toggles: { name: string }[] }
  return toggles.map(({ name }) => name)
}
const health = async (proxy: TestProxy) => (await get(proxy, '/health/ready')).json()
const series = async (proxy: TestProxy): Promise<Record<string, number>> => {
  const text = await (await get(proxy, '/internal-backstage/prometheus')).text()
  return Object.fromEntries([...text.matchAll(/^(\w+) (\S+)$/gm)].map(([, name, value]) => [name, Number(value)]))
}

describe('with the backup of the last run', () => {
  test('the restart serves it, is marked stale everywhere, and then is not', async () => {
    await (await start({ backupFolder })).close()
    down()
    const proxy = await start({ backupFolder })
    expect(await names(proxy)).toEqual(['upstream'])
    expect((await get(proxy, '/health')).status).toBe(200)
    await until(async () => (await health(proxy)).lastError !== null)
    expect(await health(proxy)).toMatchObject({
      status: 'ready',
      origin: 'backup',
      stale: true,
      features: 1,
      syncedAt: null,
      stateAgeMs: null,
      lastError: { message: expect.stringContaining('503') },
    })
    expect(await series(proxy)).toMatchObject({
      burgee_proxy_ready: 1,
      burgee_proxy_stale: 1,
      last_metrics_fetch_epoch_timestamp_ms: 0,
    })
    expect(lines).toContain('Serving 1 features from the backup until the upstream answers')

    upstream.answerWith(undefined)
    upstream.serve({ features: [feature('a'), feature('b')] })
    await until(async () => (await names(proxy)).includes('b'))
    expect(await health(proxy)).toMatchObject({ origin: 'upstream', stale: false, features: 2, lastError: null })
    expect(await series(proxy)).toMatchObject({
      burgee_proxy_ready: 1,
      burgee_proxy_stale: 0,
      burgee_proxy_features: 2,
    })
    await proxy.close()
    down()
    expect(await names(await start({ backupFolder }))).toEqual(['a', 'b'])
  })

  test('an upstream that has become empty is stored as empty, and then is no backup', async () => {
    const first = await start({ backupFolder })
    upstream.serve({ features: [] })
    await until(async () => (await names(first)).length === 0)
    await first.close()
    down()
    const again = await start({ backupFolder }, false)
    await until(async () => (await health(again)).upstreamFailures > 1)
    expect(again.isReady()).toBe(false)
  })

  test.each([
    ['cut off', (text: string) => text.slice(0, -3), /Cannot use the backup .*JSON/],
    ['empty', () => '', /Cannot use the backup .*JSON/],
    ['binary', () => '\0\x01\xff', /Cannot use the backup .*JSON/],
    ['of something else', () => '{"name":"package"}', /Cannot use the backup .*no list "features"/],
    ['a list', () => '[]', /Cannot use the backup .*not a JSON object/],
    ['of other features', () => '{"features":[{"id":1}]}', /Cannot use the backup .*without a name at features\[0\]/],
    ['of other segments', () => '{"features":[{"name":"a"}],"segments":7}', /Cannot use the backup .*not a list/],
  ])('one that is %s is not used, and named in the log', async (_name, spoil, says) => {
    await (await start({ backupFolder })).close()
    const path = join(backupFolder, readdirSync(backupFolder)[0] ?? '')
    writeFileSync(path, spoil('{"version":2,"features":[{"name":"a"}]}'))
    down()
    const proxy = await start({ backupFolder }, false)
    await until(() => lines.some((line) => says.test(line)))
    expect((await get(proxy, '')).status).toBe(503)
    expect(await health(proxy)).toMatchObject({ status: 'not ready', origin: null, stale: false })
    upstream.answerWith(undefined)
    await until(() => proxy.isReady())
    expect(await names(proxy)).toEqual(['upstream'])
  })

  test('a folder that cannot be used is logged once and is no hindrance', async () => {
    mkdirSync(dirname(backupFolder), { recursive: true })
    writeFileSync(backupFolder, 'a file')
    const proxy = await start({ backupFolder })
    upstream.serve({ features: [feature('second')] })
    await until(async () => (await names(proxy)).includes('second'))
    expect(lines.filter((line) => line.startsWith('Cannot write the backup'))).toHaveLength(1)
  })

  test('a broken feature of it is off, its neighbours are served', async () => {
    const broken = { name: 'broken', enabled: true, strategies: [{ name: 'default', constraints: 7 }] }
    const storageProvider = {
      get: async () => ({ features: [broken, feature('good')] }),
      set: async () => {},
    }
    down()
    expect(await names(await start({ storageProvider }))).toEqual(['good'])
  })
})

describe('bootstrap', () => {
  /** Starts a bootstrap server with the given handler. Returns its URL. */
  const place = async (answer: RequestListener): Promise<string> => {
    const server = createServer(answer)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    closing.push(async () => server.close())
    closing.push(async () => server.closeAllConnections())
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/features`
  }

  test('one that comes after the upstream is not used', async () => {
    let answerLate = () => {}
    const url = await place((_request, response) => {
      answerLate = () => response.end(JSON.stringify({ features: [feature('late')] }))
    })
    const proxy = await start({ expBootstrap: { url }, backupFolder })
    expect(await names(proxy)).toEqual(['upstream'])
    answerLate()
    const confirmed = () => upstream.seen.filter((request) => request.headers['if-none-match'] === '"1"').length
    const before = confirmed()
    await until(() => confirmed() > before + 3)
    expect(await names(proxy)).toEqual(['upstream'])
    expect(await health(proxy)).toMatchObject({ origin: 'upstream', stale: false, revision: 1 })
  })

  test('it wins over the backup, and is not stored as one', async () => {
    await (await start({ backupFolder })).close()
    down()
    const first = await start({ backupFolder, expBootstrap: { data: [feature('given')] } })
    await until(async () => (await names(first)).includes('given'))
    expect(await names(first)).toEqual(['given'])
    expect(await health(first)).toMatchObject({ origin: 'bootstrap', stale: true })
    await first.close()
    expect(await names(await start({ backupFolder }))).toEqual(['upstream'])
  })

  test.each<[string, (url: string) => NonNullable<ProxyConfig['expBootstrap']>, number]>([
    ['no features', () => ({ data: [] }), 200],
    ['no features, by address', (url) => ({ url: `${url}?empty` }), 200],
    ['an address that refuses', (url) => ({ url }), 401],
    ['a page', (url) => ({ url: `${url}?page` }), 200],
    ['no such file', () => ({ filePath: '/nowhere.json' }), 200],
  ])('%s does not make ready', async (_name, bootstrap, status) => {
    const url = await place((request, response) => {
      const body = request.url?.includes('page') ? '<html>' : '{"features":[]}'
      response.writeHead(status).end(body)
    })
    down()
    const proxy = await start({ expBootstrap: bootstrap(url) }, false)
    await until(async () => (await health(proxy)).upstreamFailures > 1)
    expect((await get(proxy, '/health')).status).toBe(503)
    expect(lines.some((line) => line.startsWith('Serving'))).toBe(false)
  })

  test('no authorization is sent unless configured; the upstream token is never sent', async () => {
    const seen: unknown[] = []
    const url = await place((request, response) => {
      seen.push(request.headers.authorization)
      response.end(JSON.stringify([feature('bare list')]))
    })
    down()
    expect(await names(await start({ expBootstrap: { url } }))).toEqual(['bare list'])
    expect(seen).toEqual([undefined])
  })
})

test('a start without backup and bootstrap answers 503 until the upstream answers', async () => {
  down()
  const proxy = await start({}, false)
  for (const path of ['', '/health', '/health/ready']) {
    expect([path, (await get(proxy, path)).status]).toEqual([path, 503])
  }
  expect((await get(proxy, '/health/live')).status).toBe(200)
  expect(await (await get(proxy, '/internal-backstage/prometheus')).text()).toContain('burgee_proxy_ready 0\n')
})
