import type { FeatureListItem } from '@burgee/protocol/admin-feature'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { withBrowser } from '../support/browser-hooks.ts'
import { until } from '../support/wait.ts'
import { furnish, SCREENS, show } from './support/screens.ts'
import { type Complaints, logIn, openPage } from './support/ui-page.ts'
import { ADMIN, startUi, type UiServer } from './support/ui-server.ts'
import { visit } from './support/visit.ts'

const PHONE = { width: 390, height: 844 }
const TABLET = { width: 768, height: 1024 }
const WIDE = { width: 1440, height: 900 }
const FORM_WIDTH = 640
const ARCHIVED = '/api/admin/search/features?archived=IS:true'

let ui: UiServer
let browser: Browser
let page: Page
let complaints: Complaints

withBrowser(startUi, async (...started) => {
  ;[browser, ui] = started
  await furnish(ui)
})
beforeAll(async () => {
  ;({ page, complaints } = await openPage(browser, { viewport: WIDE }))
  await logIn(page, ui.url, ADMIN)
})
afterAll(async () => {
  expect(complaints).toEqual([])
  await page.close()
})

/** Opens a screen by its name. */
async function open(name: string): Promise<void> {
  const screen = SCREENS.find((one) => one.name === name)
  if (screen === undefined) throw new Error(`There is no screen ${name}`)
  await show(page, ui.url, screen)
}

const getColor = (one: Locator) => one.evaluate((element) => getComputedStyle(element).color)
const getBox = async (one: Locator) => {
  const box = await one.boundingBox()
  if (box === null) throw new Error('The element is not displayed')
  return box
}

test('the tab of the flag list and the page of a missing flag name the project, not its id', async () => {
  await visit(page, `${ui.url}/projects/checkout`)
  await expect.poll(() => page.title()).toBe('Flags · Checkout · Burgee')
  await visit(page, `${ui.url}/projects/checkout/features/none`)
  await page.getByRole('heading', { name: 'Flag “none” not found in project Checkout' }).waitFor()
})

test('the home page of a user who has opened no flag leads to a new flag, the SDKs and the first steps', async () => {
  const { page: fresh } = await openPage(browser)
  onTestFinished(() => fresh.context().close())
  await logIn(fresh, ui.url, ADMIN)
  await visit(fresh, `${ui.url}/`)
  const links = fresh.getByRole('main').getByRole('region', { name: 'Recently opened' }).getByRole('link')
  await links.first().waitFor()
  expect(await links.allInnerTexts()).toEqual(['Create a flag', 'Connect your application', 'First steps'])
})

test('names that are links have one color in all lists', async () => {
  const colors: string[] = []
  for (const [screen, name] of [
    ['flags', 'new-checkout'],
    ['archive', 'old-banner'],
    ['stale', 'old-landing-page'],
    ['change-requests', 'Wallets for everybody'],
    ['applications', 'web-shop'],
    ['projects', 'Checkout'],
  ] as const) {
    await open(screen)
    colors.push(await getColor(page.getByRole('main').getByRole('link', { name }).first()))
  }
  expect(new Set(colors).size).toBe(1)
})

test.each(['tokens', 'applications', 'application', 'events', 'agents', 'environments', 'project-environments'])(
  '$0 shows environments as chips in the color of their type',
  async (screen) => {
    await open(screen)
    const chip = page.getByRole('main').locator('[data-environment-type]').first()
    await chip.waitFor()
    await expect.poll(() => chip.getAttribute('data-environment-type')).not.toBe('')
  },
)

test.each(['/archive', '/stale?project=default'])(
  '%s has the checkbox that selects all above its table',
  async (path) => {
    await visit(page, `${ui.url}${path}`)
    const all = await getBox(page.getByRole('checkbox', { name: /^Select all/ }))
    const table = await getBox(page.getByRole('main').getByRole('table').first())
    expect(all.y + all.height).toBeLessThanOrEqual(table.y)
  },
)

test('a name and an address of a user start at the same edge', async () => {
  await open('users')
  const row = page.getByRole('row').filter({ hasText: 'Maria Lind' })
  const lines = row.getByText('Maria Lind').or(row.getByText('maria@example.com', { exact: true }))
  expect(await lines.count()).toBe(2)
  const edges = await Promise.all((await lines.all()).map(async (line) => (await getBox(line)).x))
  expect(new Set(edges).size).toBe(1)
})

test.each(['project-settings', 'import', 'single-sign-on', 'instance'])(
  'fields of %s are at most 640 px wide',
  async (screen) => {
    await open(screen)
    const fields = page.getByRole('main').getByRole('textbox')
    await fields.first().waitFor()
    const widths = await fields.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().width))
    expect(widths.length).toBeGreaterThan(0)
    expect(Math.max(...widths)).toBeLessThanOrEqual(FORM_WIDTH)
  },
)

test.each(['new-strategy', 'segment', 'copy-strategies', 'release-template', 'variants'])(
  'the buttons of the side panel %s are at the bottom',
  async (screen) => {
    await open(screen)
    const buttons = page.getByRole('dialog').getByRole('button')
    const last = await getBox(buttons.last())
    expect(last.y + last.height).toBeGreaterThan(WIDE.height - 40)
    expect(last.y + last.height).toBeLessThanOrEqual(WIDE.height)
  },
)

test.each(['code', 'single-sign-on', 'agents', 'connect'])(
  'no line of code on %s is below its copy button on a phone',
  async (screen) => {
    await page.setViewportSize(PHONE)
    onTestFinished(() => page.setViewportSize(WIDE))
    await open(screen)
    const covered = await page
      .getByRole('main')
      .getByRole('group')
      .evaluateAll((all) =>
        all.flatMap((code) => {
          const button = code.parentElement?.querySelector('button')?.getBoundingClientRect()
          const lines = document.createRange()
          lines.selectNodeContents(code)
          const isCovered = [...lines.getClientRects()].some(
            (line) =>
              button !== undefined && line.right > button.left && line.top < button.bottom && line.bottom > button.top,
          )
          return code.tagName === 'PRE' && isCovered ? [code.textContent] : []
        }),
      )
    expect(covered).toEqual([])
  },
)

test.each(['tokens', 'archive', 'users', 'integrations', 'environments', 'applications'])(
  '%s fits a tablet without cut columns',
  async (screen) => {
    await page.setViewportSize(TABLET)
    onTestFinished(() => page.setViewportSize(WIDE))
    await open(screen)
    const table = page.getByRole('main').getByRole('table').first()
    const excess = await table.evaluate((one) => one.scrollWidth - (one.parentElement?.clientWidth ?? 0))
    expect(excess).toBeLessThanOrEqual(0)
  },
)

describe.each([WIDE, PHONE])('at $width px', (size) => {
  beforeAll(() => page.setViewportSize(size))
  afterAll(() => page.setViewportSize(WIDE))

  test('variants show their shares', async () => {
    await open('flag')
    const weights = page.getByRole('list', { name: 'Weights' }).getByRole('listitem')
    await weights.first().waitFor()
    for (const one of await weights.all()) {
      const [item, figure] = [await getBox(one), await getBox(one.getByText('50%'))]
      expect(figure.x + figure.width).toBeLessThanOrEqual(item.x + item.width + 1)
    }
  })

  test('production comes before the other environments of a flag', async () => {
    await open('flag')
    const production = await getBox(page.getByRole('switch', { name: 'new-checkout in production' }))
    const other = page.getByRole('switch', { name: 'new-checkout in development' })
    if (!(await other.isVisible())) return
    const { x, y } = await getBox(other)
    expect(production.y < y || production.x < x).toBe(true)
  })

  test('the usage has a labelled axis of values', async () => {
    await open('usage')
    const chart = page.getByRole('slider', { name: /Evaluations/ }).first()
    await chart.waitFor()
    await page.getByText('100', { exact: true }).and(page.locator(':visible')).first().waitFor()
  })
})

test('a phone shows the whole name of a flag, and its badge below', async () => {
  await page.setViewportSize(PHONE)
  onTestFinished(() => page.setViewportSize(WIDE))
  await open('flags')
  const row = page.getByRole('row').filter({ hasText: 'old-landing-page' })
  const [name, badge] = [row.getByRole('link'), row.getByText('Potentially stale')]
  for (const one of [name, badge]) {
    expect(await one.evaluate((element) => element.scrollWidth - element.clientWidth)).toBeLessThanOrEqual(0)
  }
  const { y, height } = await getBox(name)
  expect((await getBox(badge)).y).toBeGreaterThanOrEqual(y + height - 2)
})

test('forced colors keep the bars, the state of switches and the current page visible', async () => {
  await page.emulateMedia({ forcedColors: 'active' })
  onTestFinished(() => page.emulateMedia({ forcedColors: 'none' }))
  const getBackground = (one: Locator) => one.evaluate((element) => getComputedStyle(element).backgroundColor)
  await open('flag')
  const bar = page.getByRole('img', { name: /buckets|rollout/i }).first()
  const [inside, outside] = [await getBackground(bar.locator('span').first()), await getBackground(bar)]
  expect(inside).not.toBe(outside)
  const weights = page.getByRole('list', { name: 'Weights' }).locator('xpath=preceding-sibling::*[1]').locator('span')
  expect(await getBackground(weights.nth(0))).not.toBe(await getBackground(weights.nth(1)))
  const current = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Flags' })
  expect(await current.evaluate((element) => getComputedStyle(element).outlineStyle)).toBe('solid')
  await open('instance')
  const thumb = page.locator('.mantine-Switch-thumb').first()
  expect(await getBackground(thumb)).not.toBe(await getBackground(page.locator('.mantine-Switch-track').first()))
})

test('a flag that applications still evaluate after it was archived has a warning', async () => {
  const token = { tokenName: 'late shop', type: 'client', environment: 'development', projects: ['*'] }
  const { secret } = await ui.call<{ secret: string }>('POST', '/api/admin/api-tokens', token)
  const bucket = {
    start: new Date(Date.now() - 60_000).toISOString(),
    stop: new Date().toISOString(),
    toggles: { 'winter-sale': { yes: 0, no: 3, variants: {} } },
  }
  const reply = await fetch(`${ui.url}/api/client/metrics`, {
    method: 'POST',
    headers: { authorization: secret, 'content-type': 'application/json' },
    body: JSON.stringify({ appName: 'late', instanceId: 'one', bucket }),
  })
  expect(reply.status).toBe(202)
  await until(async () => {
    const { features } = await ui.call<{ features: FeatureListItem[] }>('GET', ARCHIVED)
    return features.some(({ name, lastSeenAt }) => name === 'winter-sale' && lastSeenAt !== null)
  })
  await open('archive')
  await page.reload()
  await page.getByRole('row').filter({ hasText: 'winter-sale' }).getByText('still evaluated').waitFor()
  expect(await page.getByRole('row').filter({ hasText: 'old-banner' }).getByText('still evaluated').count()).toBe(0)
})

test('a flag that is evaluated, but off in production, is not live yet', async () => {
  await open('insights')
  await page
    .getByText(/not live yet/)
    .first()
    .waitFor()
})
