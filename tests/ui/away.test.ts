import type { Browser, Page } from 'playwright-core'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { withBrowser } from '../support/browser-hooks.ts'
import { beginSession, flip, logIn, openPage } from './support/ui-page.ts'
import { ADMIN, FLAGS, startUi, type UiServer } from './support/ui-server.ts'
import { visit } from './support/visit.ts'

const AWAY = 'The server cannot be reached. Is it running, and are you online?'
const FAULT = 'This part of the page failed to load. Reload the page.'

let ui: UiServer
let browser: Browser
let page: Page

// every test logs in
withBrowser(
  () => startUi({ SIMPLE_LOGIN_LIMIT_PER_MINUTE: '1000' }),
  async (...started) => {
    ;[browser, ui] = started
    await ui.call('POST', FLAGS, { name: 'lamp' })
    await ui.call('POST', '/api/admin/segments', { name: 'keepers', constraints: [] })
  },
)

/** Opens a page with a session, in a browser that has not opened any other page of the UI. */
async function begin(): Promise<() => Promise<void>> {
  ;({ page } = await openPage(browser))
  await logIn(page, ui.url, ADMIN)
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => /message-list/.test(name)),
  )
  return () => page.context().close()
}

const menu = () => page.getByRole('navigation', { name: 'Main' })
const open = (name: string) => menu().getByRole('link', { name, exact: true }).click()
const again = () => page.getByRole('button', { name: 'Try again' })

describe('while the server is away', () => {
  beforeEach(async () => {
    const end = await begin()
    await ui.pause()
    return async () => {
      await ui.resume()
      await end()
    }
  })

  test.each([
    ['a page', 'Segments'],
    ['another page', 'Playground'],
    ['a page of numbers', 'Insights'],
  ])(
    '%s that was not open yet: the frame stays, with one sentence, and the page comes once the server is back',
    async (_name, link) => {
      await open(link)
      await page.getByRole('main').getByText(AWAY).waitFor()
      await page.getByText(/^Reconnecting … showing data from \d/).waitFor()
      expect(await menu().isVisible()).toBe(true)
      expect(
        await page
          .getByRole('main')
          .getByText(/preload|import|fetch|assets/i)
          .count(),
      ).toBe(0)
      await again().click()
      await page.getByRole('main').getByText(AWAY).waitFor()
      await ui.resume()
      await again().click()
      await page.getByRole('heading', { name: link, level: 1 }).waitFor()
      await page.getByText(/^Reconnecting/).waitFor({ state: 'detached' })
      await looksRight()
    },
  )

  test('a page is found again by its link, too', async () => {
    await open('Segments')
    await page.getByRole('main').getByText(AWAY).waitFor()
    await ui.resume()
    await open('Flags')
    await page.getByRole('heading', { name: 'Flags', level: 1 }).waitFor()
    await open('Segments')
    await page.getByRole('cell').or(page.getByRole('rowheader')).filter({ hasText: 'keepers' }).first().waitFor()
    await looksRight()
  })

  test('a dialog that was not open yet shows a message and closes', async () => {
    await page.getByRole('button', { name: 'Create flag' }).click()
    await page.getByRole('alert').filter({ hasText: AWAY }).waitFor()
    expect(await menu().isVisible()).toBe(true)
    await ui.resume()
    await page.getByRole('button', { name: 'Create flag' }).click()
    await page.getByRole('dialog', { name: 'Create a flag' }).waitFor()
  })

  test('a switch whose question cannot load stays as it is, with a message', async () => {
    const toggle = page.getByRole('switch', { name: 'lamp in production' })
    await flip(toggle)
    await page
      .getByRole('alert')
      .filter({ hasText: `Failed: Turn on${AWAY}` })
      .waitFor()
    expect(await toggle.isChecked()).toBe(false)
  })

  test('the palette does not take the frame with it', async () => {
    await page.keyboard.press('Control+k')
    await page.getByRole('alert').filter({ hasText: AWAY }).waitFor()
    expect(await menu().isVisible()).toBe(true)
    await ui.resume()
    // some browsers fetch a failed file again; in other browsers the page is reloaded
    const palette = page.getByRole('combobox', { name: /Find a flag, a page/ })
    const opened = palette.waitFor().then(() => 'opened')
    const loaded = page.waitForEvent('load').then(() => 'loaded')
    await page.keyboard.press('Control+k')
    if ((await Promise.any([opened, loaded])) === 'loaded') {
      await page.getByRole('link', { name: 'lamp' }).waitFor()
      await page.keyboard.press('Control+k')
      await palette.waitFor()
    }
  })
})

/** Checks that the styles of the table have loaded: on a phone, they display rows as blocks. */
async function looksRight(): Promise<void> {
  const table = page.getByRole('main').getByRole('table')
  if ((await table.count()) === 0) return
  await page.setViewportSize({ width: 390, height: 800 })
  expect(await table.first().evaluate((element) => getComputedStyle(element).display)).toBe('block')
}

describe('after an upgrade', () => {
  let asked: string[]

  beforeEach(async () => {
    const end = await begin()
    asked = []
    page.on('request', (request) => {
      if (request.resourceType() === 'document') asked.push(new URL(request.url()).pathname)
    })
    return end
  })

  /** Simulates files of a previous version that no longer exist: the server replies as it does for any missing file. */
  async function take(file: RegExp, times: number): Promise<void> {
    let left = times
    await page.route(file, async (route) => {
      if (left === 0) return route.continue()
      left -= 1
      const response = await route.fetch({ url: `${ui.url}/assets/none.js` })
      expect(response.status()).toBe(404)
      await route.fulfill({ response })
    })
  }

  test.each([
    ['its script', /assets\/segments-page-.*\.js/, 1],
    ['its styles', /assets\/uses-.*\.css/, 2],
  ])('a page of which %s is missing opens after at most one reload', async (_name, file, times) => {
    await take(file, times)
    await page.evaluate(() => history.pushState({}, '', '/segments'))
    await page.getByText('keepers').waitFor()
    // browsers that fetch a failed file again do not need to reload the page
    expect([[], ['/segments']]).toContainEqual(asked)
    await looksRight()
  })

  test('a page that still cannot load shows a message within the frame, and is not reloaded endlessly', async () => {
    await take(/assets\/segments-page-.*\.js/, 100)
    await page.evaluate(() => history.pushState({}, '', '/segments'))
    await page.getByRole('main').getByText(FAULT).waitFor()
    expect(await menu().isVisible()).toBe(true)
    expect(asked).toEqual(['/segments'])
    await again().click()
    await page.getByRole('main').getByText(FAULT).waitFor()
    expect(asked).toEqual(['/segments'])
    await open('Flags')
    await page.getByRole('heading', { name: 'Flags', level: 1 }).waitFor()
  })

  test('pointing at a link never causes a reload', async () => {
    await take(/assets\/segments-page-.*\.js/, 1)
    const gone = page.waitForResponse((reply) => reply.status() === 404)
    await menu().getByRole('link', { name: 'Segments', exact: true }).hover()
    await gone
    await page.getByRole('link', { name: 'lamp' }).waitFor()
    expect(asked).toEqual([])
  })
})

describe('a missing page', () => {
  beforeAll(begin)

  const GONE: readonly { name: string; path: string; says: string; back: string; leads: string }[] = [
    {
      name: 'a project',
      path: '/projects/nope',
      says: 'Project “nope” not found',
      back: 'All projects',
      leads: '/projects',
    },
    {
      name: 'settings of a project',
      path: '/projects/nope/settings',
      says: 'Project “nope” not found',
      back: 'All projects',
      leads: '/projects',
    },
    {
      name: 'a flag of no project',
      path: '/projects/nope/features/lamp',
      says: 'Project “nope” not found',
      back: 'All projects',
      leads: '/projects',
    },
    {
      name: 'a flag',
      path: '/projects/default/features/nope',
      says: 'Flag “nope” not found in project Default',
      back: '← Flags',
      leads: '/projects/default',
    },
  ]
  test.each(GONE)('$name shows a message and a way back', async ({ path, says, back, leads }) => {
    await visit(page, `${ui.url}${path}`)
    await page.getByRole('heading', { name: says, level: 1 }).waitFor()
    expect(await page.getByText('No flags yet').count()).toBe(0)
    await page.getByRole('main').getByRole('link', { name: back }).click()
    await page.waitForURL(`${ui.url}${leads}`)
    // the start page must not navigate back to the missing file
    await page.goto(`${ui.url}/`)
    await page.getByRole('link', { name: 'Flags', exact: true }).click()
    await page.getByRole('link', { name: 'lamp' }).waitFor()
  })

  test.each([
    '/segments?edit=999',
    '/segments?uses=999',
    '/context-fields?edit=999',
    '/tag-types?edit=999',
    '/strategy-types?edit=999',
    '/environments?edit=999',
    '/users?edit=999',
  ])('%s shows a message above the list', async (path) => {
    await visit(page, `${ui.url}${path}`)
    const alert = page.getByRole('alert').filter({ hasText: '“999” not found' })
    await alert.waitFor()
    await alert.getByRole('button', { name: 'Close' }).click()
    await alert.waitFor({ state: 'hidden' })
    expect(new URL(page.url()).search).toBe('')
  })
})

test('a slow line shows the shape of what comes, and no blank page', async () => {
  const { page } = await openPage(browser)
  await beginSession(page, ui.url, ADMIN)
  const held = Promise.withResolvers<void>()
  await page.route('**/api/admin/user', async (route) => {
    await held.promise
    await route.continue()
  })
  await page.goto(`${ui.url}/projects/default`)
  await page.getByRole('status', { name: 'Loading' }).waitFor()
  held.resolve()
  await page.getByRole('heading', { name: 'Flags', level: 1 }).waitFor()
  await page.close()
})
