import { bucketOf, ROLLOUT_SEED } from '@burgee/engine/hash'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withBrowser } from '../support/browser-hooks.ts'
import { type Complaints, logIn, openPage, told } from './ui-page.ts'
import { ADMIN, FLAGS, startUi, type UiServer, VIEWER } from './ui-server.ts'

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

/** Opens the palette, types, and takes what has this name. */
async function take(page: Page, text: string, name: string | RegExp): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder(/Find a flag or a page/).fill(text)
  await page.getByRole('button', { name, exact: typeof name === 'string' }).click()
}

describe('the palette', () => {
  let page: Page
  let complaints: Complaints

  beforeAll(async () => {
    ;({ page, complaints } = await openPage(browser, { permissions: ['clipboard-read', 'clipboard-write'] }))
    await logIn(page, ui.url, ADMIN)
  })
  afterAll(() => page.close())

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

  test('copies the name of a flag', async () => {
    await take(page, 'checkout', 'Copy the name checkout')
    expect(await copied()).toBe('checkout')
  })

  test('finds flags of other projects, segments, pages and projects', async () => {
    await take(page, 'bask', /^basket/)
    await page.getByRole('heading', { name: 'basket', level: 1 }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/projects/shop/features/basket')
    await take(page, 'staff', 'Segment staff')
    await page.getByRole('dialog', { name: 'Edit segment' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await take(page, 'event log', 'Event log')
    await page.getByRole('heading', { name: 'Event log', level: 1 }).waitFor()
    await take(page, 'project default', /^Go to the project/)
    await page.getByRole('link', { name: 'checkout' }).waitFor()
  })

  test.each([
    ['create seg', 'Create a segment', 'Create segment'],
    ['create api', 'Create an API token', 'Create token'],
    ['create a fl', 'Create a flag', 'Create a flag'],
    ['show keys', 'Show the keys', 'Keys'],
  ])('"%s" opens what it says', async (text, entry, dialog) => {
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
    const bucket = bucketOf('7', 'timed', 100, ROLLOUT_SEED)
    await ui.call('POST', `${FLAGS}/timed/environments/development/strategies`, {
      name: 'flexibleRollout',
      parameters: { rollout: String(bucket), stickiness: 'userId', groupId: 'timed' },
      constraints: [{ contextName: 'currentTime', operator: 'DATE_AFTER', value: '2030-01-01T00:00:00Z' }],
    })
    await ui.call('POST', `${FLAGS}/timed/environments/development/on`)
    await page.goto(`${ui.url}/playground`)
    await page.getByLabel('User id').fill('7')
    await page.getByRole('textbox', { name: 'Time' }).fill('2031-05-01T12:00')
    await page.getByRole('button', { name: 'Evaluate' }).click()
    await page.getByRole('button', { name: 'Why? timed' }).click()
    const why = page.getByRole('dialog', { name: 'Why? timed' })
    const development = why.getByRole('region', { name: 'development' })
    await development.getByText(new RegExp(`^On, because .*\\(userId "7" → bucket ${bucket} ≤ ${bucket}\\)`)).waitFor()
    await development.getByRole('img', { name: `Bucket ${bucket} of 100` }).waitFor()
    await why.getByRole('region', { name: 'production' }).getByText('Off, because the flag is switched off').waitFor()
    await page.keyboard.press('Escape')
    await why.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Copy link' }).click()
    const link = await copied()
    await page.goto(link)
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

test('the palette offers a viewer nothing that would be refused', async () => {
  const { page } = await openPage(browser)
  await logIn(page, ui.url, VIEWER)
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder(/Find a flag or a page/).fill('c')
  await page.getByRole('button', { name: 'Copy the name checkout' }).waitFor()
  expect(await page.getByRole('button', { name: /^(Turn|Create a)/ }).count()).toBe(0)
  await page.close()
})

test('who asks the system for more contrast gets it', async () => {
  const { page } = await openPage(browser, { contrast: 'more' })
  await page.goto(`${ui.url}/login`)
  await page.getByRole('button', { name: 'Log in' }).waitFor()
  expect(await page.evaluate(() => document.documentElement.dataset.contrast)).toBe('high')
  await page.close()
})
