import type { Browser } from 'playwright-core'
import { expect, test } from 'vitest'
import { withBrowser } from '../support/browser-hooks.ts'
import { logIn, openPage } from './support/ui-page.ts'
import { ADMIN, FLAGS, startUi, type UiServer } from './support/ui-server.ts'

let ui: UiServer
let browser: Browser
withBrowser(startUi, (...started) => {
  ;[browser, ui] = started
})

/** A browser passes on the locale of the system, which may not be a valid language tag. */
test.each([
  ['en-US@posix', 'en'],
  ['de_DE.UTF-8', 'de'],
])('a browser with the language %s gets its pages, with dates, in the language %s', async (tag, language) => {
  await ui.call('POST', FLAGS, { name: `flag-${language}` })
  const { page, complaints } = await openPage(browser)
  await page.addInitScript((asked) => {
    Object.defineProperty(navigator, 'language', { get: () => asked })
    Object.defineProperty(navigator, 'languages', { get: () => [asked] })
  }, tag)
  if (language === 'en') await logIn(page, ui.url, ADMIN)
  else {
    await page.goto(`${ui.url}/projects/default`)
    await page.locator('input').first().fill(ADMIN.username)
    await page.getByRole('button', { name: 'Zeichen anzeigen oder verbergen' }).waitFor()
    await page.locator('input[type=password]').fill(ADMIN.password)
    await page.locator('button[type=submit]').click()
  }
  await page.getByText(`flag-${language}`).first().waitFor()
  await page.goto(`${ui.url}/projects/default/features/flag-${language}`)
  await page.getByRole('heading', { name: `flag-${language}`, level: 1 }).waitFor()
  expect(await page.locator('html').getAttribute('lang')).toBe(language)
  const column = page.getByRole('region', { name: 'development' })
  await column.getByRole('switch').click({ force: true })
  await page.getByRole('button', { name: language === 'en' ? 'Close' : 'Schließen' }).waitFor()
  await page.goto(`${ui.url}/events`)
  expect(await page.locator('time').first().getAttribute('title')).toMatch(/\d{4}/)
  expect(complaints).toEqual([])
  await page.context().close()
})
