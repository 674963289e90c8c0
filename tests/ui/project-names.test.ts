import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withBrowser } from '../support/browser-hooks.ts'
import { sessionCall } from './support/session-call.ts'
import { type Complaints, logIn, openPage } from './support/ui-page.ts'
import { ADMIN, startUi, type UiServer } from './support/ui-server.ts'
import { visit } from './support/visit.ts'

/** Pages that mention a project other than the chosen one. */
const ID = 'prj-7f31'
const NAME = 'Harbor shop'
const PROJECT = `/api/admin/projects/${ID}`
const DAY_MS = 86_400_000

let ui: UiServer
let browser: Browser
let page: Page
let complaints: Complaints

withBrowser(startUi, async (...started) => {
  ;[browser, ui] = started
  await ui.call('POST', '/api/admin/projects', { id: ID, name: NAME })
  await furnishFlags()
  await ui.call('POST', '/api/admin/segments', { name: 'sailors', project: ID, constraints: [] })
  const token = { tokenName: 'web shop', type: 'client', environment: 'development', projects: [ID] }
  await ui.call('POST', '/api/admin/api-tokens', token)
  const { id: group } = await ui.call<{ id: number }>('POST', '/api/admin/groups', { name: 'crew' })
  await ui.call('POST', `${PROJECT}/access`, { roles: [5], groups: [group], users: [] })
  await ui.call('POST', '/api/admin/addons', {
    provider: 'webhook',
    enabled: false,
    description: 'Bell of the harbor',
    projects: [ID],
    parameters: { url: 'https://bell.invalid' },
    events: ['feature-created'],
  })
  await ui.call('POST', '/api/admin/invite-link/tokens', {
    name: 'New crew',
    expiresAt: new Date(Date.now() + 7 * DAY_MS).toISOString(),
    projectRoles: [{ project: ID, role: 5 }],
  })
})

/** Creates a stale flag and an archived flag. */
async function furnishFlags(): Promise<void> {
  for (const name of ['lighthouse', 'old-pier']) await ui.call('POST', `${PROJECT}/features`, { name })
  await ui.call('PATCH', `${PROJECT}/features/lighthouse`, [{ op: 'replace', path: '/stale', value: true }])
  await ui.call('DELETE', `${PROJECT}/features/old-pier`)
}

beforeAll(async () => {
  ;({ page, complaints } = await openPage(browser))
  await logIn(page, ui.url, ADMIN)
})
afterAll(async () => {
  expect(complaints).toEqual([])
  await page.close()
})

test.each([
  ['segments', '/segments', 'sailors'],
  ['archived flags', '/archive', 'old-pier'],
  ['API tokens', '/tokens', 'web shop'],
  ['groups', '/groups', 'crew'],
  ['integrations', '/integrations', 'Bell of the harbor'],
  ['invite links', '/invite-links', 'New crew'],
  ['stale flags of all projects', '/stale?project=*', 'lighthouse'],
])('%s name a project by its name, not its id', async (_page, path, shows) => {
  await visit(page, `${ui.url}${path}`)
  const row = page.getByRole('main').getByRole('row').filter({ hasText: shows })
  await row.getByText(NAME).first().waitFor()
  expect(await row.innerText()).not.toContain(ID)
})

test('the activity names a project by its name, not its id', async () => {
  const call = await sessionCall(ui, ADMIN)
  await call('POST', `${PROJECT}/favorites`)
  await visit(page, `${ui.url}/events`)
  const row = page.getByRole('main').getByRole('listitem').filter({ hasText: 'as a favorite' }).last()
  await row.getByText(NAME).waitFor()
  expect(await row.innerText()).not.toContain(ID)
})

test('the palette and the page of ready flags name a project by its name, not its id', async () => {
  await visit(page, `${ui.url}/`)
  const main = page.getByRole('main')
  await main.getByText(NAME).first().waitFor()
  expect(await main.innerText()).not.toContain(ID)
  await page.keyboard.press('Control+k')
  await page.keyboard.type('lighthouse')
  const option = page
    .getByRole('dialog')
    .getByRole('option', { name: /lighthouse/ })
    .first()
  await option.getByText(NAME).waitFor()
  expect(await option.innerText()).not.toContain(ID)
})
