import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withBrowser } from '../support/browser-hooks.ts'
import { untilFaded, violationsOf } from './support/axe.ts'
import { type Complaints, logIn, openPage, told } from './support/ui-page.ts'
import { ADMIN, FLAGS, startUi, type UiServer } from './support/ui-server.ts'

/** Objects that files describe: the banner of a flag, the confirmation of changes, and the copy of the file of a flag. */
const CONFIG = '/api/admin/projects/default/config'
const FILE = `kind: Flag
name: gift-cards
environments:
  development:
    enabled: true
    strategies:
      - name: default
type: release
`
const SEGMENT_FILE = `kind: Segment
name: staff
constraints: []
`
let ui: UiServer
let browser: Browser
let page: Page
let complaints: Complaints

withBrowser(startUi, (...started) => {
  ;[browser, ui] = started
})

beforeAll(async () => {
  const files = [
    { path: 'gift-cards.yaml', content: FILE },
    { path: 'staff.yaml', content: SEGMENT_FILE },
  ]
  const source = { repository: 'shop/flags', commit: '3f2a1c0aaaaaaa' }
  const { plan } = await ui.call<{ plan: string }>('POST', `${CONFIG}/plan`, { files, source })
  await ui.call('POST', `${CONFIG}/apply`, { files, source, plan })
  await ui.call('POST', FLAGS, { name: 'free' })
  ;({ page, complaints } = await openPage(browser))
  await logIn(page, ui.url, ADMIN)
})
afterAll(async () => {
  expect(complaints).toEqual([])
  await page.close()
})

const button = (name: string) => page.getByRole('button', { name, exact: true })
const dialog = () => page.getByRole('dialog')
const isStale = async (name: string) => (await ui.call<{ stale: boolean }>('GET', `${FLAGS}/${name}`)).stale

async function markStale(): Promise<void> {
  await button('More').click()
  await page.getByRole('menuitem', { name: 'Mark as stale' }).click()
}

test('the page names repository, commit and file', async () => {
  await page.goto(`${ui.url}/projects/default/features/gift-cards`)
  await page.getByText('This flag comes from shop/flags@3f2a1c0 (gift-cards.yaml).').waitFor()
})

test.each(['light', 'dark'] as const)('page and question are accessible in %s mode', async (colorScheme) => {
  await page.emulateMedia({ colorScheme })
  await untilFaded(page)
  expect(await violationsOf(page)).toEqual([])
  await markStale()
  await dialog().getByText('Change gift-cards by hand?').waitFor()
  await untilFaded(page)
  expect(await violationsOf(page)).toEqual([])
  await dialog().getByRole('button', { name: 'Cancel' }).click()
  await dialog().waitFor({ state: 'hidden' })
})

test('a change asks first, and a refusal changes nothing', async () => {
  await markStale()
  await dialog().getByText('Change gift-cards by hand?').waitFor()
  await dialog().getByRole('button', { name: 'Cancel' }).click()
  await dialog().waitFor({ state: 'hidden' })
  expect(await isStale('gift-cards')).toBe(false)
})

test('a confirmed change is made, shows in the banner, and its undo asks as well', async () => {
  await markStale()
  await dialog().getByRole('button', { name: 'Change by hand' }).click()
  await told(page, 'Marked gift-cards as stale')
  await page.getByText(/Changed by hand/).waitFor()
  await button('Undo').click()
  await dialog().getByRole('button', { name: 'Change by hand' }).click()
  await expect.poll(() => isStale('gift-cards')).toBe(false)
})

test('the file of the flag can be copied', async () => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await button('More').click()
  await page.getByRole('menuitem', { name: 'Copy as YAML' }).click()
  await told(page, 'Copied gift-cards as YAML')
  const { files } = await ui.call<{ files: { content: string }[] }>('GET', `${CONFIG}/export?flag=gift-cards`)
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(files[0]?.content)
})

test('a change of a segment asks first, and of another segment does not', async () => {
  await ui.call('POST', '/api/admin/segments', { name: 'testers', constraints: [] })
  const save = async (name: string) => {
    await page.goto(`${ui.url}/segments`)
    await page
      .getByRole('row', { name: new RegExp(name) })
      .getByRole('button', { name: /^Edit/ })
      .click()
    await dialog().getByLabel('Description').fill('People who work here')
    await dialog().getByRole('button', { name: 'Save' }).click()
  }
  await save('staff')
  await dialog().getByText('Change staff by hand?').waitFor()
  await dialog().getByRole('button', { name: 'Change by hand' }).click()
  await told(page, 'Saved segment staff')
  await save('testers')
  await told(page, 'Saved segment testers')
})

test('other flags have no banner, and change without a question or a request for origins', async () => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.goto(`${ui.url}/projects/default/features/free`)
  await markStale()
  await told(page, 'Marked free as stale')
  expect(await page.getByText('This flag comes from').count()).toBe(0)
  expect(asked).not.toContain('/api/admin/config/origins')
})
