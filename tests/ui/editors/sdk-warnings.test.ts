import type { Browser, Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { withBrowser } from '../../support/browser-hooks.ts'
import { until } from '../../support/wait.ts'
import { type Complaints, logIn, openPage } from '../support/ui-page.ts'
import { ADMIN, FLAGS, startUi, type UiServer } from '../support/ui-server.ts'

/** Warnings in the editors about SDKs that do not support a part of a flag, or interpret a value differently. */
const TOKEN = 'default:development.sdk-warnings'
const SDKS = { shop: 'unleash-client-java:9.3.2', mailer: 'unleash-client-go:4.5.0' } as const
const REGEX = { contextName: 'userId', operator: 'REGEX', value: '^[0-9]+$' }
const ON_FIELD = { contextName: 'userId', operator: 'DATE_AFTER', value: '2026-01-01T00:00:00Z' }
const THERE = `${FLAGS}/checkout/environments/development`

let ui: UiServer
let page: Page
let complaints: Complaints

withBrowser(
  () => startUi({ INIT_CLIENT_API_TOKENS: TOKEN }),
  async (browser: Browser, started) => {
    ui = started
    for (const name of ['checkout', 'layout']) await ui.call('POST', FLAGS, { name })
    const variants = ['blue', 'green'].map((name) => ({ name, weight: 500, weightType: 'variable' }))
    await ui.call('PUT', `${FLAGS}/layout/environments/development/variants`, variants)
    await ui.call('POST', `${THERE}/strategies`, { name: 'default', constraints: [REGEX, ON_FIELD] })
    for (const [appName, sdkVersion] of Object.entries(SDKS)) await report(appName, sdkVersion)
    const opened = await openPage(browser)
    page = opened.page
    complaints = opened.complaints
    await logIn(page, ui.url, ADMIN)
  },
)

/** Registers an application and reports that it evaluated the flag. */
async function report(appName: string, sdkVersion: string): Promise<void> {
  const started = new Date().toISOString()
  const send = async (path: string, body: object) => {
    const headers = { authorization: TOKEN, 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify({ appName, instanceId: 'one', ...body }) }
    expect((await fetch(`${ui.url}/api/client/${path}`, init)).status).toBe(202)
  }
  await send('register', { sdkVersion, strategies: [], started, interval: 1000 })
  await send('metrics', { bucket: { start: started, stop: started, toggles: { checkout: { yes: 1, no: 0 } } } })
  // counts are written within a second
  const counts = '/api/admin/client-metrics/features/checkout/raw'
  await until(async () => JSON.stringify(await ui.call('GET', counts)).includes(`"${appName}"`))
}

/** Opens the editor of the only strategy on a newly loaded page. */
async function edit(): Promise<Locator> {
  await page.goto(`${ui.url}/projects/default/features/checkout`)
  const column = page.getByRole('region', { name: 'development' })
  await column.getByRole('button', { name: 'Edit', exact: true }).click()
  return page.getByRole('dialog', { name: 'Strategy in development' })
}

const JAVA =
  'shop uses unleash-client-java:9.3.2, which does not support REGEX: the strategy is off for everyone there. Supported from version 12.2.0.'
const VALUE = /the current time/
const LABEL = 'SDK compatibility'

describe('the editor of a strategy', () => {
  test('names the application whose SDK does not know an operator, and no other', async () => {
    const editor = await edit()
    const warning = editor.getByRole('status').filter({ hasText: LABEL })
    await warning.getByText(JAVA).waitFor()
    expect(await warning.getByText(/mailer uses .* REGEX/).count()).toBe(1)
    expect(await warning.getByText('IN_CIDR').count()).toBe(0)
  })

  test('names a value that SDKs read differently beside its constraint', async () => {
    const editor = await edit()
    await editor.getByText(VALUE).first().waitFor()
    await editor.getByRole('button', { name: 'Remove constraint 2' }).click()
    await editor.getByText(VALUE).first().waitFor({ state: 'detached' })
  })

  test('withdraws the warning with the constraint that causes it', async () => {
    const editor = await edit()
    await editor.getByText(JAVA).waitFor()
    await editor.getByRole('button', { name: 'Remove constraint 1' }).click()
    await editor.getByText(JAVA).waitFor({ state: 'detached' })
  })
})

describe('the dialog of a parent', () => {
  test('names the application whose SDK passes over certain variants of the parent', async () => {
    await page.goto(`${ui.url}/projects/default/features/checkout`)
    await page.getByRole('button', { name: 'Add dependency' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add dependency' })
    await dialog.getByRole('combobox', { name: 'Parent' }).click()
    await page.getByRole('option', { name: 'layout' }).click()
    const warning = dialog.getByText(/mailer uses unleash-client-go:4[.]5[.]0.*with any variant of its parent/)
    expect(await warning.count()).toBe(0)
    await dialog.getByLabel('On with one of these variants').check()
    await dialog.getByRole('combobox', { name: 'Variants' }).click()
    await page.getByRole('option', { name: 'blue' }).click()
    await warning.waitFor()
  })

  test('logs no error in the console', () => {
    expect(complaints).toEqual([])
  })
})
