import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withBrowser } from '../support/browser-hooks.ts'
import { addFilter, flip, logIn, openPage, told } from './support/ui-page.ts'
import { ADMIN, FLAGS, startUi, type UiServer } from './support/ui-server.ts'
import { visit } from './support/visit.ts'

const MANY = 80
/** Names that differ only at the end. */
const LONG = 'admin.new-provider-integration-with-a-rather-long-name-of-'
const ENDS = [127, 7, 247, 67]

let ui: UiServer
let browser: Browser
let page: Page

withBrowser(startUi, async (...started) => {
  ;[browser, ui] = started
  await ui.call('POST', '/api/admin/environments', { name: 'staging', type: 'preproduction' })
  const environments = ['development', 'staging', 'production'].map((environment) => ({ environment }))
  for (const { environment } of environments) {
    await ui.call('POST', '/api/admin/projects/default/environments', { environment }).catch(() => undefined)
  }
  for (const end of ENDS) await ui.call('POST', FLAGS, { name: `${LONG}${end}`, type: 'operational' })
  for (let index = 1; index <= MANY; index++) await ui.call('POST', FLAGS, { name: `shop-${index}` })
  const production = `${FLAGS}/shop-3/environments/production`
  for (const rollout of ['25', '50']) {
    const parameters = { rollout, stickiness: 'default', groupId: 'shop-3' }
    await ui.call('POST', `${production}/strategies`, { name: 'flexibleRollout', parameters })
  }
  await ui.call('POST', `${production}/on`)
})

beforeAll(async () => {
  ;({ page } = await openPage(browser))
  await logIn(page, ui.url, ADMIN)
})
afterAll(() => page.close())

const names = () =>
  page
    .getByRole('row')
    .getByRole('link')
    .evaluateAll((all) => all.map((one) => one.ariaLabel))
const row = (name: string) => page.getByRole('row', { name: new RegExp(`${name}\\b`) })

describe('columns', () => {
  /**
   * Measures the content of a row's cells from left to right, and the box in which they are visible. Waits for the table
   * in the page itself, because the list may be rebuilt before a handle of the table is used.
   */
  const measure = async () => {
    const measured = await page.waitForFunction(() => {
      const table = document.querySelector('[role="table"]')
      if (table === null) return undefined
      const shown = [...table.querySelectorAll('[role="row"][data-index="0"] [role="cell"]')]
      const range = document.createRange()
      const cells = shown.map((cell) => {
        range.selectNodeContents(cell)
        const { left, right } = range.getBoundingClientRect()
        const { right: edge } = cell.getBoundingClientRect()
        // overflow is clipped
        return { left, right: Math.min(right, edge - Number.parseFloat(getComputedStyle(cell).paddingInlineEnd)) }
      })
      const { left, right } = table.getBoundingClientRect()
      const production = [...table.querySelectorAll('[data-environment-type="production"]')].map((one) => {
        const box = one.getBoundingClientRect()
        return box.left >= left && box.right <= right + 1
      })
      return { cells, production, hidden: document.documentElement.scrollWidth > innerWidth }
    })
    const result = await measured.jsonValue()
    if (result === undefined) throw new Error('There is no table')
    return result
  }

  test.each([820, 1024, 1280, 1366, 1440, 1920])('never touch at %i, and production is in sight', async (width) => {
    await page.setViewportSize({ width, height: 800 })
    await visit(page, `${ui.url}/projects/default?q=${LONG}`)
    await row(`${LONG}7`).waitFor()
    const { cells, production, hidden } = await measure()
    const gaps = cells.slice(1).map(({ left }, index) => left - (cells[index]?.right ?? 0))
    // in a list that scrolls sideways, only the rest of the production column may be covered
    expect(Math.min(...gaps.slice(0, width < 1024 ? -1 : gaps.length))).toBeGreaterThanOrEqual(7)
    expect(production.length).toBeGreaterThan(1)
    expect(production.every((isInSight) => isInSight)).toBe(true)
    expect(hidden).toBe(false)
  })

  test('show the end of a long name too, and say all of it', async () => {
    await page.setViewportSize({ width: 1024, height: 800 })
    await visit(page, `${ui.url}/projects/default?q=${LONG}`)
    const link = page.getByRole('link', { name: `${LONG}247`, exact: true })
    const end = await link.locator('span').last().boundingBox()
    const whole = await row(`${LONG}247`).boundingBox()
    expect(end?.x ?? 0).toBeLessThan((whole?.x ?? 0) + (whole?.width ?? 0))
    expect(await link.locator('span').last().innerText()).toMatch(/247$/)
    expect(await link.innerText()).not.toContain('\n')
  })

  test('shorten a name only if the column is too narrow for it', async () => {
    const name = 'catalog-ratings-histogram'
    await ui.call('POST', FLAGS, { name })
    await page.setViewportSize({ width: 1440, height: 800 })
    await visit(page, `${ui.url}/projects/default?q=${name}`)
    await page.getByText('1 flag', { exact: true }).waitFor()
    const start = page.getByRole('link', { name, exact: true }).locator('span').first()
    expect(await start.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0)
    await ui.call('DELETE', `${FLAGS}/${name}`)
  })

  test('stay as the user chose them, in the next window too; production is always shown', async () => {
    await page.setViewportSize({ width: 1440, height: 800 })
    await visit(page, `${ui.url}/projects/default?q=shop`)
    await page.getByRole('columnheader', { name: 'Created', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('menuitemcheckbox', { name: 'Created', exact: true }).click()
    await page.getByRole('menuitemcheckbox', { name: 'development' }).click()
    expect(await page.getByRole('menuitemcheckbox', { name: 'production' }).isDisabled()).toBe(true)
    await page.keyboard.press('Escape')
    await page.reload()
    await page.getByRole('columnheader', { name: 'production' }).waitFor()
    expect(await page.getByRole('columnheader', { name: 'Created', exact: true }).count()).toBe(0)
    expect(await page.getByRole('columnheader', { name: 'development' }).count()).toBe(0)
    await page.evaluate(() => localStorage.removeItem('burgee-columns'))
    await page.reload()
    await page.getByRole('columnheader', { name: 'Created', exact: true }).waitFor()
  })

  test('can show the lifecycle stage and the creator on request', async () => {
    await page.setViewportSize({ width: 1440, height: 800 })
    await visit(page, `${ui.url}/projects/default?q=shop-7`)
    await page.getByRole('columnheader', { name: 'production' }).waitFor()
    expect(await page.getByRole('columnheader', { name: 'Created by' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Columns' }).click()
    for (const name of ['Stage', 'Created by']) await page.getByRole('menuitemcheckbox', { name }).click()
    await page.keyboard.press('Escape')
    await page.reload()
    await row('shop-7').getByRole('cell', { name: 'New', exact: true }).waitFor()
    await row('shop-7').getByRole('cell', { name: 'admin', exact: true }).waitFor()
    // the list cannot be sorted by either of these columns
    expect(await page.getByRole('columnheader', { name: 'Stage' }).getByRole('button').count()).toBe(0)
    await page.evaluate(() => localStorage.removeItem('burgee-columns'))
    await page.reload()
    await page.getByRole('columnheader', { name: 'Created', exact: true }).waitFor()
  })

  test('show a message if no flag has outlived its type', async () => {
    await visit(page, `${ui.url}/projects/default?state=potentially-stale`)
    await page.getByText('No flag is past its expected lifetime').waitFor()
    await visit(page, `${ui.url}/projects/default?state=potentially-stale&q=unheard-of`)
    await page.getByText('No matching flags').waitFor()
  })

  test('show who gets a flag, never more users than do, by one request', async () => {
    await visit(page, `${ui.url}/projects/default?q=shop-3`)
    await row('shop-3').getByText('2 rules').waitFor()
    expect(await row('shop-3').getByText('All users').count()).toBe(0)
    const segment = await ui.call<{ id: number }>('POST', '/api/admin/segments', { name: 'Staff', constraints: [] })
    const place = `${FLAGS}/shop-9/environments/production`
    const parameters = { rollout: '100', stickiness: 'default', groupId: 'shop-9' }
    const strategy = { name: 'flexibleRollout', parameters, segments: [segment.id] }
    await ui.call('POST', `${place}/strategies`, strategy)
    await ui.call('POST', `${place}/on`)
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await visit(page, `${ui.url}/projects/default?q=shop-9`)
    await row('shop-9').getByText('Staff', { exact: true }).waitFor()
    expect(await row('shop-9').getByText('100%').count()).toBe(0)
    expect(asked.filter((url) => url.includes('/segments'))).toEqual([])
    await ui.call('PUT', `/api/admin/segments/${segment.id}`, { name: 'Colleagues', constraints: [] })
    await row('shop-9').getByText('Colleagues', { exact: true }).waitFor()
  })
})

test('a flag that no SDK has reported shows so, and explains reports', async () => {
  await visit(page, `${ui.url}/projects/default?q=shop-7`)
  const cell = row('shop-7').first().getByRole('cell', { name: 'never', exact: true })
  expect(await cell.getAttribute('title')).toMatch(/^Not evaluated yet\. .*curl, reports nothing\.$/)
})

test('numbers in names are sorted by their value', async () => {
  await visit(page, `${ui.url}/projects/default?q=${LONG}`)
  await row(`${LONG}7`).waitFor()
  expect(await names()).toEqual([7, 67, 127, 247].map((end) => `${LONG}${end}`))
})

test('a favourite comes first, for this person, until it is one no more', async () => {
  await visit(page, `${ui.url}/projects/default?q=shop`)
  await page.getByRole('button', { name: 'Favorite: shop-5', exact: true }).click()
  await expect.poll(async () => (await names()).slice(0, 2)).toEqual(['shop-5', 'shop-1'])
  await page.reload()
  await expect.poll(async () => (await names())[0]).toBe('shop-5')
  const star = page.getByRole('button', { name: 'Favorite: shop-5', exact: true })
  expect(await star.getAttribute('aria-pressed')).toBe('true')
  await star.click()
  await expect.poll(async () => (await names())[0]).toBe('shop-1')
})

test('the way back from a flag leads to the place in the list', async () => {
  await visit(page, `${ui.url}/projects/default?q=shop&order=desc`)
  const table = page.getByRole('table')
  await page.getByRole('link', { name: `shop-${MANY}` }).waitFor()
  await table.evaluate((box) => box.scrollTo(0, 1500))
  await page.getByRole('link', { name: 'shop-40', exact: true }).click()
  await page.getByRole('heading', { name: 'shop-40', level: 1 }).waitFor()
  await page.goBack()
  await page.getByRole('link', { name: 'shop-40', exact: true }).waitFor()
  expect(await table.evaluate((box) => box.scrollTop)).toBe(1500)
  await page.getByRole('button', { name: /^Name/ }).click()
  await page.getByRole('link', { name: 'shop-1', exact: true }).waitFor()
})

const view = (name: string) =>
  page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name, exact: true })
const isShown = (name: string) => view(name).getAttribute('aria-pressed')

test('filters and order are saved as a view, which is a tab and can be removed', async () => {
  await visit(page, `${ui.url}/projects/default?q=shop&state=active&sort=createdAt`)
  await page.getByRole('button', { name: 'Save view' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Shop, in use')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await told(page, 'View saved as “Shop, in use”')
  await visit(page, `${ui.url}/projects/default`)
  await page.reload()
  await view('Shop, in use').click()
  await page.getByText(`${MANY} flags`, { exact: true }).waitFor()
  expect(new URL(page.url()).search).toBe('?q=shop&state=active&sort=createdAt')
  expect([await isShown('Shop, in use'), await isShown('All')]).toEqual(['true', 'false'])
  await page.getByRole('button', { name: 'Remove view “Shop, in use”' }).click()
  await view('Shop, in use').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Save view' }).waitFor()
})

test('the person’s own flags are a view: in the address and in the palette', async () => {
  await visit(page, `${ui.url}/projects/default`)
  await view('Mine').click()
  await page.getByRole('heading', { name: 'No flags of yours' }).waitFor()
  expect([new URL(page.url()).search, await isShown('Mine')]).toEqual(['?mine=true', 'true'])
  await view('All').click()
  await page.getByText(`${MANY + ENDS.length} flags`, { exact: true }).waitFor()
  expect([new URL(page.url()).search, await isShown('Mine')]).toEqual(['', 'false'])
  await page.getByRole('button', { name: 'Favorite: shop-5', exact: true }).click()
  await view('Mine').click()
  await page.getByText('1 flag', { exact: true }).waitFor()
  expect(await names()).toEqual(['shop-5'])
  await visit(page, `${ui.url}/projects/default`)
  await page.getByText(`${MANY + ENDS.length} flags`, { exact: true }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder(/Find a flag, a page/).fill('my flags')
  await page.getByRole('option', { name: 'My flags' }).click()
  await page.getByText('1 flag', { exact: true }).waitFor()
  // a flag that is no longer a favorite leaves the list
  await page.getByRole('button', { name: 'Favorite: shop-5', exact: true }).click()
  await page.getByRole('heading', { name: 'No flags of yours' }).waitFor()
})

test('a filter is added from the menu, takes the focus, and is removed with its value', async () => {
  await visit(page, `${ui.url}/projects/default`)
  await page.getByText(`${MANY + ENDS.length} flags`, { exact: true }).waitFor()
  expect(await page.getByRole('combobox', { name: 'Type' }).count()).toBe(0)
  await addFilter(page, 'Type')
  const type = page.getByRole('combobox', { name: 'Type' })
  await expect.poll(() => type.evaluate((select) => select === document.activeElement)).toBe(true)
  await type.selectOption('Kill switch')
  await page.getByRole('heading', { name: 'No matching flags' }).waitFor()
  await page.getByRole('button', { name: 'Remove filter: Type' }).click()
  await page.getByText(`${MANY + ENDS.length} flags`, { exact: true }).waitFor()
  expect([new URL(page.url()).search, await type.count()]).toEqual(['', 0])
  await addFilter(page, 'Created by')
  await page.getByRole('combobox', { name: 'Created by' }).selectOption({ index: 1 })
  await page.waitForURL(/createdBy=/)
  await page.getByText(`${MANY + ENDS.length} flags`, { exact: true }).waitFor()
})

test('the menu of a row copies the name, changes the type and archives', async () => {
  await ui.call('POST', FLAGS, { name: 'row-menu' })
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await visit(page, `${ui.url}/projects/default?q=row-menu`)
  const open = async (item: string) => {
    await page.getByRole('button', { name: 'Actions for row-menu' }).click()
    await page.getByRole('menuitem', { name: item }).click()
  }
  await open('Copy name')
  await told(page, 'Copied row-menu')
  await open('Change type')
  await page.getByRole('menuitem', { name: 'Kill switch' }).click()
  await told(page, 'row-menu is now of type Kill switch')
  expect(await ui.call('GET', `${FLAGS}/row-menu`)).toMatchObject({ type: 'kill-switch' })
  await open('Archive')
  await page.getByRole('dialog', { name: 'Archive 1 flag?' }).getByRole('button', { name: 'Archive' }).click()
  await page.getByRole('heading', { name: 'No matching flags' }).waitFor()
  await addFilter(page, 'State')
  await page.getByRole('combobox', { name: 'State' }).selectOption('Archived')
  await page.getByRole('link', { name: 'row-menu', exact: true }).waitFor()
  await page.getByRole('link', { name: 'Archive of all projects' }).waitFor()
})

test.each(['/projects/default', '/projects/default?q=shop-1', '/projects/default/features/shop-1'])(
  'the menu marks the flags at %s',
  async (path) => {
    await visit(page, `${ui.url}${path}`)
    const here = page.getByRole('navigation', { name: 'Main' }).locator('[aria-current]')
    await here.getByText('Flags').waitFor()
    expect(await here.count()).toBe(1)
  },
)

test('a list of one row is as tall as that', async () => {
  await visit(page, `${ui.url}/projects/default?q=shop-${MANY}`)
  await page.getByText('1 flag', { exact: true }).waitFor()
  expect((await page.getByRole('table').boundingBox())?.height).toBeLessThan(110)
})

test('a message covers neither the menu nor the names; a phone shows production only, on one line', async () => {
  await page.setViewportSize({ width: 1280, height: 800 })
  await visit(page, `${ui.url}/projects/default?q=shop-7`)
  await flip(page.getByRole('switch', { name: 'shop-7 in development' }))
  await told(page, 'shop-7 is on in development')
  const message = await page.locator('.mantine-Notification-root').boundingBox()
  const name = await row('shop-7').first().getByRole('link').boundingBox()
  expect(message?.x).toBeGreaterThan((name?.x ?? 0) + (name?.width ?? 0))
  await page.setViewportSize({ width: 390, height: 800 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  expect(await page.getByRole('search').getByRole('combobox').count()).toBe(0)
  await page.getByRole('button', { name: 'Filters', exact: true }).click()
  await page.getByRole('combobox', { name: 'Stage' }).waitFor()
  await page.getByRole('button', { name: 'Filters', exact: true }).click()
  await expect.poll(() => row('shop-7').first().getByRole('switch').count()).toBe(1)
  const box = await page.getByRole('switch', { name: 'shop-7 in production' }).locator('..').boundingBox()
  const { x = 0, y = 0, width = 0, height = 0 } = box ?? {}
  const whole = await row('shop-7').first().boundingBox()
  expect([x >= 0, x + width <= 390, y + height <= (whole?.y ?? 0) + (whole?.height ?? 0)]).toEqual([true, true, true])
  expect(whole?.height).toBeLessThan(60)
  await page.setViewportSize({ width: 1280, height: 800 })
})

test('names have the colour of links on every page, also after a visit', async () => {
  const read = (link: Element) => {
    const probe = document.createElement('i')
    probe.style.color = 'var(--mantine-color-anchor)'
    document.body.append(probe)
    const colors = [getComputedStyle(link).color, getComputedStyle(probe).color]
    probe.remove()
    return colors
  }
  await page.setViewportSize({ width: 1280, height: 800 })
  await visit(page, `${ui.url}/projects/default?q=shop-3`)
  const name = row('shop-3').getByRole('link')
  const [color, anchor] = await name.evaluate(read)
  expect(color).toBe(anchor)
  await name.click()
  await page.getByRole('heading', { name: 'shop-3', level: 1 }).waitFor()
  await page.goBack()
  await name.waitFor()
  expect(await name.evaluate(read)).toEqual([anchor, anchor])
})
