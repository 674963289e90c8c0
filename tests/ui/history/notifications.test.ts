import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withBrowser } from '../../support/browser-hooks.ts'
import { until } from '../../support/wait.ts'
import { type SessionCall, sessionCall } from '../support/session-call.ts'
import { type Complaints, logIn, openPage, speak } from '../support/ui-page.ts'
import { ADMIN, FLAGS, startUi, type UiServer } from '../support/ui-server.ts'
import { visit } from '../support/visit.ts'

const INA = { username: 'ina', password: 'another-horse-battery' }
const PROJECT = '/api/admin/projects/default'
const PRODUCTION = `${PROJECT}/environments/production/change-requests`

let ui: UiServer
let browser: Browser
let page: Page
let complaints: Complaints
let admin: SessionCall
let ina: SessionCall

withBrowser(startUi, async (...started) => {
  ;[browser, ui] = started
  for (const name of ['liked', 'other', 'guarded']) await ui.call('POST', FLAGS, { name })
  await ui.call('POST', '/api/admin/user-admin', { ...INA, rootRole: 2 })
  ;[admin, ina] = [await sessionCall(ui, ADMIN), await sessionCall(ui, INA)]
  await admin('POST', `${FLAGS}/liked/favorites`)
})

const bell = (unread?: number) =>
  page.getByRole('button', {
    name: unread === undefined ? 'Notifications' : `Notifications, ${unread} unread`,
    exact: true,
  })
const panel = () => page.getByRole('dialog', { name: 'Notifications' })
const describeAs = (flag: string, description: string) => ina('PUT', `${FLAGS}/${flag}`, { description })

describe('the bell', () => {
  beforeAll(async () => {
    ;({ page, complaints } = await openPage(browser))
    // waits for the first request, because events from before that request do not count as unread, and the bell is
    // shown earlier
    const asked = page.waitForResponse((reply) => reply.url().includes('/api/admin/user/notifications'))
    await logIn(page, ui.url, ADMIN)
    await asked
    await bell().waitFor()
  })
  afterAll(() => page.close())

  test('shows new notifications at once, and only those that concern me', async () => {
    await describeAs('liked', 'one')
    await bell(1).waitFor()
    await describeAs('other', 'one')
    await describeAs('liked', 'two')
    await bell(2).waitFor()
    expect(await bell(2).textContent()).toBe('2')
  })

  test('lists target, reason and actor of each; closing it marks them as read', async () => {
    await bell(2).click()
    const group = panel()
      .getByRole('listitem')
      .filter({ has: page.getByRole('link', { name: 'liked' }) })
    await group.getByText('favorite', { exact: true }).waitFor()
    expect(await group.getByText('Flag changed').count()).toBe(2)
    expect(await group.getByText('ina', { exact: true }).count()).toBe(2)
    expect(await panel().getByText('New:').count()).toBe(2)
    expect(await panel().getByText('other').count()).toBe(0)
    await page.keyboard.press('Escape')
    await bell().waitFor()
    await until(() => bell().evaluate((button) => button === document.activeElement))
    await bell().click()
    await panel().getByText('Flag changed').first().waitFor()
    // cached notifications are shown until they are reloaded
    await until(async () => (await panel().getByText('New:').count()) === 0)
    await page.keyboard.press('Escape')
    await panel().waitFor({ state: 'hidden' })
  })

  test('a key opens it, and a button reads everything while it is open', async () => {
    await page.keyboard.press('g')
    await page.keyboard.press('n')
    await panel().waitFor()
    await describeAs('liked', 'three')
    await panel().getByText('New:').waitFor({ state: 'attached' })
    await panel().getByRole('button', { name: 'Mark all as read' }).click()
    await until(async () => (await panel().getByText('New:').count()) === 0)
    expect(await panel().getByRole('button', { name: 'Mark all as read' }).isDisabled()).toBe(true)
    await page.keyboard.press('Escape')
    await panel().waitFor({ state: 'hidden' })
  })

  test('leads to the flag, and is closed there', async () => {
    await bell().click()
    await panel().getByRole('link', { name: 'liked' }).first().click()
    await page.getByRole('heading', { name: 'liked', level: 1 }).waitFor()
    await panel().waitFor({ state: 'hidden' })
  })

  test('names the change request that waits for my review, and leads there', async () => {
    await ui.call('PUT', `${PRODUCTION}/config`, { changeRequestsEnabled: true, requiredApprovals: 1 })
    const { id } = await ina<{ id: number }>('POST', PRODUCTION, {
      feature: 'guarded',
      action: 'addStrategy',
      payload: { name: 'flexibleRollout', parameters: {} },
    })
    await ina('PUT', `${PROJECT}/change-requests/${id}/title`, { title: 'Open the gate' })
    await ina('PUT', `${PROJECT}/change-requests/${id}/state`, { state: 'In review' })
    await bell(1).click()
    await panel().getByText('waits for your review').waitFor()
    await panel().getByText('Change request submitted for review').waitFor()
    await panel().getByRole('link', { name: 'Open the gate' }).click()
    await page.getByRole('heading', { name: 'Open the gate', level: 1 }).waitFor()
    // opening the change request does not count as a review
    await bell(1).waitFor()
  })

  test('can be opened by name from the palette, and has German texts', async () => {
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder(/Find a flag, a page/).fill('notifications')
    await page.getByRole('option', { name: 'Open notifications' }).click()
    await panel().waitFor()
    await page.keyboard.press('Escape')
    await speak(page, 'de')
    await page.getByRole('button', { name: 'Benachrichtigungen' }).click()
    await page.getByRole('dialog', { name: 'Benachrichtigungen' }).getByText('wartet auf Ihre Prüfung').waitFor()
  })

  test('fits a phone', async () => {
    await page.setViewportSize({ width: 390, height: 800 })
    await visit(page, `${ui.url}/projects/default`)
    await bell(1).click()
    await panel().getByText('waits for your review').waitFor()
    const isWide = () =>
      page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)
    expect(await isWide()).toBe(false)
    const box = await panel().boundingBox()
    expect(box && box.x >= 0 && box.x + box.width <= 390).toBe(true)
  })

  test('complains about nothing', () => expect(complaints).toEqual([]))
})

test('an empty list explains what will appear there', async () => {
  const { page: hers } = await openPage(browser)
  await ui.call('POST', '/api/admin/user-admin', { username: 'new', password: INA.password, rootRole: 3 })
  await logIn(hers, ui.url, { username: 'new', password: INA.password })
  await hers.getByRole('button', { name: 'Notifications', exact: true }).click()
  await hers.getByRole('dialog', { name: 'Notifications' }).getByText('No notifications yet').waitFor()
  await hers.context().close()
})
