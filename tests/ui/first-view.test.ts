import type { Browser, Page, Request } from 'playwright-core'
import { expect, test } from 'vitest'
import { withBrowser } from '../support/browser-hooks.ts'
import { beginSession, openPage } from './support/ui-page.ts'
import { ADMIN, FLAGS, startUi, type UiServer } from './support/ui-server.ts'

/** Limit of the first view of a page, with an empty cache. */
const MAX_BYTES = 400_000

let ui: UiServer
let browser: Browser

withBrowser(startUi, async (...started) => {
  ;[browser, ui] = started
  await ui.call('POST', FLAGS, { name: 'checkout' })
  await ui.call('POST', `${FLAGS}/checkout/environments/development/on`)
})

interface Transfer {
  readonly requests: readonly Request[]
  /** Returns the bytes of all responses, heads included, as transferred. */
  countBytes(): Promise<number>
}

/** Icon of the tab. Only browsers that display tabs request the icon; the pinned browser displays none. */
const isTabIcon = (request: Request): boolean => new URL(request.url()).pathname === '/favicon.svg'

/** Records what a page transfers. The response of an event stream does not end, so only its request counts. */
function recordTransfer(page: Page): Transfer {
  const requests: Request[] = []
  const sizes: Promise<number>[] = []
  page.on('request', (request) => {
    if (!isTabIcon(request)) requests.push(request)
  })
  page.on('requestfinished', (request) => {
    if (isTabIcon(request)) return
    sizes.push(
      request.sizes().then(({ responseBodySize, responseHeadersSize }) => responseBodySize + responseHeadersSize),
    )
  })
  return { requests, countBytes: async () => (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0) }
}

test.each([
  { view: 'login', path: '/projects/default', shows: 'Log in', isLoggedIn: false, maxRequests: 25 },
  { view: 'home', path: '/', shows: 'Nothing is waiting for you', isLoggedIn: true, maxRequests: 25 },
  { view: 'flag list', path: '/projects/default', shows: 'checkout', isLoggedIn: true, maxRequests: 25 },
  {
    view: 'flag',
    path: '/projects/default/features/checkout',
    shows: 'Add strategy',
    isLoggedIn: true,
    maxRequests: 25,
  },
])('opens the $view within 400 kB and $maxRequests requests with an empty cache', async (row) => {
  const { view, path, shows, isLoggedIn, maxRequests } = row
  const { page, complaints } = await openPage(browser)
  if (isLoggedIn) await beginSession(page, ui.url, ADMIN)
  const transfer = recordTransfer(page)
  await page.goto(`${ui.url}${path}`)
  await page.getByText(shows).first().waitFor()
  await page.waitForLoadState('load')
  // Includes code that is loaded when idle.
  await page.waitForTimeout(1500)
  const bytes = await transfer.countBytes()
  process.stdout.write(`First view of the ${view}: ${bytes} bytes in ${transfer.requests.length} requests\n`)
  expect(bytes).toBeGreaterThan(200_000)
  expect(bytes).toBeLessThanOrEqual(MAX_BYTES)
  expect(transfer.requests.length).toBeLessThanOrEqual(maxRequests)
  expect(complaints).toEqual([])
  await page.context().close()
})
