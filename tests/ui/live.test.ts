import type { Browser, BrowserContext, Page, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withBrowser } from '../support/browser-hooks.ts'
import { until } from '../support/wait.ts'
import { logIn, openPage } from './support/ui-page.ts'
import { ADMIN, FLAGS, startUi, type UiServer } from './support/ui-server.ts'
import { visit } from './support/visit.ts'

const STREAM = '/api/admin/event-stream'
const PAST_ALL_POLLS_MS = 11_000

let ui: UiServer
let browser: Browser

withBrowser(startUi, async (...started) => {
  ;[browser, ui] = started
  for (const name of ['one', 'two']) await ui.call('POST', FLAGS, { name })
})

const turn = (flag: string, state: 'on' | 'off') =>
  ui.call('POST', `${FLAGS}/${flag}/environments/development/${state}`)
const switchOf = (page: Page, flag: string) => page.getByRole('switch', { name: new RegExp(`${flag}.*development`) })

describe('pages follow what others do', () => {
  let page: Page
  let context: BrowserContext
  let complaints: readonly string[]
  const streams: string[] = []

  beforeAll(async () => {
    ;({ page, complaints } = await openPage(browser))
    context = page.context()
    context.on('request', (request) => {
      if (request.url().endsWith(STREAM)) streams.push(request.url())
    })
    await logIn(page, ui.url, ADMIN)
    await until(() => streams.length === 1)
  })
  afterAll(() => context.close())

  test('the list', async () => {
    await switchOf(page, 'one').waitFor()
    await turn('one', 'on')
    await until(() => switchOf(page, 'one').isChecked())
    await ui.call('POST', FLAGS, { name: 'three' })
    await page.getByRole('link', { name: 'three' }).waitFor()
  })

  test('the page of a flag', async () => {
    await visit(page, `${ui.url}/projects/default/features/one`)
    await until(() => switchOf(page, 'one').isChecked())
    await turn('one', 'off')
    await until(async () => !(await switchOf(page, 'one').isChecked()))
  })

  test('asks nothing about what is not on it', async () => {
    const asked: string[] = []
    const note = (request: { url(): string }) => void asked.push(new URL(request.url()).pathname)
    page.on('request', note)
    await turn('two', 'on')
    await turn('one', 'on')
    await until(() => switchOf(page, 'one').isChecked())
    page.off('request', note)
    expect(asked.filter((path) => path.includes('/features/two'))).toEqual([])
    expect(asked.some((path) => path.endsWith('/features/one/overview'))).toBe(true)
  })

  test('two pages of a browser read one stream', async () => {
    const other = await context.newPage()
    await other.goto(`${ui.url}/projects/default`)
    await switchOf(other, 'two').waitFor()
    await until(() => switchOf(other, 'two').isChecked())
    await turn('two', 'off')
    await until(async () => !(await switchOf(other, 'two').isChecked()))
    expect(streams).toHaveLength(1)
    await other.close()
  })

  test('a new page receives what happened between its first reads and its subscription', async () => {
    const other = await context.newPage()
    let release = (): void => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await other.route(/assets\/index-.*\.js$/, async (route) => {
      await held
      await route.continue()
    })
    const list = other.waitForResponse((reply) => reply.url().includes('/search/features'))
    await other.goto(`${ui.url}/projects/default`, { waitUntil: 'commit' })
    await (await list).finished()
    await turn('two', 'on')
    release()
    await switchOf(other, 'two').waitFor()
    await until(() => switchOf(other, 'two').isChecked())
    await turn('two', 'off')
    await until(async () => !(await switchOf(other, 'two').isChecked()))
    expect(streams).toHaveLength(1)
    await other.close()
  })

  test('the next page reads it when the first is closed', async () => {
    const other = await context.newPage()
    await other.goto(`${ui.url}/projects/default`)
    await switchOf(other, 'two').waitFor()
    await page.close()
    page = other
    await until(() => streams.length === 2)
    await turn('two', 'on')
    await until(() => switchOf(page, 'two').isChecked())
  })

  test('reloads everything after an outage of the server', async () => {
    await ui.pause()
    await ui.resume()
    await turn('two', 'off')
    await until(async () => !(await switchOf(page, 'two').isChecked()))
    expect(complaints).toEqual([])
  })
})

test('pages poll every few seconds if the server has no stream', async () => {
  const other = await startUi({ MAX_STREAMS: '0' })
  try {
    await other.call('POST', FLAGS, { name: 'one' })
    const { page } = await openPage(browser)
    await page.clock.install()
    await logIn(page, other.url, ADMIN)
    await switchOf(page, 'one').waitFor()
    const settled = settledOf(page)
    await page.clock.runFor(PAST_ALL_POLLS_MS)
    await settled()
    // the replies are slower than the steps of the clock, because the page's request timeout uses that clock too
    await page.route('**/api/admin/**', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 1000))
      await route.continue().catch(() => {})
    })
    await other.call('POST', `${FLAGS}/one/environments/development/on`)
    await until(async () => {
      await page.clock.runFor(PAST_ALL_POLLS_MS)
      await settled()
      return switchOf(page, 'one').isChecked()
    })
    await page.context().close()
  } finally {
    await other.close()
  }
})

/** Waits until a page has no pending requests. Otherwise the advancing clock would make them time out. */
function settledOf(page: Page): () => Promise<unknown> {
  const open = new Set<Request>()
  page.on('request', (request) => void open.add(request))
  page.on('requestfinished', (request) => void open.delete(request))
  page.on('requestfailed', (request) => void open.delete(request))
  return () => until(() => open.size === 0)
}

test('pages that poll show the state of a restored database', async () => {
  const other = await startUi({ MAX_STREAMS: '0' })
  try {
    await other.call('POST', FLAGS, { name: 'one' })
    const { page } = await openPage(browser)
    await page.clock.install()
    await logIn(page, other.url, ADMIN)
    await switchOf(page, 'one').waitFor()
    const settled = settledOf(page)
    await page.clock.runFor(PAST_ALL_POLLS_MS)
    await settled()
    // in the log of the restored database, no event follows the last event that the page has read
    await page.route('**/api/admin/search/events*', (route) =>
      route.fulfill({ json: { events: [], total: 0, epoch: 'restored' } }),
    )
    await other.call('POST', `${FLAGS}/one/environments/development/on`)
    await until(async () => {
      await page.clock.runFor(PAST_ALL_POLLS_MS)
      await settled()
      return switchOf(page, 'one').isChecked()
    })
    await page.context().close()
  } finally {
    await other.close()
  }
})
