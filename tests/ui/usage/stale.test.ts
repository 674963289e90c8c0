import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withBrowser } from '../../support/browser-hooks.ts'
import { callAs } from '../../support/call-as.ts'
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

  test('sees in a tab of the insights how many flags may go, and on the page why', async () => {
    await page.getByRole('link', { name: 'Insights' }).click()
    await page.getByRole('tab', { name: 'Stale flags 3' }).click()
    await page.getByRole('heading', { name: 'Stale flags', level: 1 }).waitFor()
    await row('old-banner').getByText('Flags of this type are expected to last 40 days').waitFor()
    await row('old-footer').getByText('Marked as stale.').waitFor()
    expect(await page.getByText('fresh').count()).toBe(0)
    expect(await page.getByText('basket').count()).toBe(0)
  })

  test('puts one off, finds it there, and puts it back', async () => {
    await page.getByRole('button', { name: 'Snooze old-footer' }).click()
    await page.getByRole('dialog').getByLabel('A week').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Snooze' }).click()
    await told(page, 'Snoozed until')
    await row('old-footer').waitFor({ state: 'detached' })
    await page.getByRole('tab', { name: 'Stale flags 2' }).waitFor()
    await page.getByText('Snoozed (1)').click()
    await row('old-footer')
      .getByText(/Snoozed until .* by admin/)
      .waitFor()
    await page.getByRole('button', { name: 'Unsnooze old-footer' }).click()
    await told(page, 'No longer snoozed')
    await page.getByText('No snoozed flags').waitFor()
    await page.getByText('To do', { exact: true }).click()
    await row('old-footer').waitFor()
  })

  test('sees what code still asks for, and archives only the rest', async () => {
    const token = await ui.call<{ secret: string }>('POST', '/api/admin/api-tokens', {
      tokenName: 'usage',
      type: 'client',
      environment: 'production',
      projects: ['*'],
    })
    const [start, stop] = [new Date(Date.now() - 1000).toISOString(), new Date().toISOString()]
    const bucket = { start, stop, toggles: { 'old-footer': { yes: 1300, no: 7 } } }
    await callAs(token.secret, 'POST', `${ui.url}/api/client/metrics`, { appName: 'shop', bucket })
    await expect
      .poll(() => ui.call('GET', `${FLAGS}/old-footer`), { timeout: 20_000, interval: 200 })
      .toMatchObject({ lastSeenAt: expect.any(String) })
    await page.reload()
    await row('old-footer').getByText('Last evaluated').waitFor()
    await page.getByLabel('Select old-footer').click()
    await page.getByLabel('Select old-header').click()
    await page.getByRole('toolbar').getByRole('button', { name: 'Archive' }).click()
    const dialog = page.getByRole('dialog', { name: 'Archive 2 flags?' })
    await dialog.getByRole('listitem').first().getByText('1,307 evaluations in 24 hours').waitFor()
    await dialog.getByRole('button', { name: 'Archive the unused one' }).waitFor()
    await dialog.getByRole('checkbox', { name: 'Also archive the one that code still asks for' }).check()
    await dialog.getByRole('button', { name: 'Archive all 2' }).waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('toolbar').getByRole('button', { name: 'Clear' }).click()
  })

  test('archives several after the questions of the list', async () => {
    await page.getByLabel('Select old-footer').click()
    await page.getByLabel('Select old-header').click()
    await page.getByText('2 flags selected').waitFor()
    await page.getByRole('toolbar').getByRole('button', { name: 'Archive' }).click()
    await page.getByRole('heading', { name: 'Archive 2 flags?' }).waitFor()
    await page
      .getByRole('dialog')
      .getByRole('checkbox', { name: /Also archive/ })
      .check()
    await page.getByRole('dialog').getByText('SDKs stop receiving them within seconds').waitFor()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Archive/ })
      .click()
    await row('old-header').waitFor({ state: 'detached' })
    await page.getByRole('tab', { name: 'Stale flags 1' }).waitFor()
    const { archived } = await ui.call<{ archived: boolean }>('GET', `${FLAGS}/old-header/overview`)
    expect(archived).toBe(true)
  })

  test('looks at all projects, and reads it in German', async () => {
    await page.getByLabel('Scope').selectOption('All projects')
    await row('basket').getByText('The shop', { exact: true }).waitFor()
    expect(await page.getByLabel('Select basket').count()).toBe(0)
    await speak(page, 'de')
    await page.getByRole('heading', { name: 'Veraltete Flags', level: 1 }).waitFor()
    expect(complaints).toEqual([])
  })
})

test('a viewer sees the flags, and no buttons that would be refused', async () => {
  const { page, complaints } = await openPage(browser)
  await logIn(page, ui.url, VIEWER)
  await visit(page, `${ui.url}/stale`)
  await page.getByRole('link', { name: 'old-banner' }).waitFor()
  expect(await page.getByRole('button', { name: /^(Snooze|More|Unsnooze)/ }).count()).toBe(0)
  expect(complaints).toEqual([])
  await page.close()
})
