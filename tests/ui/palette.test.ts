import { getBucket, ROLLOUT_SEED } from '@burgee/engine/rules/hash'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { withBrowser } from '../support/browser-hooks.ts'
import { until } from '../support/wait.ts'
import { type Complaints, flip, isChange, logIn, openPage, told } from './support/ui-page.ts'
import { ADMIN, FLAGS, startUi, type UiServer, VIEWER } from './support/ui-server.ts'
import { visit } from './support/visit.ts'

let ui: UiServer
let browser: Browser

withBrowser(startUi, async (...started) => {
  ;[browser, ui] = started
  await ui.call('POST', '/api/admin/projects', { id: 'shop', name: 'The shop' })
  await ui.call('POST', FLAGS, { name: 'checkout' })
  await ui.call('POST', '/api/admin/projects/shop/features', { name: 'basket' })
  await ui.call('POST', '/api/admin/segments', { name: 'staff', constraints: [] })
  await ui.call('POST', '/api/admin/user-admin', { ...VIEWER, rootRole: 3 })
})

const isOn = async (environment: string): Promise<boolean | undefined> => {
  const { environments } = await ui.call<{ environments: { name: string; enabled: boolean }[] }>(
    'GET',
    `${FLAGS}/checkout`,
  )
  return environments.find(({ name }) => name === environment)?.enabled
}

/** Opens the palette, types, and chooses the result with this name. */
async function take(page: Page, text: string, name: string | RegExp): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder(/Find a flag, a page/).fill(text)
  await page.getByRole('option', { name, exact: typeof name === 'string' }).click()
}

describe('the palette', () => {
  let page: Page
  let complaints: Complaints

  beforeAll(async () => {
    ;({ page, complaints } = await openPage(browser, { permissions: ['clipboard-read', 'clipboard-write'] }))
    await logIn(page, ui.url, ADMIN)
  })
  afterAll(() => page.close())

  /** Blocks loading of the palette's code until the returned function is called. */
  async function holdPalette(): Promise<() => void> {
    let release = (): void => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(
      /\/palette-[^/]*\.js/,
      async (route) => {
        await held
        await route.continue()
      },
      { times: 1 },
    )
    return release
  }

  const copied = () => page.evaluate(() => navigator.clipboard.readText())

  test('turns a flag on and off, in production after a question', async () => {
    await take(page, 'check', 'Turn checkout on in development')
    await told(page, 'checkout is on in development')
    expect(await isOn('development')).toBe(true)
    await take(page, 'check', 'Turn checkout off in development')
    await told(page, 'checkout is off in development')
    await take(page, 'check', 'Turn checkout on in production')
    await page
      .getByRole('dialog', { name: /Turn checkout on/ })
      .getByRole('button', { name: 'Cancel' })
      .click()
    expect([await isOn('development'), await isOn('production')]).toEqual([false, false])
  })

  test('takes what is typed before its part has come, and no letter of it acts on the page', async () => {
    await page.reload()
    await page.getByRole('heading', { name: 'Flags', level: 1 }).waitFor()
    const release = await holdPalette()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('checkoux')
    await page.keyboard.press('Backspace')
    await page.keyboard.type('t')
    release()
    const field = page.getByPlaceholder(/Find a flag, a page/)
    await field.and(page.locator(':focus')).waitFor()
    await page.keyboard.type(' ')
    await expect.poll(() => field.inputValue()).toBe('checkout ')
    expect(await page.getByRole('dialog').count()).toBe(1)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
  })

  test.each([
    ['Enter opens what it finds', ['Enter'], '/projects/default/features/checkout'],
    ['Escape gives it up', ['Escape'], '/projects/default'],
  ])('typing before it has loaded is not lost: %s', async (_what, keys, path) => {
    await visit(page, `${ui.url}/projects/default`)
    await page.getByRole('heading', { name: 'Flags', level: 1 }).waitFor()
    const release = await holdPalette()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('checkout')
    for (const key of keys) await page.keyboard.press(key)
    release()
    await page.waitForURL(`**${path}`)
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.getByRole('heading', { level: 1 }).waitFor()
  })

  test('copies the name of a flag', async () => {
    await take(page, 'checkout', 'Copy name checkout')
    expect(await copied()).toBe('checkout')
  })

  test('finds flags of other projects, segments, pages and projects', async () => {
    await take(page, 'bask', /^basket/)
    await page.getByRole('heading', { name: 'basket', level: 1 }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/projects/shop/features/basket')
    await take(page, 'staff', 'staff')
    await page.getByRole('dialog', { name: 'Edit segment' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await take(page, 'event log', 'Activity')
    await page.getByRole('heading', { name: 'Activity', level: 1 }).waitFor()
    await take(page, 'project default', /^Go to project/)
    // the page behind the palette also has links with that name
    await page.getByRole('heading', { name: 'Flags', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'checkout' }).waitFor()
  })

  test.each([
    ['sso', 'Single sign-on', 'Single sign-on'],
    ['rights', 'Roles', 'Roles'],
    ['archived', 'Archived flags', 'Archived flags'],
    ['actvity', 'Activity', 'Activity'],
  ])('"%s" finds the page %s by a synonym or despite a typing error', async (text, entry, heading) => {
    await take(page, text, entry)
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
  })

  test.each([
    ['create seg', 'Create a segment', 'Create segment'],
    ['create api', 'Create an API token', 'Create token'],
    ['create a fl', 'Create a flag', 'Create a flag'],
    ['show keyboard', 'Show keyboard shortcuts', 'Keyboard shortcuts'],
  ])('"%s" opens the dialog it names', async (text, entry, dialog) => {
    await take(page, text, entry)
    await page.getByRole('dialog', { name: dialog }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
  })

  test('changes theme, contrast and language, which stay', async () => {
    await take(page, 'dark', 'Dark theme')
    await take(page, 'contrast', 'High contrast: on')
    await take(page, 'deutsch', 'Language: Deutsch')
    const looks = () =>
      page.evaluate(() => {
        const { dataset, lang } = document.documentElement
        const text = getComputedStyle(document.body).getPropertyValue('--mantine-color-text').trim()
        return [dataset.mantineColorScheme, dataset.contrast, lang, text]
      })
    await page.getByRole('button', { name: /Konto/ }).waitFor()
    expect(await looks()).toEqual(['dark', 'high', 'de', '#fff'])
    await page.reload()
    await page.getByRole('button', { name: /Konto/ }).click()
    expect(await looks()).toEqual(['dark', 'high', 'de', '#fff'])
    await page.getByRole('menuitemcheckbox', { name: 'Hoher Kontrast' }).click()
    expect((await looks())[1]).toBe('normal')
    await page.getByRole('menuitemradio', { name: 'English' }).click()
    expect(complaints).toEqual([])
  })

  test('the playground names the bucket that the engine computes, and its link shows the same', async () => {
    await ui.call('POST', FLAGS, { name: 'timed' })
    const bucket = getBucket('7', 'timed', 100, ROLLOUT_SEED)
    await ui.call('POST', `${FLAGS}/timed/environments/development/strategies`, {
      name: 'flexibleRollout',
      parameters: { rollout: String(bucket), stickiness: 'userId', groupId: 'timed' },
      constraints: [{ contextName: 'currentTime', operator: 'DATE_AFTER', value: '2030-01-01T00:00:00Z' }],
    })
    await ui.call('POST', `${FLAGS}/timed/environments/development/on`)
    await visit(page, `${ui.url}/playground`)
    await page.getByLabel('User ID').fill('7')
    await page.getByRole('textbox', { name: 'Time' }).fill('2031-05-01T12:00')
    await page.getByRole('button', { name: 'Evaluate' }).click()
    await page.getByRole('button', { name: 'Why? timed' }).click()
    const why = page.getByRole('dialog', { name: 'Why? timed' })
    const development = why.getByRole('region', { name: 'development' })
    await development.getByText(new RegExp(`^On: .*\\(userId “7” → bucket ${bucket} ≤ ${bucket}\\)`)).waitFor()
    await development.getByRole('img', { name: `Bucket ${bucket} of 100` }).waitFor()
    await why.getByRole('region', { name: 'production' }).getByText('Off: the flag is switched off').waitFor()
    await page.keyboard.press('Escape')
    await why.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Copy link' }).click()
    const link = await copied()
    await visit(page, link)
    await page.getByRole('row', { name: /timed On Off/ }).waitFor()
    expect(await page.getByRole('textbox', { name: 'Time' }).inputValue()).toBe('2031-05-01T12:00')
    await page.getByRole('textbox', { name: 'Time' }).fill('2029-05-01T12:00')
    await page.getByRole('button', { name: 'Evaluate' }).click()
    await page.getByRole('row', { name: /timed Off Off/ }).waitFor()
    await page.goBack()
    await page.getByRole('row', { name: /timed On Off/ }).waitFor()
    expect(complaints).toEqual([])
  })
})

describe('the Enter key', () => {
  let page: Page
  let complaints: Complaints
  /** Searches that are blocked until the test releases them. */
  let held: (() => void)[]
  let isHolding = false
  const sent: string[] = []

  beforeAll(async () => {
    await ui.call('POST', FLAGS, { name: 'dark-mode' })
    await ui.call('POST', FLAGS, { name: 'edge-cache-47', description: 'dark' })
    await ui.call('POST', FLAGS, { name: 'dark' })
    ;({ page, complaints } = await openPage(browser))
    page.on('request', (request) => {
      if (isChange(request)) sent.push(request.url())
    })
    await page.route('**/api/admin/search/features?query=*', async (route) => {
      if (isHolding) await new Promise<void>((resolve) => held.push(resolve))
      await route.continue()
    })
    await logIn(page, ui.url, ADMIN)
  })
  afterAll(() => page.close())
  beforeEach(async () => {
    held = []
    isHolding = false
    sent.length = 0
    await openPalette()
  })
  afterEach(async () => {
    for (const go of held) go()
    expect(sent).toEqual([])
    await page.keyboard.press('Escape')
    await field().waitFor({ state: 'hidden' })
  })

  async function openPalette(): Promise<void> {
    await visit(page, `${ui.url}/segments`)
    await page.getByRole('heading', { name: 'Segments', level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    await field().waitFor()
  }

  const field = () => page.getByRole('combobox', { name: /Find a flag, a page/ })
  const palette = () => page.getByRole('dialog', { name: 'Find anything' })
  const options = () => palette().getByRole('option')
  const letGo = async (): Promise<void> => {
    await until(() => held.length > 0)
    isHolding = false
    for (const go of held) go()
  }

  /**
   * Returns the name of the selected option, as a screen reader announces it. Checks that exactly one option is
   * selected.
   */
  async function marked(): Promise<string> {
    const id = await field().getAttribute('aria-activedescendant')
    const all = palette().locator('[role="option"][aria-selected="true"]')
    expect([await all.count(), await all.first().getAttribute('id')]).toEqual([1, id])
    return (await all.locator('span').first().innerText()).trim()
  }

  /** Waits for the results of the complete text. */
  const settle = () =>
    page
      .getByRole('status')
      .filter({ hasText: /result|Nothing found/ })
      .last()
      .waitFor()

  test.each([
    ['new-ch', 0],
    ['checkout', 0],
    ['checkout', 20],
    ['checkout', 60],
    ['dark', 60],
    ['basket', 130],
    ['staff', 60],
    ['event log', 20],
  ])('"%s", a key each %i ms: the first is marked while typing and when the results are in', async (text, delay) => {
    await field().pressSequentially(text, { delay })
    await settle()
    if ((await options().count()) === 0) return
    const first = (await options().first().locator('span').first().innerText()).trim()
    expect(await marked()).toBe(first)
    expect(first).not.toMatch(/^Turn /)
  })

  test.each([
    ['checkout', 'checkout'],
    ['dark', 'dark'],
    ['dark-', 'dark-mode'],
    ['cache 47', 'edge-cache-47'],
    ['47 cache', 'edge-cache-47'],
    ['bask', 'basket'],
  ])('"%s" and Enter open the flag %s, also when Enter comes before the results', async (text, flag) => {
    for (const isEarly of [false, true]) {
      isHolding = isEarly
      await field().fill(text)
      if (isEarly) {
        await page.keyboard.press('Enter')
        await letGo()
      } else {
        await settle()
        await page.keyboard.press('Enter')
      }
      await page.getByRole('heading', { name: flag, level: 1 }).waitFor()
      await openPalette()
    }
  })

  test('results that come late do not take away what the person has gone to', async () => {
    isHolding = true
    await field().fill('dark')
    await options().filter({ hasText: 'Dark theme' }).waitFor()
    await page.keyboard.press('ArrowUp')
    const chosen = await marked()
    await letGo()
    await options().filter({ hasText: 'dark-mode' }).waitFor()
    expect(await marked()).toBe(chosen)
  })

  test('Enter before the results lets go when the person types on', async () => {
    isHolding = true
    await field().fill('dark')
    await page.keyboard.press('Enter')
    await field().fill('dark-mode x')
    await letGo()
    await settle()
    expect(await field().inputValue()).toBe('dark-mode x')
    expect(new URL(page.url()).pathname).toBe('/segments')
  })

  test('a switch is two keys away from the flag, never one', async () => {
    await field().fill('checkout')
    await settle()
    expect(await marked()).toBe('checkout')
    await page.keyboard.press('ArrowDown')
    expect(await marked()).toMatch(/^Turn checkout /)
    await page.keyboard.press('ArrowUp')
    expect(await marked()).toBe('checkout')
    await page.keyboard.press('ArrowUp')
    expect(await options().last().getAttribute('aria-selected')).toBe('true')
  })

  test('a search that fails shows why, and Enter does nothing', async () => {
    await page.context().setOffline(true)
    await field().fill('checkout')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByRole('alert').filter({ hasText: 'The server cannot be reached' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/segments')
    await page.context().setOffline(false)
  })

  test('an empty search lists the recently opened flags first', async () => {
    for (const flag of ['dark-mode', 'checkout']) {
      await visit(page, `${ui.url}/projects/default/features/${flag}`)
      await page.getByRole('heading', { name: flag, level: 1 }).waitFor()
    }
    // the current flag is not offered as a destination
    await page.keyboard.press('Control+k')
    await field().waitFor()
    expect(await marked()).toBe('dark-mode')
    await openPalette()
    expect([await marked(), await options().nth(1).innerText()]).toEqual(['checkout', 'dark-mode\nin Default'])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'dark-mode', level: 1 }).waitFor()
    expect(complaints.filter((one) => !one.includes('ERR_INTERNET_DISCONNECTED'))).toEqual([])
  })
})

test('keys work after a click on a switch', async () => {
  const { page } = await openPage(browser)
  await logIn(page, ui.url, ADMIN)
  await flip(page.getByRole('switch', { name: 'checkout in development' }))
  await told(page, 'checkout is on in development')
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('checkbox', { name: 'Select checkout' }).click()
  await page.keyboard.press('g')
  await page.keyboard.press('s')
  await page.getByRole('heading', { name: 'Segments', level: 1 }).waitFor()
  await page.close()
})

test('the palette offers a viewer nothing that would be refused', async () => {
  const { page } = await openPage(browser)
  await logIn(page, ui.url, VIEWER)
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder(/Find a flag, a page/).fill('c')
  await page.getByRole('option', { name: 'Copy name checkout' }).waitFor()
  expect(await page.getByRole('option', { name: /^(Turn|Create a)/ }).count()).toBe(0)
  await page.close()
})

test('the system setting for more contrast applies', async () => {
  const { page } = await openPage(browser, { contrast: 'more' })
  await page.goto(`${ui.url}/login`)
  await page.getByRole('button', { name: 'Log in' }).waitFor()
  expect(await page.evaluate(() => document.documentElement.dataset.contrast)).toBe('high')
  await page.close()
})
