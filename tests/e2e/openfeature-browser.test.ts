import type { Browser, BrowserContext, Page, Request } from 'playwright-core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startServer, TOKENS } from '../http/scenario.ts'
import { withBrowser } from '../support/browser-hooks.ts'
import { KEY, startProxy } from '../support/proxy.ts'
import { openRelay, type Relay } from '../support/relay.ts'
import { startUpstream } from '../support/upstream.ts'
import { until } from '../support/wait.ts'
import type { OpenFeatureConfig } from './web-pages/openfeature-setup.ts'
import { FLAG } from './web-pages/setup.ts'
import { type PageName, startOpenFeatureSite, type WebSite } from './web-site.ts'

/**
 * OpenFeature's official web and React SDKs with the official provider, in a real browser, on a page of another origin.
 */
interface Source {
  /** URL of a relay in front of the source. The relay can interrupt connections. */
  readonly url: string
  readonly relay: Relay
  readonly key: string
  /** Turns the displayed flag on or off. */
  set(enabled: boolean): Promise<void>
  /** Stops the source and starts it again at the same URL. */
  restart(): Promise<void>
  close(): Promise<void>
}

const variant = (name: string, type: string, value: string) => ({
  name,
  weight: 1000,
  weightType: 'variable',
  stickiness: 'default',
  payload: { type, value },
})
const everybody = (variants: object[] = []) => ({
  name: 'flexibleRollout',
  constraints: [],
  variants,
  parameters: { rollout: '100', stickiness: 'default', groupId: 'g' },
})
const forSeven = (variants: object[] = []) => ({
  ...everybody(variants),
  constraints: [{ contextName: 'userId', operator: 'IN', values: ['7'] }],
})
/** Strategies for the other flags, all of which are on. */
const STRATEGIES = {
  'for-seven': forSeven(),
  paid: { ...everybody(), constraints: [{ contextName: 'plan', operator: 'IN', values: ['paid'] }] },
  text: everybody([variant('hello', 'string', 'Hello')]),
  number: everybody([variant('pi', 'number', '3.14')]),
  object: forSeven([variant('one', 'json', '{"a":1}')]),
}

async function fromServer(more: object = {}): Promise<Source> {
  const server = await startServer(more)
  const flags = '/api/admin/projects/default/features'
  const of = (name: string) => `${flags}/${name}/environments/development`
  await server.admin(`POST ${flags}`, { name: FLAG })
  for (const [name, strategy] of Object.entries(STRATEGIES)) {
    await server.admin(`POST ${flags}`, { name })
    await server.admin(`POST ${of(name)}/strategies`, strategy)
    await server.admin(`POST ${of(name)}/on`)
  }
  const { port } = await server.server.listen()
  const relay = await openRelay({ host: '127.0.0.1', port })
  return {
    relay,
    url: `http://127.0.0.1:${relay.port}`,
    key: TOKENS.frontend,
    set: async (enabled) => {
      await server.admin(`POST ${of(FLAG)}/${enabled ? 'on' : 'off'}`)
    },
    restart: async () => {},
    close: async () => {
      await relay.close()
      await server.close()
    },
  }
}

async function fromProxy(more: object = {}): Promise<Source> {
  const documentOf = (enabled: boolean) => ({
    version: 2,
    features: [
      { name: FLAG, enabled, strategies: [], project: 'default', type: 'release' },
      ...Object.entries(STRATEGIES).map(([name, strategy]) => ({
        name,
        enabled: true,
        strategies: [strategy],
        project: 'default',
        type: 'release',
      })),
    ],
  })
  const upstream = await startUpstream(documentOf(false))
  const config = { flagUrl: upstream.url, refreshInterval: 20, environment: 'development', ...more }
  let proxy = await startProxy(config)
  const { port } = proxy
  const relay = await openRelay({ host: '127.0.0.1', port })
  return {
    relay,
    url: `http://127.0.0.1:${relay.port}`,
    key: KEY,
    set: async (enabled) => upstream.serve(documentOf(enabled)),
    restart: async () => {
      await proxy.close()
      proxy = await startProxy({ ...config, port })
    },
    close: async () => {
      await relay.close()
      await proxy.close()
      await upstream.close()
    },
  }
}

let browser: Browser
let site: WebSite
let context: BrowserContext
let page: Page
let source: Source
let asked: Request[]
/** Number of streams opened. */
let listening: number
/** Number of times that the list of flags was returned. */
let answered: number

withBrowser(startOpenFeatureSite, (...started) => {
  ;[browser, site] = started
})
beforeEach(async () => {
  asked = []
  listening = 0
  answered = 0
  context = await browser.newContext()
  page = await context.newPage()
  page.on('request', (request) => {
    if (request.url().includes('/ofrep/')) asked.push(request)
  })
  page.on('response', (response) => {
    if (response.url().includes('/stream') && response.status() === 200) listening += 1
    else if (response.request().method() === 'POST') answered += 1
  })
})
afterEach(async () => {
  await context.close()
  await source.close()
})

const open = (more: Partial<OpenFeatureConfig> = {}, name: PageName = 'openfeature') => {
  const common = { baseUrl: source.url, key: source.key, context: { targetingKey: '7' } }
  return page.goto(site.page(name, { ...common, ...more }))
}
/** Waits until the stream is open and the flags have been requested once more after it opened. */
const settled = () => until(() => listening > 0 && answered > 1)
const shows = (text: string) => until(async () => (await page.textContent('#root')) === text)
const details = (key: string, fallback: unknown) =>
  page.evaluate(([name, value]) => window.details(name as string, value), [key, fallback])
const heard = () => page.evaluate(() => window.heard)
const lists = () => asked.filter((request) => request.method() === 'POST')
const streams = () => asked.filter((request) => request.url().includes('/stream'))

describe.each([
  { of: 'server', start: fromServer },
  { of: 'proxy', start: fromProxy },
])('the $of', ({ of, start }) => {
  test('values, variants, metadata and reasons; those of another context, whatever tag comes with it', async () => {
    source = await start()
    await open()
    await shows('off')
    const metadata = { enabled: true, project: 'default', type: 'release', stale: false, impressionData: false }
    expect(await details('for-seven', false)).toMatchObject({
      value: true,
      reason: 'TARGETING_MATCH',
      flagMetadata: metadata,
    })
    expect(await details('text', 'x')).toMatchObject({ value: 'Hello', variant: 'hello' })
    expect(await details('number', 0)).toMatchObject({ value: 3.14, variant: 'pi' })
    expect(await details('object', {})).toMatchObject({ value: { a: 1 }, flagMetadata: { payloadType: 'json' } })
    expect(await details('object', 'x')).toMatchObject({ value: 'x', errorCode: 'TYPE_MISMATCH' })
    expect(await details('nope', true)).toMatchObject({
      value: true,
      errorCode: 'FLAG_NOT_FOUND',
      flagMetadata: { environment: 'development' },
    })
    expect(await details('paid', false)).toMatchObject({ value: false })
    await page.evaluate(() => window.setContext({ targetingKey: '7', plan: 'paid' }))
    // the provider may report completion too early
    await until(async () => ((await details('paid', false)) as { value: boolean }).value)
    await page.evaluate(() => window.setContext({ targetingKey: '8' }))
    await until(async () => !((await details('for-seven', true)) as { value: boolean }).value)
    const none = await details('object', { d: 1 })
    expect(none).toMatchObject({ value: { d: 1 }, reason: 'TARGETING_MATCH' })
    expect(none).not.toHaveProperty('errorCode', 'TYPE_MISMATCH')
  })

  test('the same list again is 304', async () => {
    source = await start()
    const unchanged: Request[] = []
    page.on('response', (response) => {
      if (response.status() === 304) unchanged.push(response.request())
    })
    await open()
    await shows('off')
    await page.evaluate(() => window.setContext({ targetingKey: '7', unread: 'x' }))
    await until(() => unchanged.some((request) => request.postData()?.includes('unread')))
    expect(await unchanged[0]?.headerValue('if-none-match')).toMatch(/^W\/".+"$/)
  })

  test('a flip reaches the page without another request; the stream is opened without credentials', async () => {
    source = await start()
    await open()
    await shows('off')
    await settled()
    await source.set(true)
    await shows('on')
    await source.set(false)
    await shows('off')
    const headers = await streams()[0]?.allHeaders()
    expect(headers).not.toHaveProperty('authorization')
    expect(streams()[0]?.url()).not.toContain(source.key)
    expect(await heard()).toContain('PROVIDER_CONFIGURATION_CHANGED')
    const before = lists().length
    for (const enabled of [true, false, true, false, true]) await source.set(enabled)
    await shows('on')
    expect(lists().length - before).toBeLessThanOrEqual(5)
  })

  test('a flip while the stream is cut is seen when it is back, though the provider does not ask by itself', async () => {
    source = await start()
    await open()
    await shows('off')
    await settled()
    source.relay.become('refused')
    await source.set(true)
    source.relay.become('through')
    await shows('on')
  })

  test('a hidden page closes its stream, and is current when it is shown again', async () => {
    source = await start()
    await open({ inactivityDelaySec: 1 })
    await shows('off')
    await until(() => listening > 0)
    const see = (state: string) =>
      page.evaluate((next) => {
        Object.defineProperty(document, 'visibilityState', { value: next, configurable: true })
        Object.defineProperty(document, 'hidden', { value: next === 'hidden', configurable: true })
        document.dispatchEvent(new Event('visibilitychange'))
      }, state)
    const ended = page.waitForEvent('requestfailed', (request) => request.url().includes('/stream'))
    await see('hidden')
    await ended
    await source.set(true)
    await see('visible')
    await shows('on')
  })

  test('an address from the page’s own store is good after the page was closed', async () => {
    source = await start()
    await open()
    await until(() => listening > 0)
    const first = streams()[0]?.url()
    await page.reload()
    await until(() => listening > 1)
    expect(streams()[1]?.url()).toBe(first)
    await source.set(true)
    await shows('on')
  })

  test('a page fetches once if no streams are served', async () => {
    source = await start({ maxStreams: 0 })
    await open()
    await shows('off')
    await new Promise((resolve) => setTimeout(resolve, 1500))
    expect([lists().length, streams().length]).toEqual([1, 0])
  })

  test('a wrong key is fatal', async () => {
    source = await start()
    await open({ key: of === 'server' ? 'default:development.wrong' : 'wrong' })
    await until(async () => (await heard()).includes('PROVIDER_ERROR'))
    expect(await details(FLAG, true)).toMatchObject({ value: true, errorCode: 'PROVIDER_FATAL' })
  })

  test('a React component re-renders when the flag is flipped', async () => {
    source = await start()
    await open({}, 'openfeature-react')
    await shows('off')
    await settled()
    await source.set(true)
    await shows('on')
  })
})

test('pages come back after a restart, each with a question at most', async () => {
  source = await fromProxy()
  await open()
  await shows('off')
  await until(() => listening > 0)
  const before = lists().length
  await source.restart()
  await until(() => listening > 1)
  await source.set(true)
  await shows('on')
  expect(lists().length - before).toBeLessThanOrEqual(2)
})
