import type { ProxyConfig } from '@burgee/proxy/options'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { withBrowser } from '../support/browser-hooks.ts'
import { KEY } from '../support/proxy.ts'
import { type FakeUpstream, startUpstream } from '../support/upstream.ts'
import { until } from '../support/wait.ts'
import { FLAG, type Seen } from './web-pages/setup.ts'
import { DOCUMENTED, type PageName, startSite, startWatchedProxy, type WatchedProxy, type WebSite } from './web-site.ts'

/** The official web SDKs in a real browser, on a page of another origin. */
const document = (enabled: boolean) => ({
  version: 2,
  features: [
    {
      name: FLAG,
      enabled,
      impressionData: true,
      strategies: [{ name: 'userWithId', parameters: { userIds: '7' } }],
      variants: [{ name: 'blue', weight: 1000 }],
    },
  ],
})

const FOR_42 = { name: 'userWithId', parameters: { userIds: '42' } }

let browser: Browser
let site: WebSite
let upstream: FakeUpstream
let context: BrowserContext
let page: Page
let proxy: WatchedProxy

withBrowser(startSite, (...started) => {
  ;[browser, site] = started
})
beforeEach(async () => {
  upstream = await startUpstream(document(true))
  context = await browser.newContext()
  page = await context.newPage()
})
afterEach(async () => {
  await context.close()
  await proxy.close()
  await upstream.close()
})

interface SdkConfig {
  readonly usePOSTrequests?: boolean
  readonly headerName?: string
  readonly clientKey?: string
  readonly credentials?: 'include'
}
const open = async (name: PageName, sdk: SdkConfig = {}, config: ProxyConfig = {}, options = {}): Promise<void> => {
  proxy = await startWatchedProxy({ flagUrl: upstream.url, metricsInterval: 50, ...config }, options)
  const common = { url: proxy.url, clientKey: KEY, appName: 'page', refreshInterval: 0.05, context: { userId: '7' } }
  await page.goto(site.page(name, { ...common, metricsIntervalInitial: 0.1, metricsInterval: 0.1, ...sdk }))
}
const shows = (text: string) => until(async () => (await page.textContent('#root')) === text)
const seen = (): Promise<Seen> => page.evaluate(() => window.seen)
const isAnswered = (status: number | 'blocked') =>
  until(async () => (await seen()).answers.find((answer) => answer.status === status))
const asked = (method: string) =>
  proxy.exchanges.filter((one) => one.method === method && /^\/proxy(\?|$)/.test(one.path))
const delivered = () =>
  upstream.seen
    .filter(({ url }) => url.endsWith('/client/metrics'))
    .map(({ body }) => JSON.parse(body).bucket.toggles[FLAG])

describe.each<{ name: PageName; usePOSTrequests: boolean }>([
  { name: 'plain', usePOSTrequests: false },
  { name: 'plain', usePOSTrequests: true },
  { name: 'react', usePOSTrequests: false },
  { name: 'react', usePOSTrequests: true },
  { name: 'vue', usePOSTrequests: false },
  { name: 'vue', usePOSTrequests: true },
])('$name SDK, POST: $usePOSTrequests', ({ name, usePOSTrequests }) => {
  test('shows flag and variant, sees a flip and back, sends its metrics', async () => {
    await open(name, { usePOSTrequests })
    await shows('on blue')
    upstream.serve(document(false))
    await shows('off')
    upstream.serve(document(true))
    await shows('on blue')
    await until(() => delivered().some((counts) => counts?.yes > 0 && counts.variants.blue > 0))

    const [preflight] = asked('OPTIONS')
    expect(preflight).toMatchObject({
      status: 204,
      headers: { origin: site.origin, 'access-control-request-method': usePOSTrequests ? 'POST' : 'GET' },
    })
    expect(preflight?.headers['access-control-request-headers']?.split(',')).toContain('authorization')
    expect(asked(usePOSTrequests ? 'GET' : 'POST')).toEqual([])
    expect((await seen()).answers.map(({ status }) => status)).not.toContain('blocked')
  })
})

test.each(DOCUMENTED)('%s: the code in docs/sdks shows the flag', async (name) => {
  const [feature] = document(true).features
  upstream.serve({ ...document(true), features: [{ ...feature, name: 'new-checkout', strategies: [FOR_42] }] })
  proxy = await startWatchedProxy({ flagUrl: upstream.url })
  await page.goto(site.documented(name, { url: proxy.url, key: KEY }))
  await until(async () => (await page.textContent('#root'))?.startsWith('The new one'))
  const contexts = asked('GET').map(({ path }) => new URLSearchParams(path.split('?')[1]).get('userId'))
  expect(contexts).toContain('42')
})

test('the page reads the ETag, and the same question gets 304', async () => {
  await open('plain')
  await isAnswered(304)
  const [first] = (await seen()).answers
  expect(first).toMatchObject({ status: 200, etag: expect.stringMatching(/^W\/".+"$/) })
  const conditional = asked('GET').filter(({ status }) => status === 304)
  expect(conditional[0]?.headers['if-none-match']).toBe(first?.etag)
  const preflights = asked('OPTIONS').map(({ headers }) => headers['access-control-request-headers'])
  expect(preflights.some((names) => names?.includes('if-none-match'))).toBe(true)
})

test('the page cannot read the ETag if it is not among the exposed headers', async () => {
  await open('plain', {}, { cors: { exposedHeaders: 'X-Other' } })
  await until(async () => (await seen()).answers.length > 1)
  // 202 is the status of replies to metrics reports
  const isPlain = ({ status, etag }: { status: unknown; etag: unknown }) =>
    (status === 200 || status === 202) && etag === null
  expect((await seen()).answers.filter((answer) => !isPlain(answer))).toEqual([])
})

test('impression events reach the page', async () => {
  await open('plain')
  const [event] = await until(async () => {
    const { impressions } = await seen()
    return impressions.length > 0 ? impressions : undefined
  })
  expect(event).toMatchObject({ featureName: FLAG, enabled: true, context: { userId: '7' } })
})

describe('the browser lets the page have the answer', () => {
  const other = 'http://other.example'
  test.each<{ name: string; cors: NonNullable<ProxyConfig['cors']>; sdk?: SdkConfig; status: number | 'blocked' }>([
    { name: 'any origin', cors: { origin: '*' }, status: 200 },
    { name: 'its origin', cors: { origin: 'ITSELF' }, status: 200 },
    { name: 'its origin in a list', cors: { origin: `${other},ITSELF` }, status: 200 },
    { name: 'another origin', cors: { origin: other }, status: 'blocked' },
    { name: 'other origins', cors: { origin: `${other},http://third.example` }, status: 'blocked' },
    { name: 'not the headers it sends', cors: { allowedHeaders: 'x-nothing' }, status: 'blocked' },
    { name: '401 for a wrong key', cors: {}, sdk: { clientKey: 'wrong' }, status: 401 },
    {
      name: 'credentials',
      cors: { origin: 'ITSELF', credentials: true },
      sdk: { credentials: 'include' },
      status: 200,
    },
    { name: 'credentials not allowed', cors: { origin: 'ITSELF' }, sdk: { credentials: 'include' }, status: 'blocked' },
    {
      name: 'credentials with any origin, which browsers refuse',
      cors: { credentials: true },
      sdk: { credentials: 'include' },
      status: 'blocked',
    },
  ])('$name → $status', async ({ cors, sdk = {}, status }) => {
    const origin = typeof cors.origin === 'string' ? cors.origin.replace('ITSELF', site.origin) : '*'
    await open('plain', sdk, { cors: { ...cors, origin } })
    await isAnswered(status)
    expect((await seen()).answers[0]?.status).toBe(status)
    expect(asked('OPTIONS').length).toBeGreaterThan(0)
    expect(asked('GET').length > 0).toBe(status !== 'blocked')
    if (status === 200) await shows('on blue')
    else expect(await page.textContent('#root')).not.toContain('blue')
    if (status === 401) expect((await seen()).errors).toContainEqual(expect.objectContaining({ code: 401 }))
  })

  test('503 while it is not ready, and the flags later', async () => {
    upstream.answerWith((_request, response) => void response.writeHead(503).end())
    await open('plain', {}, {}, { ready: false })
    await isAnswered(503)
    upstream.answerWith(undefined)
    await shows('on blue')
  })

  test('flags for a key in another header', async () => {
    await open('plain', { headerName: 'x-flag-key' }, { clientKeysHeaderName: 'X-Flag-Key' })
    await shows('on blue')
    const asking = asked('OPTIONS').map(({ headers }) => headers['access-control-request-headers'])
    expect(asking[0]?.split(',')).toContain('x-flag-key')
  })
})

test.each([
  [172_800, 1],
  [0, 3],
])('a preflight is cached for %d s: three requests need %d', async (maxAge, preflights) => {
  proxy = await startWatchedProxy({ flagUrl: upstream.url, cors: { maxAge } })
  await page.goto(site.origin)
  const statuses = await page.evaluate(
    async ({ url, key }) => {
      const ask = async () => (await fetch(url, { headers: { authorization: key } })).status
      return [await ask(), await ask(), await ask()]
    },
    { url: `${proxy.url}/client/features`, key: KEY },
  )
  expect(statuses).toEqual([401, 401, 401])
  expect(proxy.exchanges.filter(({ method }) => method === 'OPTIONS')).toHaveLength(preflights)
})
