import type { Browser, Locator, Page, Request } from 'playwright-core'
import { expect, onTestFinished } from 'vitest'
import type { ADMIN } from './ui-server.ts'

/** What a page complained about: errors, and what its policy forbids. */
export type Complaints = readonly string[]

/** Replies that a test expects to fail show up in the browser's console as well. */
const EXPECTED = /status of (400|401|403|404|409|412|429)/

/** Long enough for a busy machine, short enough to leave time for a message. */
const WAIT_MS = 15_000

/** Opens a page that notes its complaints. */
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

/** Logs in through the form, as people do; also where only the browser knows the host. */
export async function logInByForm(page: Page, url: string, who: typeof ADMIN): Promise<void> {
  await page.goto(`${url}/`)
  await page.getByLabel('Username or e-mail').fill(who.username)
  await page.getByRole('textbox', { name: 'Password' }).fill(who.password)
  await page.getByRole('button', { name: 'Log in' }).click()
  await page.getByRole('heading', { name: 'Flags', level: 1 }).waitFor()
}

/** Begins a session past the form, for what is loaded from now on. */
export async function beginSession(page: Page, url: string, who: typeof ADMIN): Promise<void> {
  const reply = await page.context().request.post(`${url}/auth/simple/login`, { data: who })
  expect(reply.status()).toBe(200)
}

/** Opens the flags with a session; for tests that are not about the form, which would be half the work. */
export async function logIn(page: Page, url: string, who: typeof ADMIN): Promise<void> {
  await beginSession(page, url, who)
  await page.goto(`${url}/`)
  await page.getByRole('heading', { name: 'Flags', level: 1 }).waitFor()
}

/** Does something that the menu at the end of a row offers. */
export async function fromMenu(row: Locator, item: string | RegExp): Promise<void> {
  await row.getByRole('button', { name: /^More: / }).click()
  await row.page().getByRole('menuitem', { name: item }).click()
}

/** Loads the page anew in a language, and in English again once the test is over, however it ends. */
export async function speak(page: Page, language: 'en' | 'de'): Promise<void> {
  const choose = async (chosen: string): Promise<void> => {
    await page.evaluate((value) => localStorage.setItem('burgee-language', value), chosen)
    await page.reload()
  }
  onTestFinished(() => choose('en'))
  await choose(language)
}

/** Whether a request changes something; what asks by a body, or says where one is, does not. */
export const isChange = (request: Request): boolean =>
  request.method() !== 'GET' && !/\/(impact|presence)(\?|$)/.test(request.url())

/** Waits for a short message and takes it away. */
export async function told(page: Page, text: string): Promise<void> {
  const note = page.getByRole('alert').filter({ hasText: text })
  await note.first().waitFor()
  expect(await note.count()).toBeGreaterThan(0)
}
