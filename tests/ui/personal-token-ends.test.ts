import type { NewPersonalToken } from '@burgee/protocol/access'
import type { Browser, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { withBrowser } from '../support/browser-hooks.ts'
import { logIn, openPage } from './support/ui-page.ts'
import { ADMIN, startUi, type UiServer } from './support/ui-server.ts'

const PASSWORDS = ['another-horse-battery', 'a-third-horse-battery', 'a-fourth-horse-battery'] as const
const ROW = { username: 'ida', rootRole: 3 }

let ui: UiServer
let browser: Browser

withBrowser(startUi, async (...started) => {
  ;[browser, ui] = started
  await ui.call('POST', '/api/admin/user-admin', { ...ROW, password: PASSWORDS[0] })
})

/** Creates a token as the user who is logged in on a page. Returns its secret. */
async function makeToken(page: Page, description: string): Promise<string> {
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
  const headers = { origin: new URL(ui.url).origin }
  const reply = await page.request.post(`${ui.url}/api/admin/user/tokens`, {
    headers,
    data: { description, expiresAt },
  })
  expect(reply.status()).toBe(201)
  return ((await reply.json()) as NewPersonalToken).secret
}

async function statusOf(secret: string): Promise<number> {
  return (await fetch(`${ui.url}/api/admin/user`, { headers: { authorization: secret } })).status
}

async function changePassword(page: Page, from: string, to: string): Promise<void> {
  await page.getByLabel('Current password').fill(from)
  await page.getByRole('textbox', { name: 'New password', exact: true }).fill(to)
  await page.getByLabel('Repeat new password').fill(to)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.waitForURL((url) => !url.pathname.endsWith('/password'))
}

describe('personal tokens', () => {
  test('go on after a change of the password, and end where their person ticks the box', async () => {
    const { page } = await openPage(browser)
    await logIn(page, ui.url, { username: ROW.username, password: PASSWORDS[0] })
    const secret = await makeToken(page, 'script')
    const statuses = []
    for (const [at, ends] of [
      [0, false],
      [1, true],
    ] as const) {
      await page.goto(`${ui.url}/password`)
      const box = page.getByRole('checkbox', { name: 'Revoke my personal tokens too' })
      expect(await box.isChecked()).toBe(false)
      if (ends) await box.check()
      await changePassword(page, PASSWORDS[at], PASSWORDS[at + 1] ?? '')
      statuses.push(await statusOf(secret))
    }
    expect(statuses).toEqual([200, 401])
    await page.close()
  })

  test('end when an administrator makes a new password, unless the box is cleared', async () => {
    const { page: hers } = await openPage(browser)
    const { page } = await openPage(browser)
    await logIn(page, ui.url, ADMIN)
    await logIn(hers, ui.url, { username: ROW.username, password: PASSWORDS[2] })
    const secret = await makeToken(hers, 'another')
    const sent: unknown[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/change-password')) sent.push(request.postDataJSON().deletePersonalTokens)
    })
    for (const ends of [false, true]) {
      await page.goto(`${ui.url}/users`)
      await page.getByRole('button', { name: 'New password for ida' }).click()
      await page.getByRole('radio', { name: 'With a generated password' }).check()
      const box = page.getByRole('checkbox', { name: 'Revoke their personal tokens too' })
      expect(await box.isChecked()).toBe(true)
      if (!ends) await box.uncheck()
      await page.getByRole('button', { name: 'Create' }).click()
      await page.getByRole('button', { name: 'Done' }).click()
      // while the password must be changed, a token is valid but cannot be used
      expect(await statusOf(secret)).toBe(ends ? 401 : 200)
    }
    expect(sent).toEqual([false, true])
    await Promise.all([page.close(), hers.close()])
  })
})
