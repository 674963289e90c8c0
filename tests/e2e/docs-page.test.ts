import type { Browser, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { withBrowser } from '../support/browser-hooks.ts'
import { startProxy, type TestProxy } from '../support/proxy.ts'
import { type FakeUpstream, startUpstream } from '../support/upstream.ts'

const CONSTRAINT = { contextName: 'region', operator: 'IN', values: ['eu'] }

let upstream: FakeUpstream
let browser: Browser

const startDocumented = () =>
  startUpstream({
    features: [
      { name: 'for-everybody', enabled: true, strategies: [] },
      { name: 'for-europe', enabled: true, strategies: [{ name: 'default', constraints: [CONSTRAINT] }] },
    ],
  })
withBrowser(startDocumented, (...started) => {
  ;[browser, upstream] = started
})

test.each(['', '/base'])('the page below "%s" sends real requests and shows their replies', async (proxyBasePath) => {
  const proxy = await startProxy({
    flagUrl: upstream.url,
    enableOAS: true,
    proxyBasePath,
    clientKeys: ['page-key'],
    clientKeysHeaderName: 'x-key',
  })
  const page = await browser.newPage()
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  try {
    await tryIt(page, proxy, proxyBasePath)
    expect(complaints).toEqual([])
  } finally {
    await page.close()
    await proxy.close()
  }
})

async function tryIt(page: Page, proxy: TestProxy, basePath: string): Promise<void> {
  await page.goto(`${proxy.url}${basePath}/docs/openapi`)
  await page.locator('summary', { hasText: 'Toggles that are on for the context in the query.' }).click()
  expect(await page.getByLabel('Header').inputValue()).toBe('x-key')
  await page.getByLabel('Value').fill('page-key')
  await page.getByLabel('properties').first().fill('region=eu, other=1')
  await page.locator('details[open] button').click()
  await page.getByText('→ 200 OK').waitFor()
  const shown = await page.locator('details[open] pre').last().textContent()
  expect(JSON.parse(shown ?? '').toggles.map((toggle: { name: string }) => toggle.name)).toEqual([
    'for-everybody',
    'for-europe',
  ])
}
