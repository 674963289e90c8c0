import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withBrowser } from '../../support/browser-hooks.ts'
import { logIn, openPage, told } from '../support/ui-page.ts'
import { startUi, type UiServer, VIEWER } from '../support/ui-server.ts'
import { visit } from '../support/visit.ts'

/** Users change their own e-mail address, and errors are shown next to the field. */

let ui: UiServer
let browser: Browser
let page: Page

withBrowser(startUi, async (...started) => {
  ;[browser, ui] = started
  await ui.call('POST', '/api/admin/user-admin', { ...VIEWER, email: 'vera@example.com', rootRole: 3 })
  await ui.call('POST', '/api/admin/user-admin', { email: 'taken@example.com', rootRole: 3 })
})
beforeAll(async () => {
  ;({ page } = await openPage(browser))
  await logIn(page, ui.url, VIEWER)
  await visit(page, `${ui.url}/profile`)
})
afterAll(() => page.close())

const dialog = () => page.getByRole('dialog', { name: 'Change e-mail address' })
const email = () => dialog().getByRole('textbox', { name: 'E-mail address' })
const password = () => dialog().getByRole('textbox', { name: 'Current password' })
const save = () => dialog().getByRole('button', { name: 'Save' }).click()
/** Returns the error messages of a field. */
const reason = async (field: Locator) => {
  const id = await field.getAttribute('aria-describedby')
  const said = (id ?? '').split(' ').filter((one) => one.endsWith('-error'))
  return Promise.all(said.map((one) => page.locator(`[id="${one}"]`).innerText()))
}

test('an invalid or taken address, or a wrong password: the reason is beside the field', async () => {
  await page.getByRole('button', { name: 'Change e-mail address' }).click()
  expect(await email().inputValue()).toBe('vera@example.com')
  await email().fill('vera')
  expect(await reason(email())).toEqual(['Enter an e-mail address, such as name@example.com.'])
  await email().fill('taken@example.com')
  await password().fill(VIEWER.password)
  await save()
  await expect.poll(() => reason(email())).toEqual(['This address is already used by another account.'])
  await email().fill('vera@new.example')
  await password().fill('something else')
  await save()
  await expect.poll(() => reason(password())).toEqual(['The current password is wrong.'])
  expect(await reason(email())).toEqual([])
  expect(await dialog().getByRole('alert').count()).toBe(0)
})

test('the right password changes the address at once', async () => {
  await password().fill(VIEWER.password)
  await save()
  await told(page, 'Your e-mail address is now vera@new.example')
  await page.getByRole('definition').filter({ hasText: 'vera@new.example' }).waitFor()
  expect(await dialog().count()).toBe(0)
})

test('an address from single sign-on cannot be changed here, with a note', async () => {
  const sql =
    "insert into sso_identities (issuer, subject, user_id, created_at) select 'https://id', 'v', id, 0 from users"
  await ui.alter(`${sql} where username = ?`, VIEWER.username)
  await logIn(page, ui.url, VIEWER)
  await visit(page, `${ui.url}/profile`)
  await page.getByText('Managed by single sign-on.').waitFor()
  expect(await page.getByRole('button', { name: 'Change e-mail address' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Change name' }).waitFor()
})
