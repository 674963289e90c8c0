import type { Browser } from 'playwright-core'
import { expect, test } from 'vitest'
import { withBrowser } from '../../support/browser-hooks.ts'
import { logIn, openPage } from '../support/ui-page.ts'
import { ADMIN, startUi, type UiServer } from '../support/ui-server.ts'

const MARIA = { username: 'maria', password: 'another-horse-battery' }

const OLGA = { username: 'olga', password: 'a-third-horse-battery' }

let ui: UiServer
let browser: Browser
withBrowser(startUi, async (...started) => {
  ;[browser, ui] = started
  const common = { type: 'client', environment: 'development' }
  await ui.call('POST', '/api/admin/api-tokens', { ...common, tokenName: 'of-default', projects: ['default'] })
  await ui.call('POST', '/api/admin/api-tokens', { ...common, tokenName: 'of-all', projects: ['*'] })
  await ui.call('POST', '/api/admin/user-admin', { ...MARIA, rootRole: 2 })
  const olga = await ui.call<{ id: number }>('POST', '/api/admin/user-admin', { ...OLGA, rootRole: 3 })
  await ui.call('POST', '/api/admin/projects/default/access', { roles: [4], users: [olga.id] })
  await ui.call('POST', '/api/admin/projects', { id: 'zqhidden', name: 'Zqhidden', mode: 'private' })
  for (const [tokenName, more] of [
    ['owned', []],
    ['shared', ['zqhidden']],
  ] as const) {
    await ui.call('POST', '/api/admin/api-tokens', { ...common, tokenName, projects: ['default', ...more] })
  }
})

test('the settings of a project list its own tokens apart from those for all projects', async () => {
  const { page } = await openPage(browser)
  await logIn(page, ui.url, ADMIN)
  await page.goto(`${ui.url}/projects/default/settings`)
  await page.getByRole('tab', { name: 'API tokens' }).click()
  const own = page.getByRole('table', { name: 'Tokens for this project' })
  const all = page.getByRole('table', { name: 'Tokens for all projects' })
  await own.getByRole('rowheader', { name: 'of-default' }).waitFor()
  await all.getByRole('rowheader', { name: 'of-all' }).waitFor()
  expect(await own.getByText('of-all').count()).toBe(0)
  expect(await all.getByText('of-default').count()).toBe(0)
  await page.close()
})

test('the owner of a project revokes its tokens, except tokens that a hidden project shares', async () => {
  const { page } = await openPage(browser)
  await logIn(page, ui.url, OLGA)
  await page.goto(`${ui.url}/projects/default/settings`)
  await page.getByRole('tab', { name: 'API tokens' }).click()
  const own = page.getByRole('table', { name: 'Tokens for this project' })
  const revoke = async (name: string) => {
    await own.getByRole('button', { name: `Revoke ${name}` }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  }
  await revoke('owned')
  await page.getByText('Revoked token owned').waitFor()
  await expect.poll(() => own.getByRole('rowheader', { name: 'owned' }).count()).toBe(0)
  await revoke('shared')
  await page.getByText('also belongs to a project whose tokens you may not revoke').waitFor()
  expect(await own.getByRole('rowheader', { name: 'shared' }).count()).toBe(1)
  expect(await page.getByText(/zqhidden/i).count()).toBe(0)
  const all = page.getByRole('table', { name: 'Tokens for all projects' })
  await all.getByRole('rowheader', { name: 'of-all' }).waitFor()
  expect(await all.getByRole('button', { name: /^Revoke / }).count()).toBe(0)
  await page.close()
})

test('users end another session of theirs with their password', async () => {
  const { page } = await openPage(browser)
  const { page: other } = await openPage(browser)
  await logIn(other, ui.url, ADMIN)
  await logIn(page, ui.url, ADMIN)
  await page.goto(`${ui.url}/profile`)
  await page.getByRole('table', { name: 'Open sessions' }).getByText('this session').waitFor()
  const buttons = page.getByRole('button', { name: /^End session: / })
  const before = await buttons.count()
  await buttons.first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Current password').fill('a-wrong-password')
  await dialog.getByRole('button', { name: 'End session' }).click()
  await dialog.getByRole('alert').waitFor()
  await dialog.getByLabel('Current password').fill(ADMIN.password)
  await dialog.getByRole('button', { name: 'End session' }).click()
  await page.getByText('1 session ended').waitFor()
  await expect.poll(() => buttons.count()).toBe(before - 1)
  expect((await other.request.get(`${ui.url}/api/admin/user`)).status()).toBe(401)
  expect((await page.request.get(`${ui.url}/api/admin/user`)).status()).toBe(200)
  await other.close()
  await page.close()
})

test('administrators end the sessions of one user, or of all other users', async () => {
  const { page } = await openPage(browser)
  const { page: other } = await openPage(browser)
  await logIn(page, ui.url, ADMIN)
  await logIn(other, ui.url, MARIA)
  await page.goto(`${ui.url}/users`)
  await page.getByRole('button', { name: 'More: maria' }).click()
  await page.getByRole('menuitem', { name: 'End sessions of maria' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'End sessions' }).click()
  await page.getByText('Ended all sessions of maria').waitFor()
  expect((await other.request.get(`${ui.url}/api/admin/user`)).status()).toBe(401)
  await logIn(other, ui.url, MARIA)
  await page.getByRole('button', { name: 'End sessions of all users' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'End sessions of all users' }).click()
  await page.getByText('Ended the sessions of all other users').waitFor()
  expect((await other.request.get(`${ui.url}/api/admin/user`)).status()).toBe(401)
  expect((await page.request.get(`${ui.url}/api/admin/user`)).status()).toBe(200)
  await other.close()
  await page.close()
})
