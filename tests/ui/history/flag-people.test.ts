import type { FlagPeople } from '@burgee/protocol/user'
import type { Browser, Page, Response } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withBrowser } from '../../support/browser-hooks.ts'
import { sessionCall } from '../support/session-call.ts'
import { beginSession, type Complaints, openPage, told } from '../support/ui-page.ts'
import { ADMIN, FLAGS, startUi, type UiServer } from '../support/ui-server.ts'
import { visit } from '../support/visit.ts'

const ADA = { username: 'ada', password: 'third-horse-battery' }

let ui: UiServer
let browser: Browser
let page: Page
let complaints: Complaints
let hers: { page: Page; complaints: Complaints }

withBrowser(startUi, async (...started) => {
  ;[browser, ui] = started
  const made = await ui.call<{ id: number }>('POST', '/api/admin/user-admin', {
    ...ADA,
    name: 'Ada Byron',
    rootRole: 2,
  })
  expect(made.id).toBeGreaterThan(0)
  for (const name of ['checkout', 'search']) await (await sessionCall(ui, ADMIN))('POST', FLAGS, { name })
})
beforeAll(async () => {
  ;({ page, complaints } = await openPage(browser))
  await beginSession(page, ui.url, ADMIN)
  await visit(page, `${ui.url}/projects/default/features/checkout`)
  hers = await openPage(browser)
  await beginSession(hers.page, ui.url, ADA)
})
afterAll(() => expect([complaints, hers.complaints]).toEqual([[], []]))

const flag = (name: string) => `${ui.url}/projects/default/features/${name}`
const people = (on: Page, name: string) => on.getByRole('button', { name })
/**
 * Waits until a page shows these users. Triggers the refresh of a window that regains focus, instead of waiting for the
 * next poll.
 */
const seen = (on: Page, name: string) =>
  expect
    .poll(
      async () => {
        await on.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })))
        return people(on, name).count()
      },
      { timeout: 15_000, interval: 300 },
    )
    .toBe(1)
const whoFollows = 'People: 1 follower'
const withAda = `People: Ada Byron is here too, 1 follower`

test('a user who opens a flag appears to others there, and disappears on opening another one', async () => {
  await seen(page, whoFollows)
  await visit(hers.page, flag('checkout'))
  await seen(page, withAda)
  await seen(hers.page, 'People: admin is here too, 1 follower')
  await visit(hers.page, flag('search'))
  await seen(page, whoFollows)
  await seen(hers.page, whoFollows)
  await visit(hers.page, flag('checkout'))
  await seen(page, withAda)
})

test('the keyboard opens the list of viewers and followers with their reasons, and closes it', async () => {
  await visit(hers.page, flag('checkout'))
  await (await sessionCall(ui, ADA))('POST', `${FLAGS}/checkout/favorites`)
  const button = people(page, 'People: Ada Byron is here too, 2 followers')
  await seen(page, 'People: Ada Byron is here too, 2 followers')
  await button.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'People' })
  const list = (name: string) => dialog.getByRole('list', { name }).getByRole('listitem')
  await dialog.waitFor()
  expect(await list('Viewing this flag now').allInnerTexts()).toEqual([expect.stringContaining('Ada Byron')])
  const followers = await list('Following this flag').allInnerTexts()
  expect(followers.map((one) => one.replaceAll(/\s+/g, ' '))).toEqual([
    expect.stringContaining('admin (you) creator'),
    expect.stringContaining('Ada Byron favorite'),
  ])
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  expect(await button.evaluate((one) => one === document.activeElement)).toBe(true)
})

test('a page that is closed leaves as well', async () => {
  await hers.page.close()
  await seen(page, 'People: 2 followers')
  hers = await openPage(browser)
  await beginSession(hers.page, ui.url, ADA)
})

test('after one of two windows at a flag closes, the user reappears within seconds', async () => {
  await visit(hers.page, flag('checkout'))
  await seen(page, 'People: Ada Byron is here too, 2 followers')
  const other = await hers.page.context().newPage()
  const isPut = (reply: Response) => reply.request().method() === 'PUT' && reply.url().endsWith('/user/presence')
  await Promise.all([other.waitForResponse(isPut), other.goto(flag('checkout'))])
  const saidAgain = other.waitForResponse(isPut)
  await Promise.all([saidAgain, hers.page.close()])
  const { present } = await ui.call<FlagPeople>('GET', `${FLAGS}/checkout/people`)
  expect(present.map(({ name }) => name)).toContain('Ada Byron')
  await other.close()
  await seen(page, 'People: 2 followers')
  hers = await openPage(browser)
  await beginSession(hers.page, ui.url, ADA)
})

test('a user who opts out appears on no page', async () => {
  await visit(hers.page, `${ui.url}/profile`)
  const choice = hers.page.getByRole('switch', { name: 'Show others which flag I am viewing' })
  await expect.poll(() => choice.isChecked()).toBe(true)
  await choice.press('Space')
  await told(hers.page, 'Others no longer see which flag you are viewing')
  const noted = hers.page.waitForResponse((reply) => reply.request().method() === 'PUT')
  await visit(hers.page, flag('checkout'))
  await noted
  await seen(hers.page, 'People: admin is here too, 2 followers')
  await page.reload()
  await seen(page, 'People: 2 followers')
  await visit(hers.page, `${ui.url}/profile`)
  expect(await choice.isChecked()).toBe(false)
  await choice.press('Space')
  await told(hers.page, 'Others see which flag you are viewing')
  await visit(hers.page, flag('checkout'))
  await seen(page, 'People: Ada Byron is here too, 2 followers')
})

test('the page works as usual if the server does not provide presence', async () => {
  await page.route('**/checkout/people', (route) =>
    route.fulfill({ status: 404, json: { name: 'NotFoundError', message: 'Not now.' } }),
  )
  await page.reload()
  await page.getByRole('region', { name: 'production' }).waitFor()
  await expect.poll(() => page.getByRole('button', { name: /^People/ }).count()).toBe(0)
  expect(await page.getByRole('alert').count()).toBe(0)
})
