import { type FlagFixtures, type FlagWorkerFixtures, flagFixtures } from '@burgee/testing/playwright'
import { test as base, expect, type Page } from '@playwright/test'
import { Unleash } from 'unleash-client'

/**
 * Three tests that run at the same time at one server: a page with the web SDK, a page with OpenFeature's web SDK, and
 * a service with the Node SDK. The environment names the server, the web site and the barrier.
 */
interface Flags {
  readonly shown: 'blue' | 'red'
}

const { BURGEE_URL, BURGEE_ADMIN_TOKEN = '', SITE = '', BARRIER = '' } = process.env
/** URL in the configuration of the pages; there is no server. */
const APPLICATION_URL = 'http://flags.example.test'
const server = BURGEE_URL === undefined ? {} : { server: { url: BURGEE_URL, adminToken: BURGEE_ADMIN_TOKEN } }
const fixtures = flagFixtures<Flags>({
  ...server,
  flags: { shown: { enabled: false, variants: ['blue', 'red'] } },
  applicationUrl: APPLICATION_URL,
})
const test = base.extend<FlagFixtures<Flags>, FlagWorkerFixtures>(fixtures)

const open = (page: Page, name: string, config: object) =>
  page.goto(`${SITE}/${name}?config=${encodeURIComponent(JSON.stringify(config))}`)
const shows = (page: Page, text: string) => expect(page.locator('#root')).toHaveText(text)
/** Waits until all three tests have got here, so that they run at the same time. */
const meet = () => fetch(BARRIER)

test.describe('a page', () => {
  test.use({ overrides: { shown: { variant: 'red' } } })
  test('has the flags of its test', async ({ page, flags }) => {
    const sdk = { url: `${APPLICATION_URL}/api/frontend`, clientKey: 'key-of-the-application', appName: 'page' }
    await open(page, 'plain', { ...sdk, refreshInterval: 0.1 })
    await shows(page, 'on red')
    await meet()
    await shows(page, 'on red')
    await flags.set({ shown: false })
    await shows(page, 'off')
  })
})

test.describe('an OFREP page', () => {
  test('has the flags of its test', async ({ page, flags }) => {
    const context = { targetingKey: '7' }
    await open(page, 'openfeature', { baseUrl: APPLICATION_URL, key: 'key-of-the-application', context })
    await shows(page, 'off')
    await meet()
    await shows(page, 'off')
    await flags.set({ shown: true })
    await shows(page, 'on')
  })
})

test.describe('a Node service', () => {
  test.use({ overrides: { shown: { variant: 'blue' } } })
  test('has the flags of its test', async ({ flags }) => {
    const service = new Unleash({
      url: `${flags.url}/api`,
      appName: 'service',
      refreshInterval: 50,
      disableMetrics: true,
      customHeaders: { Authorization: flags.clientToken },
    })
    const read = () => `${service.isEnabled('shown')} ${service.getVariant('shown').name}`
    await expect.poll(read).toBe('true blue')
    await meet()
    expect(read()).toBe('true blue')
    await flags.set({ shown: { variant: 'red' } })
    await expect.poll(read).toBe('true red')
    service.destroy()
  })
})
