import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withBrowser } from '../support/browser-hooks.ts'
import { addFilter, type Complaints, logIn, openPage, told } from './support/ui-page.ts'
import { ADMIN, FLAGS, startUi, type UiServer } from './support/ui-server.ts'
import { visit } from './support/visit.ts'

const MANY = 5000
const AT_ONCE = 16
const TYPES = ['release', 'experiment', 'operational', 'kill-switch', 'permission']
const MOST_BYTES = 200_000
const MOST_INITIAL_SCRIPT_BYTES = 200_000

let ui: UiServer
let browser: Browser

const nameOf = (index: number): string => `team-${index % 50}.feature-${String(index).padStart(4, '0')}`

withBrowser(startUi, async (...started) => {
  ;[browser, ui] = started
  let next = 0
  const work = async (): Promise<void> => {
    for (let index = next++; index < MANY; index = next++) {
      await ui.call('POST', FLAGS, { name: nameOf(index), type: TYPES[index % 5], description: `Feature ${index}` })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
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

  test('the list shows their number and renders only some rows', async () => {
    await page.getByText('5,000 flags').waitFor()
    await flag(0).waitFor()
    expect(await page.getByRole('row').count()).toBeLessThan(60)
    expect(await page.locator('*').count()).toBeLessThanOrEqual(900)
    expect(await page.getByRole('table').getAttribute('aria-rowcount')).toBe('5001')
  })

  test('environments are compared by one request, and only some rows are rendered', async () => {
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await visit(page, `${ui.url}/projects/default/compare?equal=true`)
    await page.getByText('0 flags differ, 5,000 are the same').waitFor()
    expect(await page.getByRole('listitem').count()).toBeLessThan(60)
    expect(asked.filter((url) => /comparison|features\//.test(url)).length).toBe(1)
    await visit(page, `${ui.url}/projects/default`)
    await flag(0).waitFor()
  })

  test('the first are chosen and can be promoted if more differ than one promotion takes', async () => {
    const features = Array.from({ length: 1200 }, (_, index) => nameOf(index))
    const switched = (state: 'on' | 'off') =>
      ui.call('POST', `/api/admin/projects/default/bulk_features/environments/development/${state}`, { features })
    await switched('on')
    await visit(page, `${ui.url}/projects/default/compare`)
    await page.getByText('1,200 flags differ, 3,800 are the same').waitFor()
    await page.getByRole('button', { name: 'Select all that differ' }).click()
    await page.getByText('First 200 of 1,200 flags selected').waitFor()
    await page.getByRole('button', { name: 'Promote to production' }).click()
    await page.getByRole('dialog', { name: 'Promote 200 flags to production' }).waitFor()
    await page.keyboard.press('Escape')
    await switched('off')
    await visit(page, `${ui.url}/projects/default`)
    await flag(0).waitFor()
  })

  test('scrolling goes anywhere at once', async () => {
    const table = page.getByRole('table')
    await table.evaluate((box) => box.scrollTo(0, box.scrollHeight))
    await flag(4999).waitFor()
    await table.evaluate((box) => box.scrollTo(0, box.scrollHeight / 2))
    await page
      .getByRole('link', { name: /^team-2[45]\b/ })
      .first()
      .waitFor()
  })

  test('search, filter and order are answered by the server and stand in the address', async () => {
    await page.getByLabel('Search flags').fill('feature-4321')
    await page.getByText('1 flag', { exact: true }).waitFor()
    await flag(4321).waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByText('5,000 flags').waitFor()
    await addFilter(page, 'Type')
    await page.getByRole('combobox', { name: 'Type' }).selectOption('Kill switch')
    await page.getByText('1,000 flags').waitFor()
    await page.getByRole('button', { name: /^Name/ }).click()
    await flag(4998).waitFor()
    expect(new URL(page.url()).search).toBe('?type=kill-switch&sort=name&order=desc')
    await page.reload()
    await flag(4998).waitFor()
    await page.goBack()
    await flag(3).waitFor()
  })

  const total = async (query: string): Promise<number> =>
    (await ui.call<{ total: number }>('GET', `/api/admin/search/features?limit=1&${query}`)).total

  test('rows are chosen by mouse and keys, and what will happen is summed up before it does', async () => {
    await visit(page, `${ui.url}/projects/default?q=feature-00`)
    await page.getByText('100 flags', { exact: true }).waitFor()
    await page.getByLabel(`Select ${nameOf(50)}`).check()
    await flag(1).focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Shift+X')
    const bar = page.getByRole('toolbar', { name: 'Selected flags' })
    await bar.getByText('3 flags selected').waitFor()
    await bar.getByRole('button', { name: 'Turn on or off' }).click()
    const dialog = page.getByRole('dialog', { name: '3 flags' })
    await dialog.getByText('3 flags change:').waitFor()
    expect(await dialog.getByText(/is a production environment/).count()).toBe(0)
    await dialog.getByLabel('Environment').selectOption('production')
    await dialog.getByText('Goes live within seconds.').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect(await total('status=production:enabled')).toBe(0)
    await bar.getByRole('button', { name: 'Turn on or off' }).click()
    await dialog.getByLabel('Environment').selectOption('production')
    await dialog.getByRole('button', { name: 'Turn on in production' }).click()
    await told(page, '3 flags are on in production')
    expect(await total('status=production:enabled')).toBe(3)
    await addFilter(page, 'On or off')
    await page.getByRole('combobox', { name: 'On or off' }).selectOption('On in production')
    await page.getByText('3 flags', { exact: true }).waitFor()
    expect(new URL(page.url()).search).toBe('?q=feature-00&on=production')
  })

  test('all that match are tagged at once, and untagged by undo where they were not tagged before', async () => {
    await ui.call('POST', `/api/admin/features/${nameOf(7)}/tags`, { type: 'simple', value: 'spring' })
    await visit(page, `${ui.url}/projects/default?type=experiment`)
    await page.getByText('1,000 flags', { exact: true }).waitFor()
    const all = page.getByLabel('Select all loaded flags')
    const state = () => all.evaluate((box: HTMLInputElement) => ({ all: box.checked, some: box.indeterminate }))
    await all.click()
    const bar = page.getByRole('toolbar', { name: 'Selected flags' })
    await bar.getByText('100 flags selected').waitFor()
    expect(await state()).toEqual({ all: false, some: true })
    await bar.getByRole('button', { name: 'Select all 1,000' }).click()
    await bar.getByText('1,000 flags selected').waitFor()
    expect(await state()).toEqual({ all: true, some: false })
    await flag(1).waitFor()
    await ui.call('POST', `/api/admin/features/${nameOf(1)}/tags`, { type: 'simple', value: 'spring' })
    await page.getByRole('button', { name: 'Clear selection' }).click()
    expect(await state()).toEqual({ all: false, some: false })
    await all.click()
    await bar.getByRole('button', { name: 'Select all 1,000' }).click()
    await bar.getByText('1,000 flags selected').waitFor()
    await bar.getByRole('button', { name: 'Tags' }).click()
    const dialog = page.getByRole('dialog', { name: '1,000 flags' })
    await dialog.getByRole('textbox', { name: 'Value' }).fill('spring')
    await dialog.getByText('999 flags change:').waitFor()
    await dialog.getByText('1 is already in this state.').waitFor()
    await dialog.getByRole('button', { name: 'Add tag' }).click()
    await told(page, 'Added tag simple:spring to 999 flags')
    expect(await total('tag=INCLUDE:simple:spring')).toBe(1001)
    await page
      .getByRole('row', { name: new RegExp(nameOf(1)) })
      .getByText('simple:spring')
      .waitFor()
    await page.getByRole('alert').filter({ hasText: 'simple:spring' }).getByRole('button', { name: 'Undo' }).click()
    await told(page, 'Removed tag simple:spring from 999 flags')
    expect(await total('tag=INCLUDE:simple:spring')).toBe(2)
  })

  test('a refusal restores the old state with the reason; archived flags can be revived', async () => {
    await visit(page, `${ui.url}/projects/default?q=feature-222`)
    await page.getByText('10 flags', { exact: true }).waitFor()
    await page.route('**/projects/default/stale', (route) =>
      route.fulfill({ status: 403, json: { name: 'NoAccessError', message: 'Not on a Friday.' } }),
    )
    await page.getByLabel('Select all loaded flags').check()
    await page.getByRole('toolbar').getByRole('button', { name: 'Stale' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Mark as stale' }).click()
    await page.getByRole('dialog').getByText('You don’t have permission to do this.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('row').getByText('Stale').first().waitFor({ state: 'detached' })
    await page.getByLabel('Select all loaded flags').check()
    await page.getByRole('toolbar').getByRole('button', { name: 'Archive' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click()
    await told(page, 'Archived 10 flags')
    await page.getByRole('button', { name: 'Clear filters' }).first().click()
    await page.getByText('4,990 flags').waitFor()
    await addFilter(page, 'State')
    await page.getByRole('combobox', { name: 'State' }).selectOption('Archived')
    await page.getByText('10 flags', { exact: true }).waitFor()
    await page.getByLabel('Select all loaded flags').check()
    await page.getByRole('toolbar').getByRole('button', { name: 'Restore' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click()
    await told(page, 'Restored 10 flags')
    await page.getByText('No matching flags').waitFor()
  })

  test('the palette finds one of them', async () => {
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder(/Find a flag, a page/).fill('feature-1234')
    await page
      .getByRole('option', { name: nameOf(1234) })
      .first()
      .click()
    await page.getByRole('heading', { name: nameOf(1234), level: 1 }).waitFor()
  })

  test('the palette finds a flag in spite of a typing error', async () => {
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder(/Find a flag, a page/).fill('taem-7 faeture-1207')
    await page
      .getByRole('option', { name: nameOf(1207) })
      .first()
      .waitFor()
    await page.keyboard.press('Escape')
  })

  test('no request is large, and the first scripts are small', async () => {
    const large = [...sizes].filter(([, size]) => size > MOST_BYTES)
    expect(large).toEqual([])
    const { page: fresh } = await openPage(browser)
    // code that is loaded when the page is idle is not part of the first view, and it loads at a random time
    await fresh.addInitScript(() => {
      window.requestIdleCallback = () => 0
    })
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
