import type { Browser, Locator, Page, Request } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { withBrowser } from '../support/browser-hooks.ts'
import { flip, isChange, logIn, openPage, told } from './support/ui-page.ts'
import { ADMIN, FLAGS, startUi, type UiServer } from './support/ui-server.ts'

const AWAY = 'The server cannot be reached. Is it running, and are you online?'
const LATE = 'The server did not answer in time. The change may still have been saved'
const STRATEGIES = `${FLAGS}/wave/environments/production/strategies`
const LOADED_LATE = ['message-list', '/api/admin/environments', '/change-requests/config']
/** Longer than the request timeout. */
const TOO_LONG_MS = 31_000

let ui: UiServer
let browser: Browser
let page: Page
/** Changes that the page sent, as method and path. */
const sent: string[] = []
const note = (request: Request): void => {
  if (isChange(request)) sent.push(`${request.method()} ${new URL(request.url()).pathname}`)
}

withBrowser(startUi, async (...started) => {
  ;[browser, ui] = started
  for (const name of ['wave', 'ebb', 'tide']) await ui.call('POST', FLAGS, { name })
  await ui.call('POST', '/api/admin/segments', { name: 'sailors', constraints: [] })
})

beforeAll(async () => {
  ;({ page } = await openPage(browser))
  page.on('request', note)
  await logIn(page, ui.url, ADMIN)
})
afterAll(() => page.close())
beforeEach(async () => {
  await page.context().setOffline(false)
  await page.goto(`${ui.url}/projects/default/features/wave`)
  await page.getByRole('heading', { name: 'wave', level: 1 }).waitFor()
  await everythingCame()
  sent.length = 0
})

/**
 * Waits for everything that a page loads after its content: the code of notifications, and the settings that a switch
 * checks before it sends anything.
 */
const everythingCame = () =>
  page.waitForFunction((paths) => {
    const loaded = performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)
    return paths.every((path) => loaded.some((one) => one.includes(path)))
  }, LOADED_LATE)

const goOffline = () => page.context().setOffline(true)

/** Goes online and waits until the page has noticed and reloaded its content. */
async function goOnline(): Promise<void> {
  const read = page.waitForResponse((reply) => reply.request().method() === 'GET' && reply.ok())
  await page.context().setOffline(false)
  await read
}

/** Returns all state that could have changed, as one text. */
async function stateOf(): Promise<string> {
  const flags = await ui.call('GET', '/api/admin/search/features?archived=IS:false')
  const archived = await ui.call('GET', '/api/admin/search/features?archived=IS:true')
  const parts = [flags, archived, await ui.call('GET', STRATEGIES), await ui.call('GET', '/api/admin/segments')]
  return JSON.stringify(parts).replaceAll(/"lastSeenAt":[^,]+/g, '')
}

const dialog = (name: string): Locator => page.getByRole('dialog', { name, exact: true })

async function openFlags(): Promise<void> {
  await page.getByRole('link', { name: 'Flags', exact: true }).first().click()
  await page.getByRole('link', { name: 'ebb' }).waitFor()
}

/** User actions. The page is online when an action starts, and the action ends with the last click. */
const CHANGES: readonly { name: string; begin: () => Promise<void>; last: () => Promise<void> }[] = [
  {
    name: 'a new strategy',
    begin: async () => {
      await page.getByRole('button', { name: 'Add strategy in production' }).click()
      await dialog('New strategy in production')
        .getByLabel(/^Title/)
        .fill('typed offline')
    },
    last: () => dialog('New strategy in production').getByRole('button', { name: 'Save' }).click(),
  },
  {
    name: 'details of a flag',
    begin: async () => {
      await page.getByRole('button', { name: 'Edit details' }).click()
      await dialog('Edit details').getByLabel('Description').fill('typed offline')
    },
    last: () => dialog('Edit details').getByRole('button', { name: 'Save' }).click(),
  },
  {
    name: 'a new flag',
    begin: async () => {
      await openFlags()
      await page.getByRole('button', { name: 'Create flag' }).click()
      await dialog('Create a flag').getByLabel('Name').fill('made-offline')
    },
    last: () => dialog('Create a flag').getByRole('button', { name: 'Create flag' }).click(),
  },
  {
    name: 'several flags at once',
    begin: async () => {
      await openFlags()
      await page.getByRole('checkbox', { name: 'Select ebb' }).click()
      await page.getByRole('toolbar').getByRole('button', { name: 'Turn on or off' }).click()
    },
    last: () => dialog('1 flag').getByRole('button', { name: 'Turn on in development' }).click(),
  },
  {
    name: 'a segment',
    begin: async () => {
      await page.getByRole('link', { name: 'Segments', exact: true }).click()
      await page.getByRole('button', { name: 'Edit sailors' }).click()
      await dialog('Edit segment').getByLabel('Description').fill('typed offline')
    },
    last: () => dialog('Edit segment').getByRole('button', { name: 'Save' }).click(),
  },
]

describe('offline', () => {
  test.each(CHANGES)(
    '$name fails at once, stays to be saved, and is sent neither after Cancel nor later',
    async ({ begin, last }) => {
      await begin()
      const before = await stateOf()
      await goOffline()
      await last()
      const editor = page.getByRole('dialog')
      await editor.getByRole('alert').filter({ hasText: AWAY }).waitFor()
      await editor.getByRole('button', { name: 'Cancel' }).click()
      const leave = page.getByRole('button', { name: 'Discard' })
      if (await leave.isVisible()) await leave.click()
      await editor.waitFor({ state: 'hidden' })
      expect(sent.length).toBe(1)
      await goOnline()
      await page.waitForLoadState('networkidle')
      expect(sent.length).toBe(1)
      expect(await stateOf()).toBe(before)
    },
  )

  test('a failed change is saved by the same button once the connection is back', async () => {
    await page.getByRole('button', { name: 'Add strategy in production' }).click()
    const editor = dialog('New strategy in production')
    await editor.getByLabel(/^Title/).fill('saved in the end')
    await goOffline()
    await editor.getByRole('button', { name: 'Save' }).click()
    await editor.getByText(AWAY).waitFor()
    await goOnline()
    await page.waitForLoadState('networkidle')
    expect(await ui.call('GET', STRATEGIES)).toEqual([])
    await editor.getByRole('button', { name: 'Save' }).click()
    await editor.waitFor({ state: 'hidden' })
    expect(await ui.call('GET', STRATEGIES)).toMatchObject([{ title: 'saved in the end' }])
  })

  test.each(['on its page', 'in the list'])('a switch %s flips back, shows why, and stays so', async (where) => {
    if (where === 'in the list') await openFlags()
    const before = await stateOf()
    const toggle = page.getByRole('switch', { name: 'wave in development' })
    await goOffline()
    await flip(toggle)
    // the message of an earlier change may still be shown
    await expect.poll(() => sent.length).toBe(1)
    await told(page, AWAY)
    await expect.poll(() => toggle.isChecked()).toBe(false)
    await goOnline()
    await page.waitForLoadState('networkidle')
    expect([await toggle.isChecked(), sent.length, await stateOf()]).toEqual([false, 1, before])
  })

  test('archiving is not done, and not later', async () => {
    const before = await stateOf()
    await page.getByRole('button', { name: /^More/ }).click()
    await page.getByRole('menuitem', { name: 'Archive' }).click()
    await goOffline()
    await dialog('Archive wave?').getByRole('button', { name: 'Archive' }).click()
    await told(page, `Failed: Archive${AWAY}`)
    await goOnline()
    await page.waitForLoadState('networkidle')
    expect([sent.length, await stateOf()]).toEqual([1, before])
  })

  test('a failed read shows a message, and reloads by itself when the connection is back', async () => {
    await page.getByRole('tab', { name: 'History' }).hover()
    await goOffline()
    await page.getByRole('link', { name: 'Flags', exact: true }).first().click()
    await page.getByText(AWAY).waitFor()
    await page.context().setOffline(false)
    await page.getByRole('link', { name: 'ebb' }).waitFor()
  })
})

describe('a server that does not answer', () => {
  let page: Page

  // an installed clock cannot be removed from a page
  beforeAll(async () => {
    ;({ page } = await openPage(browser))
    page.on('request', note)
    await page.clock.install()
    await logIn(page, ui.url, ADMIN)
    await page.goto(`${ui.url}/projects/default/features/wave`)
    sent.length = 0
  })
  afterAll(() => page.close())

  const dialog = (name: string): Locator => page.getByRole('dialog', { name, exact: true })

  /** Lets the server process requests, but withholds its replies. */
  const loseAnswers = () =>
    page.route('**/strategies{,/*}', async (route) => {
      if (route.request().method() === 'GET') return route.continue()
      await route.fetch()
      await page.clock.fastForward(TOO_LONG_MS)
    })

  async function save(editor: Locator): Promise<void> {
    await editor.getByRole('button', { name: 'Save' }).click()
  }

  test('times out after half a minute: the result is unknown, so the page reloads its data', async () => {
    await loseAnswers()
    await page.getByRole('button', { name: 'Add strategy in production' }).click()
    const editor = dialog('New strategy in production')
    await editor.getByLabel(/^Title/).fill('landed unseen')
    await save(editor)
    await editor.getByRole('alert').filter({ hasText: LATE }).waitFor()
    await page.getByRole('region', { name: 'production' }).getByText('landed unseen').waitFor()
    expect(sent.length).toBe(1)
    await page.unrouteAll()
    await editor.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Discard' }).click()
    await editor.waitFor({ state: 'hidden' })
  })

  test("causes no conflict with one's own change that was applied", async () => {
    await page
      .getByRole('region', { name: 'production' })
      .getByRole('button', { name: 'Edit', exact: true })
      .first()
      .click()
    const editor = dialog('Strategy in production')
    await editor.getByLabel(/^Title/).fill('landed twice')
    await loseAnswers()
    await save(editor)
    await editor.getByRole('alert').filter({ hasText: LATE }).waitFor()
    await page.unrouteAll()
    await save(editor)
    await editor.waitFor({ state: 'hidden' })
    expect((await ui.call<{ title: string }[]>('GET', STRATEGIES))[0]?.title).toBe('landed twice')
    await told(page, 'Strategy saved')
  })
})

describe('pressed twice, fast', () => {
  const twice = (locator: Locator) =>
    locator.evaluate((element: HTMLElement) => {
      element.click()
      element.click()
    })

  test('a form is sent once', async () => {
    const before = (await ui.call<unknown[]>('GET', STRATEGIES)).length
    await page.getByRole('button', { name: 'Add strategy in production' }).click()
    const editor = dialog('New strategy in production')
    await editor.getByLabel(/^Title/).fill('once')
    await twice(editor.getByRole('button', { name: 'Save' }))
    await editor.waitFor({ state: 'hidden' })
    expect(sent.length).toBe(1)
    expect(await ui.call<unknown[]>('GET', STRATEGIES)).toHaveLength(before + 1)
  })

  test('a switch is sent once', async () => {
    await twice(page.getByRole('switch', { name: 'wave in development' }))
    await told(page, 'wave is on in development')
    expect(sent.length).toBe(1)
  })
})
