import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CLIENT, startProvider } from '../http/sso/provider.ts'
import { withBrowser } from '../support/browser-hooks.ts'
import { untilFaded, violationsOf } from './support/axe.ts'
import { furnish, SCREENS, show } from './support/screens.ts'
import { type Complaints, logIn, openPage } from './support/ui-page.ts'
import { ADMIN, startUi, type UiServer } from './support/ui-server.ts'
import { visit } from './support/visit.ts'

let ui: UiServer
let browser: Browser

withBrowser(startUi, async (...started) => {
  ;[browser, ui] = started
  await furnish(ui)
})

/** System preferences that the page supports. Each combination differs from the previous one in a single setting. */
const LOOKS = [
  { name: 'light', colorScheme: 'light', contrast: 'no-preference' },
  { name: 'dark', colorScheme: 'dark', contrast: 'no-preference' },
  { name: 'dark with high contrast', colorScheme: 'dark', contrast: 'more' },
  { name: 'light with high contrast', colorScheme: 'light', contrast: 'more' },
] as const
type Look = (typeof LOOKS)[number]

/** Rules that depend on the theme. All other rules have the same result in every theme. */
const RULES_OF_COLOR = ['color-contrast', 'link-in-text-block']
/** Theme-dependent rules for high contrast, where every violation of WCAG AA violates AAA as well. */
const RULES_OF_HIGH_CONTRAST = ['color-contrast-enhanced', 'link-in-text-block']
const WIDE = { width: 1280, height: 800 }
const NARROW = { width: 390, height: 800 }

/** Changes the theme of the open page and waits until all transitions have finished. */
async function wear(page: Page, { colorScheme, contrast }: Look): Promise<void> {
  await page.emulateMedia({ colorScheme, contrast, reducedMotion: 'reduce' })
  const level = contrast === 'more' ? 'high' : 'normal'
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}][data-contrast=${level}]`).waitFor()
  await untilFaded(page)
}

/**
 * Themes, in the order in which the next check uses them. Reversed after each check, because its last theme is then
 * already active.
 */
let looks: readonly Look[] = LOOKS

/**
 * Returns axe violations of moderate or higher impact in every theme, one line each. `also` checks the page in the
 * light theme.
 */
async function violations(page: Page, also?: () => Promise<void>): Promise<string[]> {
  const found: string[] = []
  for (const look of looks) {
    await wear(page, look)
    const now = await violationsOf(page, rulesOf(look))
    found.push(...now.filter(({ impact }) => impact !== 'minor').map(({ text }) => `${look.name}: ${text}`))
    if (look === LOOKS[0]) await also?.()
  }
  looks = looks.toReversed()
  return found
}

function rulesOf(look: Look): readonly string[] | undefined {
  if (look === LOOKS[0]) return undefined
  return look.contrast === 'more' ? RULES_OF_HIGH_CONTRAST : RULES_OF_COLOR
}

/** Returns the texts of links in the default color of the browser. */
const listUnstyledLinks = (page: Page): Promise<string[]> =>
  page
    .locator('a[href]')
    .evaluateAll((all) =>
      all
        .filter((link) => getComputedStyle(link).color === 'rgb(0, 0, 238)')
        .map(({ textContent }) => textContent ?? ''),
    )

describe('every screen, light and dark, with high contrast and narrow', () => {
  let page: Page
  let complaints: Complaints

  beforeAll(async () => {
    ;({ page, complaints } = await openPage(browser))
  })
  afterAll(() => page.close())

  test('the login, with single sign-on beside it, has no violation', async () => {
    const provider = await startProvider(true, ui.url)
    const settings = { ...CLIENT, discoverUrl: provider.issuer }
    await ui.call('POST', '/api/admin/auth/oidc/settings', { ...settings, enabled: true })
    await page.goto(`${ui.url}/login`)
    await page.getByRole('button', { name: 'Log in' }).waitFor()
    await page.getByRole('link', { name: 'Log in with OpenID Connect' }).waitFor()
    expect(await violations(page)).toEqual([])
    await ui.call('POST', '/api/admin/auth/oidc/settings', { ...settings, enabled: false })
    await provider.close()
    await logIn(page, ui.url, ADMIN)
  })

  test.each(SCREENS)('$name is complete, in order, without violation or sideways scrolling', async (screen) => {
    const before = complaints.length
    await show(page, ui.url, screen)
    await expect.poll(() => page.title()).toMatch(/^\S.* · Burgee$/)
    let content: number | undefined
    let unstyled: string[] | undefined
    const found = await violations(page, async () => {
      unstyled = await listUnstyledLinks(page)
      await page.setViewportSize(NARROW)
      content = await page.evaluate(() => document.documentElement.scrollWidth)
      await page.setViewportSize(WIDE)
    })
    expect(found).toEqual([])
    expect(content).toBe(NARROW.width)
    expect(unstyled).toEqual([])
    expect(complaints.slice(before)).toEqual([])
  })

  test.each([
    '/environments',
    '/users',
    '/segments',
    '/context-fields',
    '/tag-types',
    '/strategy-types',
    '/integrations',
    '/release-templates',
    '/signal-endpoints',
  ])('a row of %s has a button or two and a menu at its end, on the right', async (path) => {
    await visit(page, `${ui.url}${path}`)
    await page.getByRole('main').getByRole('row').nth(1).waitFor()
    const rows = await page
      .getByRole('main')
      .getByRole('row')
      .evaluateAll((all) =>
        all.slice(1).map((row) => {
          const buttons = [...(row.lastElementChild?.querySelectorAll('button') ?? [])]
          const right = Math.max(...buttons.map((button) => button.getBoundingClientRect().right))
          return { count: buttons.length, left: row.getBoundingClientRect().right - right }
        }),
      )
    expect(rows.length).toBeGreaterThan(0)
    for (const { count, left } of rows.filter((row) => row.count > 0)) {
      expect(count).toBeLessThanOrEqual(3)
      expect(left).toBeLessThanOrEqual(24)
    }
  })

  test('the typeface comes with the page', async () => {
    const from = page.waitForRequest((request) => request.resourceType() === 'font')
    await page.reload()
    expect(new URL((await from).url()).origin).toBe(new URL(ui.url).origin)
    await page.getByRole('heading', { level: 1 }).waitFor()
    const faces = await page.evaluate(async () => {
      const loaded = await document.fonts.ready
      return [...loaded].filter(({ status }) => status === 'loaded').map(({ family }) => family)
    })
    expect(faces.join()).toContain('Inter Variable')
    expect(await page.evaluate(() => getComputedStyle(document.body).fontFamily)).toMatch(/^"?Inter Variable/)
  })
})

test('narrow screens have a menu', async () => {
  const { page } = await openPage(browser, { viewport: NARROW })
  await logIn(page, ui.url, ADMIN)
  await visit(page, `${ui.url}/segments`)
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('link', { name: 'Environments' }).click()
  await page.getByRole('heading', { name: 'Environments' }).waitFor()
  await page.close()
})

test('German is complete from the login on, and stays chosen', async () => {
  const { page, complaints } = await openPage(browser, { locale: 'de-DE' })
  await page.goto(`${ui.url}/projects/default`)
  await page.getByLabel('Benutzername oder E-Mail').fill(ADMIN.username)
  await page.getByRole('textbox', { name: 'Passwort' }).fill(ADMIN.password)
  await page.getByRole('button', { name: 'Anmelden' }).click()
  await page.getByRole('heading', { name: 'Flags', level: 1 }).waitFor()
  expect(await page.getAttribute('html', 'lang')).toBe('de')
  await visit(page, `${ui.url}/projects/default/features/new-checkout`)
  await page.getByText('50 % der Benutzer, nach userId').waitFor()
  await page.getByRole('button', { name: 'Mehr' }).click()
  await page.getByRole('menuitem', { name: 'In ein anderes Projekt verschieben' }).click()
  await page.getByRole('dialog', { name: 'new-checkout in ein anderes Projekt verschieben' }).waitFor()
  await page.getByText('Seine URL ändert sich').waitFor()
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Abbrechen' }).click()
  await page.getByRole('button', { name: /Konto/ }).click()
  await page.getByRole('menuitemradio', { name: 'English' }).click()
  await page.getByText('50% of users, by userId').waitFor()
  await page.reload()
  await page.getByText('50% of users, by userId').waitFor()
  expect(complaints).toEqual([])
  await page.close()
})

test.each([
  { locale: 'en-US', created: /Created \w+ \d{1,2}, \d{4}/ },
  { locale: 'en-GB', created: /Created \d{1,2} \w+ \d{4}/ },
])('dates are written as in the region of the browser: $locale', async ({ locale, created }) => {
  const { page } = await openPage(browser, { locale })
  await logIn(page, ui.url, ADMIN)
  await visit(page, `${ui.url}/projects/default/features/new-checkout`)
  await page.getByText(created).waitFor()
  await page.close()
})
