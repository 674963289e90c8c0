import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BROWSER_LIMIT_MS, launchBrowser } from '../support/browser.ts'
import { furnish, SCREENS } from './screens.ts'
import { logIn, openPage } from './ui-page.ts'
import { ADMIN, startUi, type UiServer } from './ui-server.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

let ui: UiServer
let browser: Browser

beforeAll(async () => {
  const starting = startUi()
  browser = await launchBrowser()
  ui = await starting
  await furnish(ui)
}, BROWSER_LIMIT_MS)
afterAll(async () => {
  await browser?.close()
  await ui?.close()
})

/** Violations that axe holds to be serious or critical, one line each; `isHigh` asks for the contrast of WCAG AAA. */
async function violations(page: Page, isHigh: boolean): Promise<string[]> {
  await page.evaluate(AXE)
  const { violations: found } = await page.evaluate(async (enabled) => {
    const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<AxeResults> } }
    return axe.run({ rules: { 'color-contrast-enhanced': { enabled } } })
  }, isHigh)
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`))
}

const LOOKS = [
  { name: 'light', options: { colorScheme: 'light' } },
  { name: 'dark', options: { colorScheme: 'dark' } },
  { name: 'light with high contrast', options: { colorScheme: 'light', contrast: 'more' } },
  { name: 'dark with high contrast', options: { colorScheme: 'dark', contrast: 'more' } },
] as const

describe.each(LOOKS)('in $name', ({ options }) => {
  const isHigh = 'contrast' in options
  let page: Page
  let complaints: readonly string[]
  let atLogin: string[]

  beforeAll(async () => {
    // axe is put into the page past its policy; everything else keeps to it, see the other tests
    ;({ page, complaints } = await openPage(browser, options))
    await page.goto(`${ui.url}/login`)
    await page.getByRole('button', { name: 'Log in' }).waitFor()
    atLogin = await violations(page, isHigh)
    await logIn(page, ui.url, ADMIN)
  })
  afterAll(() => page.close())

  test('the login has no serious violation', () => {
    expect(atLogin).toEqual([])
  })

  test.each(SCREENS)('$name is complete, in order, and has no serious violation', async ({ path, shows, open }) => {
    await page.goto(`${ui.url}${path}`)
    if (open !== undefined)
      await page
        .getByRole('button', { name: open, exact: open === 'Edit' })
        .first()
        .click()
    await page.getByText(shows).first().waitFor()
    expect(await violations(page, isHigh)).toEqual([])
    expect(complaints).toEqual([])
  })
})

test('narrow screens need no sideways scrolling and have a menu', async () => {
  const { page } = await openPage(browser, { viewport: { width: 390, height: 800 } })
  await logIn(page, ui.url, ADMIN)
  for (const { path, shows } of SCREENS.filter(({ open }) => open === undefined)) {
    await page.goto(`${ui.url}${path}`)
    await page.getByText(shows).first().waitFor()
    const [content, width] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth])
    expect([path, content]).toEqual([path, width])
  }
  await page.goto(`${ui.url}/segments`)
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('link', { name: 'Environments' }).click()
  await page.getByRole('heading', { name: 'Environments' }).waitFor()
  await page.close()
})

test('German is complete from the login on, and stays chosen', async () => {
  const { page, complaints } = await openPage(browser, { locale: 'de-DE' })
  await page.goto(`${ui.url}/`)
  await page.getByLabel('Benutzername oder E-Mail').fill(ADMIN.username)
  await page.getByRole('textbox', { name: 'Passwort' }).fill(ADMIN.password)
  await page.getByRole('button', { name: 'Anmelden' }).click()
  await page.getByRole('heading', { name: 'Schalter', level: 1 }).waitFor()
  expect(await page.getAttribute('html', 'lang')).toBe('de')
  await page.goto(`${ui.url}/projects/default/features/new-checkout`)
  await page.getByText('50 % aller, nach userId').waitFor()
  await page.getByRole('button', { name: /Konto/ }).click()
  await page.getByRole('menuitemradio', { name: 'English' }).click()
  await page.getByText('50 % of everybody, by userId').waitFor()
  await page.reload()
  await page.getByText('50 % of everybody, by userId').waitFor()
  expect(complaints).toEqual([])
  await page.close()
})
