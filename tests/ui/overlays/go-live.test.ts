import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withBrowser } from '../../support/browser-hooks.ts'
import { violationsOf } from '../support/axe.ts'
import { sessionCall } from '../support/session-call.ts'
import { type Complaints, logIn, openPage, told } from '../support/ui-page.ts'
import { ADMIN, FLAGS, startUi, type UiServer } from '../support/ui-server.ts'
import { visit } from '../support/visit.ts'

/** Production changes other than a switch: each shows who will get the flag before it takes effect. */
let ui: UiServer
let browser: Browser
let page: Page
let complaints: Complaints

const PAGE = '/projects/default'
const production = (flag: string) => `${FLAGS}/${flag}/environments/production`
const share = (rollout: number) => ({
  name: 'flexibleRollout',
  parameters: { rollout: `${rollout}`, stickiness: 'default', groupId: 'checkout' },
})
const FLAG_NAMES = ['restored', 'reverted', 'promoted', 'bulk-a', 'bulk-b', 'archived', 'applied']
const USERS = 20

withBrowser(startUi, async (...started) => {
  ;[browser, ui] = started
  await ui.call('PUT', '/api/admin/environments/production/traffic-sampling', { enabled: true })
  const { secret } = await ui.call<{ secret: string }>('POST', '/api/admin/api-tokens', {
    type: 'frontend',
    tokenName: 'web',
    environment: 'production',
    projects: ['*'],
  })
  for (const name of FLAG_NAMES) {
    await ui.call('POST', FLAGS, { name })
    await ui.call('POST', `${production(name)}/strategies`, share(25))
  }
  await ui.call('POST', `${production('archived')}/on`)
  await ui.call('POST', `${production('promoted')}/on`)
  await ui.call('POST', `${FLAGS}/promoted/environments/development/strategies`, share(50))
  await ui.call('POST', `${production('reverted')}/on`)
  await ui.call('POST', `${production('reverted')}/off`)
  await ui.call('POST', `${production('restored')}/on`)
  await ui.call('POST', `${production('restored')}/off`)
  for (let user = 0; user < USERS; user++) {
    const reply = await fetch(`${ui.url}/api/frontend?userId=${user}`, { headers: { authorization: secret } })
    expect(reply.status).toBe(200)
  }
})
beforeAll(async () => {
  ;({ page, complaints } = await openPage(browser))
  await logIn(page, ui.url, ADMIN)
})
afterAll(() => expect(complaints).toEqual([]))

const lastEvent = async (flag: string, type: string): Promise<number> => {
  const { events } = await ui.call<{ events: { id: number; type: string }[] }>('GET', `/api/admin/events/${flag}`)
  return events.find((event) => event.type === type)?.id ?? 0
}

async function openRestore(): Promise<Locator> {
  const on = await lastEvent('restored', 'feature-environment-enabled')
  await visit(page, `${ui.url}${PAGE}/features/restored?tab=history&event=${on}`)
  await page.getByRole('button', { name: 'Restore production to this state' }).click()
  await page.getByRole('dialog', { name: 'Restore restored' }).getByRole('button', { name: 'Restore' }).click()
  return page.getByRole('dialog', { name: 'Restore restored in production?' })
}

async function openRevert(): Promise<Locator> {
  await visit(page, `${ui.url}${PAGE}/features/reverted?tab=history`)
  const event = page.locator('li[data-type="feature-environment-disabled"]').first()
  await event.getByRole('button', { name: /^Revert/ }).click()
  return page.getByRole('dialog', { name: 'Revert this change?' })
}

async function openPromotion(): Promise<Locator> {
  await visit(page, `${ui.url}${PAGE}/compare?from=development&to=production`)
  await page.getByRole('checkbox', { name: 'Select promoted' }).click()
  await page.getByRole('button', { name: 'Promote to production' }).click()
  const panel = page.getByRole('dialog', { name: 'Promote 1 flag to production' })
  await panel.getByRole('button', { name: 'Change 1 flag in production' }).click()
  return page.getByRole('dialog', { name: /\?$/ })
}

async function openBulkSwitch(): Promise<Locator> {
  await visit(page, `${ui.url}${PAGE}?q=bulk-`)
  for (const name of ['bulk-a', 'bulk-b']) await page.getByLabel(`Select ${name}`).check()
  await page.getByRole('button', { name: 'Turn on or off' }).click()
  const dialog = page.getByRole('dialog', { name: '2 flags' })
  await dialog.getByLabel('Environment').selectOption('production')
  return dialog
}

async function openArchive(): Promise<Locator> {
  await visit(page, `${ui.url}${PAGE}/features/archived`)
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Archive' }).click()
  return page.getByRole('dialog', { name: 'Archive archived?' })
}

async function openBulkArchive(): Promise<Locator> {
  await visit(page, `${ui.url}${PAGE}?q=archived`)
  await page.getByLabel('Select archived').check()
  await page.getByRole('toolbar', { name: 'Selected flags' }).getByRole('button', { name: 'Archive' }).click()
  return page.getByRole('dialog', { name: 'Archive 1 flag?' })
}

interface Row {
  readonly name: string
  readonly open: () => Promise<Locator>
  readonly who: string
  readonly now: RegExp
  readonly after: RegExp
  readonly impact: RegExp
  readonly flags?: number
}

test.each<Row>([
  { name: 'a restore', open: openRestore, who: 'gets', now: /Off/, after: /25%/, impact: /from off to on/ },
  { name: 'a revert', open: openRevert, who: 'gets', now: /Off/, after: /25%/, impact: /from off to on/ },
  { name: 'a promotion', open: openPromotion, who: 'gets', now: /25%/, after: /50%/, impact: /from off to on/ },
  { name: 'a bulk switch', open: openBulkSwitch, who: 'gets', now: /Off/, after: /25%/, impact: /off to on/, flags: 2 },
  { name: 'archiving', open: openArchive, who: 'loses', now: /25%/, after: /Off/, impact: /from on to off/ },
  { name: 'bulk archiving', open: openBulkArchive, who: 'loses', now: /25%/, after: /Off/, impact: /from on to off/ },
])('$name shows who gets the flag now and after, the impact and the last evaluation', async (row) => {
  const dialog = await row.open()
  await dialog.getByText(`Who ${row.who} it`).first().waitFor()
  const [before, after] = [dialog.getByRole('definition').nth(0), dialog.getByRole('definition').nth(1)]
  expect(await before.innerText()).toMatch(row.now)
  expect(await after.innerText()).toMatch(row.after)
  await dialog
    .getByText(/of the last \d+ evaluations would change/)
    .first()
    .waitFor()
  await expect.poll(() => dialog.getByText(row.impact).count()).toBe(row.flags ?? 1)
  expect(await dialog.getByText(/Last evaluated|Not evaluated here yet/).count()).toBe(row.flags ?? 1)
  expect(await violationsOf(page)).toEqual([])
  await page.keyboard.press('Escape')
})

test('applying a change request shows the result of all its changes', async () => {
  const requests = '/api/admin/projects/default/environments/production/change-requests'
  await ui.call('PUT', `${requests}/config`, { changeRequestsEnabled: true, requiredApprovals: 1 })
  const [strategy] = await ui.call<{ id: string }[]>('GET', `${production('applied')}/strategies`)
  const changes = [
    { feature: 'applied', action: 'updateEnabled', payload: { enabled: true } },
    { feature: 'applied', action: 'updateStrategy', payload: { id: strategy?.id, ...share(100) } },
  ]
  const author = { username: 'maria', password: 'a-third-horse-battery' }
  await ui.call('POST', '/api/admin/user-admin', { ...author, rootRole: 'Editor' })
  const call = await sessionCall(ui, author)
  const { id } = await call<{ id: number }>('POST', requests, changes)
  await call('PUT', `/api/admin/projects/default/change-requests/${id}/state`, { state: 'In review' })
  await visit(page, `${ui.url}${PAGE}/change-requests/${id}`)
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  await page.getByRole('button', { name: 'Apply', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Apply 2 changes to production?' })
  await dialog.getByText('Who gets it').waitFor()
  await dialog.getByRole('list').getByText('All users').waitFor()
  expect(await dialog.getByRole('definition').allInnerTexts()).toEqual(['Off', '100%'])
  await dialog.getByText('20 of the last 20 evaluations would change: 20 from off to on.').waitFor()
  expect(await violationsOf(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Apply', exact: true }).click()
  await told(page, 'Changes applied')
  expect(await ui.call('GET', production('applied'))).toMatchObject({ enabled: true })
})
