import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { FLAG, type Seen } from '../../e2e/web-pages/setup.ts'
import { type PageName, startSite, type WebSite } from '../../e2e/web-site.ts'
import { withBrowser } from '../../support/browser-hooks.ts'
import { temporaryFolder } from '../../support/burgee.ts'
import { until } from '../../support/wait.ts'
import { type EdgeNode, edgeNode, ended, runEdge } from './edge-node.ts'
import {
  fillUpstream,
  START_TOKENS,
  startUpstreamServer,
  type TokenName,
  type UpstreamServer,
} from './upstream-server.ts'

/** Official SDKs on pages of another origin, in a real browser, against an edge. */
const folder = temporaryFolder()
let server: UpstreamServer
let tokens: Readonly<Record<TokenName, string>>
let edge: EdgeNode
let browser: Browser
let site: WebSite
let context: BrowserContext
let page: Page

withBrowser(
  () => startSite(['plain', 'react', 'openfeature']),
  (...started) => {
    ;[browser, site] = started
  },
)
beforeAll(async () => {
  server = await startUpstreamServer(folder.path)
  tokens = await fillUpstream(server)
  const strategy = { name: 'flexibleRollout', parameters: { rollout: '100', stickiness: 'default' } }
  const variants = [{ name: 'blue', weight: 1000, weightType: 'variable', stickiness: 'default' }]
  await server.make('shop', FLAG, { ...strategy, variants })
  edge = await edgeNode(runEdge({ UPSTREAM_URL: server.url, TOKENS: START_TOKENS.development }))
  await edge.ready()
})
afterAll(async () => {
  await ended(edge.process)
  await ended(server.process)
  folder.remove()
})
beforeEach(async () => {
  context = await browser.newContext()
  page = await context.newPage()
  await server.turn('shop', FLAG, 'development', 'on')
})
afterEach(() => context.close())

const shows = (text: string) => until(async () => (await page.textContent('#root')) === text)
const seen = (): Promise<Seen> => page.evaluate(() => window.seen)

test.each<[PageName, string, boolean]>([
  ['plain', '/api/frontend', false],
  ['plain', '/api/proxy', true],
  ['react', '/api/frontend', true],
])(
  '%s at %s, by POST %s: shows a variant, receives 304, and sees the flag disappear',
  async (name, path, usePOSTrequests) => {
    const common = { appName: 'page', refreshInterval: 0.1, context: { userId: '7' }, usePOSTrequests }
    await page.goto(site.page(name, { ...common, url: `${edge.base}${path}`, clientKey: tokens.shopWeb }))
    await shows('on blue')
    if (!usePOSTrequests) await until(async () => (await seen()).answers.some(({ status }) => status === 304))
    await server.turn('shop', FLAG, 'development', 'off')
    await shows('off')
    expect((await seen()).answers.every(({ status }) => status === 200 || status === 304)).toBe(true)
  },
)

test("OpenFeature's web SDK receives a change by a stream, without requests in between", async () => {
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/ofrep/')) asked.push(request.url())
  })
  await page.goto(site.page('openfeature', { baseUrl: edge.base, key: tokens.shopWeb, context: { targetingKey: '7' } }))
  await shows('on')
  await until(() => asked.some((url) => url.includes('/stream')))
  await server.turn('shop', FLAG, 'development', 'off')
  await shows('off')
  await server.turn('shop', FLAG, 'development', 'on')
  await shows('on')
})
