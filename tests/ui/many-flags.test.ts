import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { BROWSER_LIMIT_MS, launchBrowser } from '../support/browser.ts'
import { type Complaints, logIn, openPage } from './ui-page.ts'
import { ADMIN, FLAGS, startUi, type UiServer } from './ui-server.ts'

const MANY = 5000
const AT_ONCE = 16
const TYPES = ['release', 'experiment', 'operational', 'kill-switch', 'permission']
const MOST_BYTES = 200_000
const MOST_INITIAL_SCRIPT_BYTES = 250_000

let ui: UiServer
let browser: Browser

const nameOf = (index: number): string => `team-${index % 50}.feature-${String(index).padStart(4, '0')}`

beforeAll(async () => {
  ui = await startUi()
  browser = await launchBrowser()
  let next = 0
  const work = async (): Promise<void> => {
    for (let index = next++; index < MANY; index = next++) {
      await ui.call('POST', FLAGS, { name: nameOf(index), type: TYPES[index % 5], description: `Feature ${index}` })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}, BROWSER_LIMIT_MS)
afterAll(async () => {
  await browser?.close()
  await ui?.close()
})

describe('with 5,000 flags', () => {
  let page: Page
  let complaints: Complaints
  const sizes = new Map<string, number>()

  beforeAll(async () => {
    ;({ page, complaints } = await openPage(browser))
    page.on('requestfinished', async (request) => {
      const { responseBodySize } = await request.sizes().catch(() => ({ responseBodySize: 0 }))
      sizes.set(request.url(), Math.max(sizes.get(request.url()) ?? 0, responseBodySize))
    })
    await logIn(page, ui.url, ADMIN)
  })
  afterAll(() => page.close())

  const flag = (index: number) => page.getByRole('link', { name: nameOf(index), exact: true })

  test('the list says how many there are and keeps but some rows', async () => {
    await page.getByText('5,000 flags').waitFor()
    await flag(0).waitFor()
    expect(await page.getByRole('row').count()).toBeLessThan(60)
    expect(await page.getByRole('table').getAttribute('aria-rowcount')).toBe('5001')
  })

  test('scrolling goes anywhere at once', async () => {
    const table = page.getByRole('table')
    await table.evaluate((box) => box.scrollTo(0, box.scrollHeight))
    await flag(4909).waitFor()
    await table.evaluate((box) => box.scrollTo(0, box.scrollHeight / 2))
    await page
      .getByRole('link', { name: /^team-3\d/ })
      .first()
      .waitFor()
  })

  test('search, filter and order are answered by the server and stand in the address', async () => {
    await page.getByLabel('Search flags').fill('feature-4321')
    await page.getByText('1 flag', { exact: true }).waitFor()
    await flag(4321).waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByText('5,000 flags').waitFor()
    await page.getByRole('combobox', { name: 'Type' }).click()
    await page.getByRole('option', { name: 'Kill switch' }).click()
    await page.getByText('1,000 flags').waitFor()
    await page.getByRole('button', { name: /^Name/ }).click()
    await flag(4958).waitFor()
    expect(new URL(page.url()).search).toBe('?type=kill-switch&sort=name&order=desc')
    await page.reload()
    await flag(4958).waitFor()
    await page.goBack()
    await flag(13).waitFor()
  })

  test('the palette finds one of them', async () => {
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder(/Find a flag or a page/).fill('feature-1234')
    await page
      .getByRole('button', { name: nameOf(1234) })
      .first()
      .click()
    await page.getByRole('heading', { name: nameOf(1234), level: 1 }).waitFor()
  })

  test('no request is large, and the first scripts are small', async () => {
    const large = [...sizes].filter(([, size]) => size > MOST_BYTES)
    expect(large).toEqual([])
    const { page: fresh } = await openPage(browser)
    const scripts: Promise<number>[] = []
    fresh.on('requestfinished', (request) => {
      if (request.url().endsWith('.js')) scripts.push(request.sizes().then(({ responseBodySize }) => responseBodySize))
    })
    await logIn(fresh, ui.url, ADMIN)
    await fresh.getByText('5,000 flags').waitFor()
    const bytes = (await Promise.all(scripts)).reduce((sum, size) => sum + size, 0)
    process.stdout.write(`Scripts of login and list of flags, compressed: ${bytes} bytes in ${scripts.length} files\n`)
    expect(bytes).toBeGreaterThan(100_000)
    expect(bytes).toBeLessThan(MOST_INITIAL_SCRIPT_BYTES)
    await fresh.close()
    expect(complaints).toEqual([])
  })
})
