import type { Browser, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withBrowser } from '../../support/browser-hooks.ts'
import { untilFaded, violationsOf } from '../support/axe.ts'
import { type Complaints, logIn, openPage, told } from '../support/ui-page.ts'
import { ADMIN, FLAGS, startUi, type UiServer } from '../support/ui-server.ts'
import { visit, visitAfresh } from '../support/visit.ts'

/**
 * Accessibility of states that pages have only for a moment: loading, failed, empty, and with messages above the
 * content.
 */
let ui: UiServer
let browser: Browser
let page: Page
let complaints: Complaints

withBrowser(startUi, async (...started) => {
  ;[browser, ui] = started
  await ui.call('POST', '/api/admin/projects', { id: 'empty', name: 'Empty' })
})

beforeAll(async () => {
  ;({ page, complaints } = await openPage(browser))
  await logIn(page, ui.url, ADMIN)
})
afterAll(() => page.close())

/** Pages, each with the API call that returns its contents. */
const PAGES = [
  { path: '/projects/default', call: '**/api/admin/search/features?**' },
  { path: '/projects/default/features/banner', call: '**/api/admin/**/features/banner/overview' },
  { path: '/projects/default/change-requests', call: '**/api/admin/projects/default/change-requests' },
  { path: '/projects/default/insights', call: '**/api/admin/projects/default/**' },
  { path: '/stale?project=*', call: '**/api/admin/**stale**' },
  { path: '/events', call: '**/api/admin/search/events**' },
  { path: '/segments', call: '**/api/admin/segments' },
  { path: '/environments', call: '**/api/admin/environments' },
  { path: '/tokens', call: '**/api/admin/api-tokens' },
  { path: '/applications', call: '**/api/admin/metrics/applications**' },
  { path: '/fleet', call: '**/api/admin/fleet' },
  { path: '/users', call: '**/api/admin/user-admin' },
  { path: '/roles', call: '**/api/admin/roles' },
  { path: '/integrations', call: '**/api/admin/addons' },
  { path: '/instance', call: '**/api/admin/instance**' },
  { path: '/release-templates', call: '**/api/admin/release-plan-templates' },
  { path: '/signal-endpoints', call: '**/api/admin/signal-endpoints' },
  { path: '/metrics?env=development', call: '**/api/admin/impact-metrics/**' },
  { path: '/agents', call: '**/api/admin/agents/**' },
  { path: '/archive', call: '**/api/admin/search/features?**' },
  { path: '/groups', call: '**/api/admin/groups' },
  { path: '/service-accounts', call: '**/api/admin/service-account' },
  { path: '/invite-links', call: '**/api/admin/invite-link/tokens' },
  { path: '/logins', call: '**/api/admin/logins' },
  { path: '/projects', call: '**/api/admin/projects' },
] as const

/** Empty pages. */
const EMPTY = [
  { path: '/projects/empty', shows: 'No flags yet' },
  { path: '/projects/empty/change-requests', shows: 'No change requests' },
  { path: '/segments', shows: 'No segments yet' },
  { path: '/applications', shows: 'No applications yet' },
  { path: '/integrations', shows: 'No integrations yet' },
  { path: '/groups', shows: 'No groups yet' },
  { path: '/service-accounts', shows: 'No service accounts yet' },
  { path: '/', shows: 'Nothing is waiting for you' },
  { path: '/release-templates', shows: 'No release templates' },
  { path: '/signal-endpoints', shows: 'No signal endpoints' },
  { path: '/metrics?env=development', shows: 'No metrics in development yet' },
] as const

const LOOKS = ['light', 'dark'] as const

/** Returns the axe violations of the open page in both color schemes. */
async function listViolations(): Promise<string[]> {
  const found: string[] = []
  for (const colorScheme of LOOKS) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
    await untilFaded(page)
    found.push(...(await violationsOf(page)).map(({ text }) => `${colorScheme}: ${text}`))
  }
  return found
}

/** Answers API calls with a server error. */
const fail = (route: Route) =>
  route.fulfill({ status: 500, json: { name: 'InternalError', message: 'Something went wrong', id: 'a1b2' } })

describe('momentary states', () => {
  test.each(PAGES)('$path is accessible while it loads', async ({ path, call }) => {
    let release = (): void => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(call, async (route) => {
      await held
      await route.continue()
    })
    try {
      await visitAfresh(page, `${ui.url}${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      expect(await listViolations()).toEqual([])
    } finally {
      release()
      await page.unrouteAll({ behavior: 'wait' })
    }
  })

  test.each(PAGES)('$path is accessible after the server fails', async ({ path, call }) => {
    await page.route(call, fail)
    try {
      // A new document has no cached replies.
      await page.goto(`${ui.url}${path}`)
      await page.getByRole('alert').first().waitFor()
      expect(await listViolations()).toEqual([])
    } finally {
      await page.unroute(call, fail)
    }
  })

  test.each(EMPTY)('$path is accessible without contents', async ({ path, shows }) => {
    await visit(page, `${ui.url}${path}`)
    await page.getByText(shows).first().waitFor()
    expect(await listViolations()).toEqual([])
  })

  test('messages of success and of refusal are accessible', async () => {
    await ui.call('POST', FLAGS, { name: 'banner' })
    await visit(page, `${ui.url}/projects/default`)
    const switches = page.getByRole('switch', { name: 'banner in development' })
    await switches.click({ force: true })
    await told(page, 'banner is on in development')
    expect(await listViolations()).toEqual([])
    await page.route('**/environments/development/off', (route) =>
      route.fulfill({ status: 403, json: { name: 'NoAccessError', message: 'Not on a Friday.' } }),
    )
    await switches.click({ force: true })
    await told(page, 'You don’t have permission to do this.')
    expect(await listViolations()).toEqual([])
  })

  test('no page complained', () => {
    expect(complaints.filter((one) => !one.includes('status of 500'))).toEqual([])
  })
})
