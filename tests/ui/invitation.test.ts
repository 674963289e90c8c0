import type { Browser } from 'playwright-core'
import { expect, test } from 'vitest'
import { withBrowser } from '../support/browser-hooks.ts'
import { logIn, openPage } from './support/ui-page.ts'
import { startUi, type UiServer } from './support/ui-server.ts'

const PASSWORD = 'another-horse-battery'

let ui: UiServer
let browser: Browser

withBrowser(startUi, (...started) => {
  ;[browser, ui] = started
})

test('who follows an invite link makes an account, and logs in with it', async () => {
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
  const link = await ui.call<{ secret: string }>('POST', '/api/admin/invite-link/tokens', { name: 'team', expiresAt })
  const { page } = await openPage(browser)
  await page.goto(`${ui.url}/new-user?invite=${link.secret}`)
  await page.getByLabel('E-mail address').fill('ann@example.com')
  await page.getByLabel('Name', { exact: true }).fill('Ann')
  await page.getByRole('textbox', { name: 'New password', exact: true }).fill('password')
  await page.getByLabel('New password, again').fill('password')
  await page.getByRole('button', { name: 'Make the account' }).click()
  // the server says why not, and what was typed stays
  await page.getByRole('alert').first().waitFor()
  expect(await page.getByLabel('E-mail address').inputValue()).toBe('ann@example.com')
  await page.getByRole('textbox', { name: 'New password', exact: true }).fill(PASSWORD)
  await page.getByLabel('New password, again').fill(PASSWORD)
  await page.getByRole('button', { name: 'Make the account' }).click()
  await page.waitForURL((url) => url.pathname.endsWith('/login'))
  await logIn(page, ui.url, { username: 'ann@example.com', password: PASSWORD })
  const { users } = await ui.call<{ users: { email?: string; rootRole: number }[] }>('GET', '/api/admin/user-admin')
  expect(users.find(({ email }) => email === 'ann@example.com')).toMatchObject({ rootRole: 3 })
})
