import type { Browser, Page } from 'playwright-core'
import type { Unleash } from 'unleash-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../http/scenario.ts'
import { withBrowser } from '../support/browser-hooks.ts'
import { nodeSdk } from '../support/sdks.ts'
import { until } from '../support/wait.ts'
import { FLAG } from './web-pages/setup.ts'
import { startSite, type WebSite } from './web-site.ts'

/**
 * Three test runs at the same time at one server: a page with the official web SDK, a page with OpenFeature's web SDK,
 * and a service with the official Node SDK. Both pages run in a real browser.
 */
const RUNS = '/api/admin/projects/default/test-runs'
const FEATURES = '/api/admin/projects/default/features'
const environment = 'development'

interface Run {
  readonly id: string
  readonly clientToken: string
  readonly frontendToken: string
}

let browser: Browser
let site: WebSite
let server: TestServer
let url: string
let service: Unleash | undefined

withBrowser(
  () => startSite(['plain', 'openfeature']),
  (...started) => {
    ;[browser, site] = started
  },
)
beforeAll(async () => {
  server = await startServer()
  ;({ url } = await server.server.listen())
  await server.admin(`POST ${FEATURES}`, { name: FLAG })
  const variants = ['blue', 'red'].map((name, at) => ({
    name,
    weight: at === 0 ? 1000 : 0,
    weightType: at === 0 ? 'variable' : 'fix',
    stickiness: 'default',
  }))
  await server.admin(`POST ${FEATURES}/${FLAG}/environments/${environment}/strategies`, { name: 'default', variants })
})
afterAll(async () => {
  service?.destroy()
  await server.close()
})

const start = (overrides: object): Promise<Run> => server.admin(`POST ${RUNS}`, { environment, overrides })
const change = ({ id }: Run, overrides: object) => server.admin(`PATCH ${RUNS}/${id}`, { overrides })
const shows = (page: Page, text: string) => until(async () => (await page.textContent('#root')) === text)

test('a page, an OFREP page and a Node service have different flags, which change during the test', async () => {
  const ofPage = await start({ [FLAG]: { variant: 'red' } })
  const ofOfrep = await start({ [FLAG]: false })
  const ofService = await start({ [FLAG]: { variant: 'blue' } })
  const page = await browser.newPage()
  const ofrepPage = await browser.newPage()
  const sdk = { url: `${url}/api/frontend`, clientKey: ofPage.frontendToken, appName: 'page', refreshInterval: 0.1 }
  await page.goto(site.page('plain', { ...sdk, metricsIntervalInitial: 0.1, metricsInterval: 0.1 }))
  const ofrep = { baseUrl: url, key: ofOfrep.frontendToken, context: { targetingKey: '7' } }
  await ofrepPage.goto(site.page('openfeature', ofrep))
  const node = nodeSdk({ url: `${url}/api`, customHeaders: { Authorization: ofService.clientToken } })
  service = node
  const isService = (isOn: boolean, variant: string) =>
    until(() => node.isEnabled(FLAG) === isOn && node.getVariant(FLAG).name === variant)

  await shows(page, 'on red')
  await shows(ofrepPage, 'off')
  await isService(true, 'blue')

  await change(ofOfrep, { [FLAG]: true })
  await shows(ofrepPage, 'on')
  await change(ofPage, { [FLAG]: false })
  await shows(page, 'off')
  await change(ofService, { [FLAG]: { variant: 'red' } })
  await isService(true, 'red')
  expect([await page.textContent('#root'), await ofrepPage.textContent('#root')]).toEqual(['off', 'on'])

  // the environment itself has not changed
  const flags = (await server.call({ as: 'client', call: 'GET /api/client/features' })).json().features
  expect(flags).toMatchObject([{ name: FLAG, enabled: false }])
})
