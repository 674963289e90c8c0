import type { Browser, Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { withBrowser } from '../../support/browser-hooks.ts'
import { until } from '../../support/wait.ts'
import { sessionCall } from '../support/session-call.ts'
import { type Complaints, flip, logIn, openPage } from '../support/ui-page.ts'
import { ADMIN, FLAGS, startUi, type UiServer } from '../support/ui-server.ts'

/** Warnings in the editors about SDKs that do not support a part of a flag, or interpret a value differently. */
const TOKENS = ['default:development.sdk-warnings', 'default:production.sdk-warnings'] as const
const SDKS = { shop: 'unleash-client-java:9.3.2', mailer: 'unleash-client-go:4.5.0' } as const
const REGEX = { contextName: 'userId', operator: 'REGEX', value: '^[0-9]+$' }
const ON_FIELD = { contextName: 'userId', operator: 'DATE_AFTER', value: '2026-01-01T00:00:00Z' }
const THERE = `${FLAGS}/checkout/environments/development`

let ui: UiServer
let page: Page
let complaints: Complaints
let template = ''

withBrowser(
  () => startUi({ INIT_CLIENT_API_TOKENS: TOKENS.join(',') }),
  async (browser: Browser, started) => {
    ui = started
    for (const name of ['checkout', 'layout']) await ui.call('POST', FLAGS, { name })
    const variants = ['blue', 'green'].map((name) => ({ name, weight: 500, weightType: 'variable' }))
    await ui.call('PUT', `${FLAGS}/layout/environments/development/variants`, variants)
    await ui.call('POST', `${THERE}/strategies`, { name: 'default', constraints: [REGEX, ON_FIELD] })
    await ui.call('POST', `${FLAGS}/checkout/environments/production/strategies`, {
      name: 'default',
      constraints: [REGEX],
    })
    const milestones = [
      { name: 'Staff', strategies: [{ strategyName: 'default' }] },
      { name: 'Numbers', strategies: [{ strategyName: 'default', constraints: [REGEX] }] },
    ]
    const plan = { name: 'Careful', milestones }
    template = (await ui.call<{ id: string }>('POST', '/api/admin/release-plan-templates', plan)).id
    for (const [appName, sdkVersion] of Object.entries(SDKS)) {
      for (const token of TOKENS) await report(token, appName, sdkVersion)
    }
    const opened = await openPage(browser)
    page = opened.page
    complaints = opened.complaints
    await logIn(page, ui.url, ADMIN)
  },
)

/** Registers an application and reports that it evaluated the flag. */
async function report(authorization: string, appName: string, sdkVersion: string): Promise<void> {
  const started = new Date().toISOString()
  const send = async (path: string, body: object) => {
    const headers = { authorization, 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify({ appName, instanceId: 'one', ...body }) }
    expect((await fetch(`${ui.url}/api/client/${path}`, init)).status).toBe(202)
  }
  await send('register', { sdkVersion, strategies: [], started, interval: 1000 })
  await send('metrics', { bucket: { start: started, stop: started, toggles: { checkout: { yes: 1, no: 0 } } } })
  // counts are written within a second
  const counts = '/api/admin/client-metrics/features/checkout/raw'
  const environment = authorization.split(/[:.]/)[1]
  await until(async () =>
    (await ui.call<{ data: { appName: string; environment: string }[] }>('GET', counts)).data.some(
      (one) => one.appName === appName && one.environment === environment,
    ),
  )
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

describe('a release plan', () => {
  test('names the application before the plan starts', async () => {
    await page.goto(`${ui.url}/projects/default/features/checkout`)
    await page.getByRole('button', { name: 'Start release plan in development' }).click()
    const panel = page.getByRole('dialog', { name: /release plan/i })
    await panel.getByRole('status').filter({ hasText: LABEL }).getByText(JAVA).waitFor()
  })
})

describe('a question before a flag goes live', () => {
  test('names the application if the flag is turned on', async () => {
    await page.goto(`${ui.url}/projects/default/features/checkout`)
    await flip(page.getByRole('switch', { name: 'checkout in production' }))
    await page.getByRole('dialog').getByRole('status').filter({ hasText: LABEL }).getByText(JAVA).waitFor()
  })
})

describe('a change request', () => {
  test('names the application at each change that serves the operator', async () => {
    const requests = '/api/admin/projects/default/environments/development/change-requests'
    await ui.call('PUT', `${requests}/config`, { changeRequestsEnabled: true, requiredApprovals: 1 })
    const call = await sessionCall(ui, ADMIN)
    const { id } = await call<{ id: number }>('POST', requests, [
      { feature: 'checkout', action: 'updateEnabled', payload: { enabled: true } },
      { feature: 'checkout', action: 'addStrategy', payload: { name: 'default', constraints: [REGEX] } },
      { feature: 'checkout', action: 'addReleasePlan', payload: { templateId: template } },
      { feature: 'checkout', action: 'updateEnabled', payload: { enabled: false } },
    ])
    await page.goto(`${ui.url}/projects/default/change-requests/${id}`)
    const changes = page.getByRole('listitem').filter({ hasText: JAVA })
    await changes.nth(2).waitFor()
    expect(await changes.count()).toBe(3)
    expect(await page.getByRole('listitem').filter({ hasText: 'Turn off' }).getByText(LABEL).count()).toBe(0)
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
