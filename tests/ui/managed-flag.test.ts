import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withBrowser } from '../support/browser-hooks.ts'
import { type Complaints, logIn, openPage, told } from './support/ui-page.ts'
import { ADMIN, FLAGS, startUi, type UiServer } from './support/ui-server.ts'

/** Page of a flag that a file describes: its banner, the confirmation of changes, and the copy of its file. */
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
let ui: UiServer
let browser: Browser
let page: Page
let complaints: Complaints

withBrowser(startUi, (...started) => {
  ;[browser, ui] = started
})

beforeAll(async () => {
  const files = [{ path: 'gift-cards.yaml', content: FILE }]
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

test('other flags have no banner, and change without a question', async () => {
  await page.goto(`${ui.url}/projects/default/features/free`)
  await markStale()
  await told(page, 'Marked free as stale')
  expect(await page.getByText('This flag comes from').count()).toBe(0)
})
