import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withBrowser } from '../../support/browser-hooks.ts'
import { type Complaints, logIn, openPage, speak, told } from '../support/ui-page.ts'
import { ADMIN, FLAGS, startUi, type UiServer, VIEWER } from '../support/ui-server.ts'
import { visit } from '../support/visit.ts'

let ui: UiServer
let browser: Browser
const OLD = ['old-banner', 'old-footer', 'old-header']

withBrowser(startUi, async (...started) => {
  ;[browser, ui] = started
  for (const name of [...OLD, 'fresh']) await ui.call('POST', FLAGS, { name })
  await ui.call('POST', '/api/admin/projects', { id: 'shop', name: 'The shop' })
  await ui.call('POST', '/api/admin/projects/shop/features', { name: 'basket' })
  for (const name of ['old-footer', 'old-header', 'basket']) await ui.call('PATCH', `${place(name)}`, [STALE])
  await ui.call('POST', '/api/admin/user-admin', { ...VIEWER, rootRole: 3 })
  await ui.outlive('old-banner', 700)
})

const STALE = { op: 'replace', path: '/stale', value: true }
const place = (name: string) => (name === 'basket' ? '/api/admin/projects/shop/features/basket' : `${FLAGS}/${name}`)

describe('a user who cleans up flags', () => {
  let page: Page
  let complaints: Complaints
  const row = (name: string) => page.getByRole('row').filter({ has: page.getByRole('link', { name, exact: true }) })

  beforeAll(async () => {
    ;({ page, complaints } = await openPage(browser))
    await logIn(page, ui.url, ADMIN)
  })
  afterAll(() => page.close())

  test('sees in the menu how many flags may go, and on the page why', async () => {
    await page.getByRole('link', { name: 'Stale flags 3' }).click()
    await page.getByRole('heading', { name: 'Stale flags', level: 1 }).waitFor()
    await row('old-banner').getByText('Flags of its type are meant to live 40 days').waitFor()
    await row('old-footer').getByText('It is marked as stale.').waitFor()
    expect(await page.getByText('fresh').count()).toBe(0)
    expect(await page.getByText('basket').count()).toBe(0)
  })

  test('puts one off, finds it there, and puts it back', async () => {
    await page.getByRole('button', { name: 'Remind me later of old-footer' }).click()
    await page.getByRole('dialog').getByLabel('A week').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remind me later' }).click()
    await told(page, 'It comes back on')
    await row('old-footer').waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Stale flags 2' }).waitFor()
    await page.getByText('Later (1)').click()
    await row('old-footer')
      .getByText(/Comes back on .*, as admin wanted/)
      .waitFor()
    await page.getByRole('button', { name: 'Back to the list: old-footer' }).click()
    await told(page, 'It is back on the list')
    await page.getByText('Nothing for later').waitFor()
    await page.getByText('To do', { exact: true }).click()
    await row('old-footer').waitFor()
  })

  test('archives several after the questions of the list', async () => {
    await page.getByLabel('Select old-footer').click()
    await page.getByLabel('Select old-header').click()
    await page.getByText('2 flags selected').waitFor()
    await page.getByRole('toolbar').getByRole('button', { name: 'Archive' }).click()
    await page.getByRole('heading', { name: 'Archive 2 flags?' }).waitFor()
    await page.getByRole('dialog').getByText('SDKs stop getting them within seconds').waitFor()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Archive/ })
      .click()
    await row('old-header').waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Stale flags 1' }).waitFor()
    const { archived } = await ui.call<{ archived: boolean }>('GET', `${FLAGS}/old-header/overview`)
    expect(archived).toBe(true)
  })

  test('looks at all projects, and reads it in German', async () => {
    await page.getByLabel('Where').selectOption('All projects')
    await row('basket').getByText('shop', { exact: true }).waitFor()
    expect(await page.getByLabel('Select basket').count()).toBe(0)
    await speak(page, 'de')
    await page.getByRole('heading', { name: 'Veraltete Schalter', level: 1 }).waitFor()
    expect(complaints).toEqual([])
  })
})

test('a viewer sees the flags, and no buttons that would be refused', async () => {
  const { page, complaints } = await openPage(browser)
  await logIn(page, ui.url, VIEWER)
  await visit(page, `${ui.url}/stale`)
  await page.getByRole('link', { name: 'old-banner' }).waitFor()
  expect(await page.getByRole('button', { name: /^(Put|More|Back)/ }).count()).toBe(0)
  expect(complaints).toEqual([])
  await page.close()
})
