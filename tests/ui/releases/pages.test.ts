import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withBrowser } from '../../support/browser-hooks.ts'
import { furnish } from '../support/screens.ts'
import { sessionCall } from '../support/session-call.ts'
import { type Complaints, logIn, openPage, told } from '../support/ui-page.ts'
import { ADMIN, FLAGS, startUi, type UiServer } from '../support/ui-server.ts'
import { visitAfresh } from '../support/visit.ts'

/** Release plans in change requests, undo in the activity, signal endpoints, and code that reports metrics. */
const FLAG = '/projects/default/features/search.suggestions'
const CONFIG = '/api/admin/projects/default/environments/development/change-requests/config'
let ui: UiServer
let browser: Browser
let page: Page
let complaints: Complaints

withBrowser(startUi, async (...started) => {
  ;[browser, ui] = started
  await furnish(ui)
})

beforeAll(async () => {
  ;({ page, complaints } = await openPage(browser))
  await logIn(page, ui.url, ADMIN)
})
afterAll(async () => {
  expect(complaints).toEqual([])
  await page.close()
})

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' })
const plan = () => page.getByRole('region', { name: 'Release plan Careful' })

test('the activity reverts a started milestone and a new safeguard', async () => {
  await visitAfresh(page, `${ui.url}${FLAG}`)
  await plan().getByRole('button', { name: 'Start 50%' }).click()
  await told(page, 'Milestone 50% started')
  await visitAfresh(page, `${ui.url}${FLAG}?tab=history`)
  await button(/^Revert: Milestone started/).click()
  await page
    .getByRole('dialog')
    .last()
    .getByRole('button', { name: /^Revert/ })
    .click()
  await told(page, 'Reverted')
  const [stored] = await ui.call<{ activeMilestoneId: string; milestones: { id: string }[] }[]>(
    'GET',
    `${FLAGS}/search.suggestions/environments/development/release-plans`,
  )
  expect(stored?.activeMilestoneId ?? stored?.milestones[0]?.id).toBe(stored?.milestones[0]?.id)
})

test('steps of a plan become part of a draft where change requests are required', async () => {
  await ui.call('PUT', CONFIG, { changeRequestsEnabled: true, requiredApprovals: 1 })
  await visitAfresh(page, `${ui.url}${FLAG}`)
  await page.getByRole('region', { name: 'development' }).getByText('Needs approval').waitFor()
  await plan().getByRole('button', { name: 'Start 50%' }).click()
  await page.getByRole('dialog').last().getByRole('button', { name: 'Add to draft' }).click()
  await page.getByRole('alert').filter({ hasText: 'draft' }).first().waitFor()
  await plan().getByText('1 of 3').waitFor()
  await plan().getByRole('button', { name: 'Add safeguard' }).click()
  const dialog = page.getByRole('dialog').last()
  await dialog.getByRole('combobox', { name: 'Source' }).selectOption({ label: 'Alert of another system' })
  await dialog.getByRole('textbox', { name: 'Name of the alert' }).fill('HighErrorRate')
  await dialog.getByRole('button', { name: 'Add to draft' }).click()
  await dialog.waitFor({ state: 'detached' })
  await plan().getByRole('button', { name: 'Pause' }).click()
  await told(page, 'Release plan paused')
  const call = await sessionCall(ui, ADMIN)
  const [draft] = await call<{ id: number }[]>('GET', '/api/admin/projects/default/change-requests/open')
  await visitAfresh(page, `${ui.url}/projects/default/change-requests/${draft?.id}`)
  const changes = page.getByRole('main')
  await changes.getByText('Start a milestone').waitFor()
  await changes.getByText('50%', { exact: true }).waitFor()
  await changes.getByText('alert HighErrorRate: Pause the plan').waitFor()
})

test('a signal endpoint shows its token once, in the configuration of Alertmanager', async () => {
  await visitAfresh(page, `${ui.url}/signal-endpoints`)
  await button('Create endpoint').click()
  const dialog = page.getByRole('dialog').last()
  await dialog.getByRole('textbox', { name: 'Name' }).fill('grafana')
  await dialog.getByRole('button', { name: 'Create endpoint' }).click()
  const config = await dialog.getByRole('region', { name: 'Configuration of Alertmanager' }).innerText()
  const [, token = ''] = /credentials: '(signal:[^']+)'/.exec(config) ?? []
  const reply = await fetch(`${ui.url}/api/signal-endpoint/grafana`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ rule: 'HighErrorRate' }),
  })
  expect(reply.status).toBe(202)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('row', { name: /grafana/ }).waitFor()
  await button('Delete grafana').click()
  await page.getByRole('dialog').last().getByRole('button', { name: 'Delete' }).click()
  await told(page, 'Deleted signal endpoint grafana')
})

test('the code of an SDK with impact metrics has the lines that report one', async () => {
  await visitAfresh(page, `${ui.url}/connect?sdk=python`)
  await page.getByText('increment_counter("errors")').waitFor()
  await visitAfresh(page, `${ui.url}/connect?sdk=php`)
  await page.getByText('Optional: report a metric that guards a release').waitFor({ state: 'detached' })
})

test('a metric can be split by a label and filtered', async () => {
  await visitAfresh(page, `${ui.url}/metrics?env=development`)
  await page.getByRole('combobox', { name: 'Split by' }).selectOption('appName')
  await page.getByRole('combobox', { name: 'Filter' }).selectOption('appName')
  await page.getByRole('combobox', { name: 'appName' }).selectOption('shop')
  await page.getByRole('combobox', { name: 'Time range' }).selectOption('day')
  await page.getByRole('slider', { name: 'errors in development' }).waitFor()
  expect(new URL(page.url()).search).toContain('split=appName')
})

test('a chart is saved for everyone or for a flag, and deleted', async () => {
  await visitAfresh(page, `${ui.url}/metrics?env=development&metric=errors&mode=rps`)
  await button('Save chart').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'Title' }).fill('Errors per second')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await told(page, 'Chart saved')
  const saved = page.getByRole('region', { name: 'Saved charts' }).getByRole('article', { name: 'Errors per second' })
  await saved.getByText('Per second · Last hour · development').waitFor()
  await button('Save chart').click()
  await dialog.getByRole('radio', { name: 'The page of a flag' }).check()
  await dialog.getByRole('combobox', { name: 'Flag' }).fill('search.sugg')
  await page.getByRole('option', { name: 'search.suggestions' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await told(page, 'Chart saved')
  await saved.getByRole('button', { name: 'Delete chart Errors per second' }).click()
  await dialog.last().getByRole('button', { name: 'Delete' }).click()
  await told(page, 'Chart deleted')
  await saved.waitFor({ state: 'detached' })
  await visitAfresh(page, `${ui.url}${FLAG}?tab=usage`)
  await page.getByRole('region', { name: 'Metrics' }).getByRole('article', { name: 'errors' }).waitFor()
})
