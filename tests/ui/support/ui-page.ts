import type { Browser, Locator, Page, Request } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import type { ADMIN } from './ui-server.ts'

/** Errors and policy violations that a page reported. */
export type Complaints = readonly string[]

/** Expected error replies also appear in the browser's console. */
const EXPECTED = /status of (400|401|403|404|409|412|429)/

/** Timeout that is long enough for a busy machine, but expires early enough for a helpful error message. */
const WAIT_MS = 15_000

/** Opens a page that records its complaints. */
export async function openPage(
  browser: Browser,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<{ page: Page; complaints: Complaints }> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    locale: 'en-US',
    reducedMotion: 'reduce',
    ...options,
  })
  context.setDefaultTimeout(WAIT_MS)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() !== 'error' || EXPECTED.test(message.text())) return
    const { url, lineNumber, columnNumber } = message.location()
    complaints.push(`${message.text()} (at ${page.url()}, ${url}:${lineNumber}:${columnNumber})`)
  })
  return { page, complaints }
}

/** Logs in through the form, like a user. Works even if only the browser can resolve the host. */
export async function logInByForm(page: Page, url: string, who: typeof ADMIN): Promise<void> {
  await page.goto(`${url}/projects/default`)
  await page.getByLabel('Username or e-mail').fill(who.username)
  await page.getByRole('textbox', { name: 'Password' }).fill(who.password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('heading', { name: 'Flags', level: 1 }).waitFor()
}

/** Starts a session without the login form; pages loaded afterwards use it. */
export async function beginSession(page: Page, url: string, who: typeof ADMIN): Promise<void> {
  const reply = await page.context().request.post(`${url}/auth/simple/login`, { data: who })
  expect(reply.status()).toBe(200)
}

/**
 * Opens the list of flags in a session. For tests that are not about the login form, which would take half of their
 * time.
 */
export async function logIn(page: Page, url: string, who: typeof ADMIN): Promise<void> {
  await beginSession(page, url, who)
  await page.goto(`${url}/projects/default`)
  await page.getByRole('heading', { name: 'Flags', level: 1 }).waitFor()
}

/** Chooses an item of the menu at the end of a row. */
export async function fromMenu(row: Locator, item: string | RegExp): Promise<void> {
  await row.getByRole('button', { name: /^(More: |Actions for )/ }).click()
  await row.page().getByRole('menuitem', { name: item }).click()
}

/** Adds a filter to the list of flags. */
export async function addFilter(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('menuitem', { name, exact: true }).click()
}

/** Reloads the page in a language. After the test, switches back to English, even if the test failed. */
export async function speak(page: Page, language: 'en' | 'de'): Promise<void> {
  const choose = async (chosen: string): Promise<void> => {
    await page.evaluate((value) => localStorage.setItem('burgee-language', value), chosen)
    await page.reload()
  }
  onTestFinished(() => choose('en'))
  await choose(language)
}

/** Returns true for requests that change something. Queries that use POST, and presence reports, do not count. */
export const isChange = (request: Request): boolean =>
  request.method() !== 'GET' && !/\/(impact|presence)(\?|$)/.test(request.url())

/** Waits for a notification and closes it. */
export async function told(page: Page, text: string): Promise<void> {
  const note = page.getByRole('alert').filter({ hasText: text })
  await note.first().waitFor()
  expect(await note.count()).toBeGreaterThan(0)
}

/**
 * Clicks a switch once it no longer moves. If the input element has no size, clicks the track of the switch instead.
 * While the page is moving, a forced click on the input element would miss it.
 */
export async function flip(toggle: Locator): Promise<void> {
  const id = await toggle.getAttribute('id')
  await (id === null ? toggle : toggle.page().locator(`label[for="${id}"]`).first()).click()
}
