import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withBrowser } from '../../support/browser-hooks.ts'
import { callAs } from '../../support/call-as.ts'
import { type Complaints, logIn, openPage } from '../support/ui-page.ts'
import { ADMIN, FLAGS, startUi, type UiServer } from '../support/ui-server.ts'
import { visit } from '../support/visit.ts'

/** Code references of a flag and the advice about its removal, on the page of the flag. */
const REPOSITORIES = '/api/v2/code-refs/repositories'
const DAY_MS = 86_400_000
let ui: UiServer
let browser: Browser
let page: Page
let complaints: Complaints

withBrowser(startUi, async (...started) => {
  ;[browser, ui] = started
  for (const name of ['checkout', 'unscanned', 'gone']) await ui.call('POST', FLAGS, { name })
  const sourceLink = 'https://git.example.com/shop/web'
  await ui.call('POST', REPOSITORIES, { name: 'web', type: 'github', sourceLink, defaultBranch: 'main' })
  const hunk = (flagKey: string, startingLineNumber: number) => ({ flagKey, startingLineNumber, projKey: 'default' })
  const upload = (hunks: readonly object[]) =>
    ui.call('PUT', `${REPOSITORIES}/web/branches/main`, {
      head: '0123456789abcdef',
      syncTime: Date.parse('2026-01-02T12:00:00Z'),
      references: [{ path: 'src/checkout/pay.ts', hunks }],
    })
  await upload([hunk('checkout', 12), hunk('checkout', 40), hunk('gone', 3)])
  await upload([hunk('checkout', 12), hunk('checkout', 40), hunk('new-chekout', 7)])
  for (const name of ['checkout', 'gone']) {
    await ui.call('PATCH', `${FLAGS}/${name}`, [{ op: 'replace', path: '/stale', value: true }])
  }
  const past = 'created_at = created_at - ?, last_seen_at = created_at - ?'
  await ui.alter(`update features set ${past} where name = 'gone'`, 20 * DAY_MS, 10 * DAY_MS)
})

beforeAll(async () => {
  ;({ page, complaints } = await openPage(browser))
  await logIn(page, ui.url, ADMIN)
})
afterAll(() => page.close())

const openCode = (flag: string) => visit(page, `${ui.url}/projects/default/features/${flag}?tab=code`)

test('shows the places of a flag with links, the verdict and the brief', async () => {
  await openCode('checkout')
  await page.getByText('In code: 2 places').waitFor()
  const place = page.getByRole('link', { name: 'src/checkout/pay.ts:12', exact: true })
  expect(await place.getAttribute('href')).toBe(
    'https://git.example.com/shop/web/blob/0123456789abcdef/src/checkout/pay.ts#L12',
  )
  await page.getByText('Not ready to be removed').waitFor()
  await page.getByText('Keep the path for which the flag is disabled.').waitFor()
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download removal brief' }).click()
  expect((await download).suggestedFilename()).toBe('remove-checkout.md')
  expect(complaints).toEqual([])
})

test('shows the commit that removed a flag, and that a flag was never found', async () => {
  await openCode('gone')
  await page.getByRole('link', { name: /^Removed in 0123456 of web on/ }).waitFor()
  await openCode('unscanned')
  await page.getByText('No scan has found this flag').waitFor()
  expect(complaints).toEqual([])
})

test('the list of stale flags names the places in the code, or the commit that removed the flag', async () => {
  await visit(page, `${ui.url}/stale?project=default`)
  await page
    .getByRole('row', { name: /checkout/ })
    .getByRole('link', { name: 'In code: 2 places' })
    .waitFor()
  const removal = page.getByRole('row', { name: /gone/ }).getByRole('link', { name: /^Removed in 0123456 of web on/ })
  expect(await removal.getAttribute('href')).toBe('https://git.example.com/shop/web/commit/0123456789abcdef')
  expect(complaints).toEqual([])
})

test('the list of unknown flags names the places that evaluate a name', async () => {
  const { secret } = await ui.call<{ secret: string }>('POST', '/api/admin/api-tokens', {
    tokenName: 'app',
    type: 'client',
    environment: 'development',
    projects: ['*'],
  })
  const time = new Date().toISOString()
  const bucket = { start: time, stop: time, toggles: { 'new-chekout': { yes: 0, no: 1 } } }
  await callAs(secret, 'POST', `${ui.url}/api/client/metrics`, { appName: 'app', bucket })
  await expect
    .poll(() => ui.call('GET', '/api/admin/metrics/unknown-flags'), { timeout: 20_000, interval: 200 })
    .toMatchObject({ unknownFlags: [{ name: 'new-chekout', referenceCount: 1 }] })
  await visit(page, `${ui.url}/applications`)
  const row = page.getByRole('row', { name: /new-chekout/ })
  await row.getByRole('link', { name: 'src/checkout/pay.ts:7', exact: true }).waitFor()
  expect(complaints).toEqual([])
})

test('the bell counts a flag that nothing uses, also after it was seen, until the proposal is dismissed', async () => {
  const bell = page.getByRole('button', { name: /^Notifications/ })
  await visit(page, `${ui.url}/`)
  await page.getByRole('button', { name: 'Notifications, 1 unread' }).click()
  const list = page.getByRole('list', { name: 'Notifications, newest first' })
  const item = list.getByRole('listitem').filter({ hasText: 'gone' })
  await item.getByText('you can archive it').waitFor()
  await item.getByText('No code refers to it; last evaluated 10 days ago').waitFor()
  await item.getByRole('link', { name: 'gone' }).click()
  await page.getByRole('heading', { name: 'gone', level: 1 }).waitFor()
  await page.getByRole('link', { name: /^Removed in 0123456 of web on/ }).waitFor()
  await list.waitFor({ state: 'detached' })
  expect(await bell.getAttribute('aria-label')).toBe('Notifications, 1 unread')
  expect(complaints).toEqual([])
})

test('the start page proposes to archive a flag that nothing uses, until the proposal is dismissed', async () => {
  await visit(page, `${ui.url}/`)
  const proposal = page.getByRole('list', { name: 'Waiting for you' }).getByRole('listitem').filter({ hasText: 'gone' })
  await proposal.getByText('Ready to archive').waitFor()
  await proposal.getByRole('link', { name: /^Removed in 0123456/ }).waitFor()
  await proposal.getByRole('link', { name: 'Open flag: gone' }).click()
  await page.getByRole('heading', { name: 'gone', level: 1 }).waitFor()
  await visit(page, `${ui.url}/`)
  await proposal.getByRole('button', { name: 'Dismiss: gone' }).click()
  await page.getByText('Nothing is waiting for you').waitFor()
  await page.getByRole('button', { name: 'Notifications', exact: true }).waitFor()
  expect(complaints).toEqual([])
})
