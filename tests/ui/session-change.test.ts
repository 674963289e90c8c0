import type { Browser, Page, Route } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { withBrowser } from '../support/browser-hooks.ts'
import { beginSession, openPage } from './support/ui-page.ts'
import { ADMIN, startUi, type UiServer } from './support/ui-server.ts'

const CHOSEN = 'my-own-horse-battery'
/** Response of the server to a request without a valid session. */
const REFUSED = { status: 401, json: { name: 'AuthenticationRequired', message: 'Log in first.' } }

let ui: UiServer
let browser: Browser
let page: Page
let newcomer: typeof ADMIN
let accounts = 0

// every test logs in; accounts with a given password must change their password
withBrowser(
  () => startUi({ SIMPLE_LOGIN_LIMIT_PER_MINUTE: '1000', ENFORCE_PASSWORD_CHANGE: 'true' }),
  async (...started) => {
    ;[browser, ui] = started
  },
)

beforeEach(async () => {
  newcomer = { username: `newcomer-${++accounts}`, password: 'given-horse-battery' }
  await ui.call('POST', '/api/admin/user-admin', { ...newcomer, rootRole: 2, mustChangePassword: true })
  ;({ page } = await openPage(browser))
})

const ended = () => page.getByRole('dialog', { name: 'Your session has ended' })

async function logIn(): Promise<void> {
  await page.getByLabel('Username or e-mail').fill(newcomer.username)
  await page.getByRole('textbox', { name: 'Password' }).fill(newcomer.password)
  await page.getByRole('button', { name: 'Log in' }).click()
}

async function choosePassword(): Promise<void> {
  await page.getByRole('textbox', { name: 'New password', exact: true }).fill(CHOSEN)
  await page.getByRole('textbox', { name: 'Repeat new password' }).fill(CHOSEN)
  await page.getByRole('button', { name: 'Save' }).click()
}

/** Waits until Home has shown everything that it loads. Fails if the login dialog covers it. */
async function expectHome(): Promise<void> {
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
  await page.waitForLoadState('networkidle')
  expect(await ended().count()).toBe(0)
  expect(await page.getByText(/could not be loaded|session has ended/i).count()).toBe(0)
}

describe('a response to the session before the current one does not end the current one', () => {
  test('after a first login that follows the page at once, as a password manager does', async () => {
    await page.goto(ui.url)
    await logIn()
    await choosePassword()
    await expectHome()
  })

  test.each([
    ['a read', 'GET', 'inbox'],
    ['a change', 'POST', 'features'],
  ])('after another login, when %s with the old cookie is refused late', async (_name, method, path) => {
    await beginSession(page, ui.url, ADMIN)
    const { promise: late, resolve } = Promise.withResolvers<Route>()
    let isFirst = true
    await page.route(`**/api/admin/**/${path}`, async (route) => {
      if (route.request().method() !== method || !isFirst) return route.continue()
      isFirst = false
      resolve(route)
    })
    await page.goto(`${ui.url}/projects/default?create=true`)
    const name = `late-${method.toLowerCase()}`
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name)
    const create = page.getByRole('dialog').getByRole('button', { name: 'Create flag' })
    if (method === 'POST') await create.click()
    const route = await late
    await beginSession(page, ui.url, ADMIN)
    await route.fulfill(REFUSED)
    if (method === 'GET') await create.click()
    await page.getByRole('heading', { name, level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
    expect(await ended().count()).toBe(0)
  })

  test('a login of another user in another tab does', async () => {
    await beginSession(page, ui.url, ADMIN)
    await page.goto(ui.url)
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
    await page.waitForLoadState('networkidle')
    await page.route('**/api/admin/user/inbox', (route) => route.fulfill(REFUSED))
    await ui.call('POST', '/api/admin/user-admin', { username: 'other', password: CHOSEN, rootRole: 2 })
    await beginSession(page, ui.url, { username: 'other', password: CHOSEN })
    await page.evaluate(() => window.dispatchEvent(new Event('online')))
    await ended().waitFor()
  })
})
