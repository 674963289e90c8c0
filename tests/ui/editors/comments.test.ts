import type { Browser, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { withBrowser } from '../../support/browser-hooks.ts'
import { until } from '../../support/wait.ts'
import { type Complaints, logIn, openPage, speak, told } from '../support/ui-page.ts'
import { ADMIN, FLAGS, startUi, type UiServer, VIEWER } from '../support/ui-server.ts'
import { visit } from '../support/visit.ts'

const COMMENTS = `${FLAGS}/checkout/comments`
const MEMBER = { username: 'alice', password: 'yet-another-battery' }

let ui: UiServer
let browser: Browser
let page: Page
let complaints: Complaints

withBrowser(startUi, async (...started) => {
  ;[browser, ui] = started
  await ui.call('POST', FLAGS, { name: 'checkout' })
  await ui.call('POST', '/api/admin/user-admin', { ...VIEWER, rootRole: 3 })
  await ui.call('POST', '/api/admin/user-admin', { ...MEMBER, rootRole: 2 })
  ;({ page, complaints } = await openPage(browser))
  await logIn(page, ui.url, MEMBER)
  await visit(page, address())
})

const address = (tab = 'comments') => `${ui.url}/projects/default/features/checkout?tab=${tab}`
const list = (of = page) => of.getByRole('list', { name: 'Comments, newest first' })
const rows = (of = page) => list(of).getByRole('listitem')
const field = () => page.getByLabel('Comment', { exact: true })
const stored = async () => (await ui.call<{ comments: { text: string }[] }>('GET', COMMENTS)).comments

describe('on the page of a flag', () => {
  test('the list is empty at first, and a comment is sent by keyboard', async () => {
    await page.getByRole('heading', { name: 'No comments yet' }).waitFor()
    await page.getByRole('button', { name: 'Add comment' }).click()
    await page.getByText('Comment is empty').waitFor()
    await field().fill('Paused, see https://example.com/incidents/42.\nBack on Monday')
    await page.keyboard.press('Control+Enter')
    await told(page, 'Comment added')
    expect(await rows().count()).toBe(1)
    await page.getByRole('tab', { name: 'Comments (1)' }).waitFor()
    // the user can continue typing
    await expect.poll(() => field().evaluate((one) => one === document.activeElement)).toBe(true)
    expect(await field().inputValue()).toBe('')
  })

  test('it appears with author and time, its lines, and its links', async () => {
    const row = rows().first()
    await row.getByText('alice', { exact: true }).waitFor()
    expect(await row.locator('time').getAttribute('title')).toMatch(/\d{4}/)
    const link = row.getByRole('link')
    expect(await link.getAttribute('href')).toBe('https://example.com/incidents/42')
    expect([await link.getAttribute('rel'), await link.getAttribute('target')]).toEqual([
      expect.stringContaining('noopener'),
      '_blank',
    ])
    const text = row.getByText(/^Paused, see/)
    expect(await text.innerText()).toBe('Paused, see https://example.com/incidents/42.\nBack on Monday')
  })

  test('other schemes do not become links, and text is never markup', async () => {
    await ui.call('POST', COMMENTS, { text: 'javascript:alert(1) <img src=x onerror=alert(2)>' })
    const row = rows().filter({ hasText: 'onerror' })
    await row.waitFor()
    expect([await row.getByRole('link').count(), await row.locator('img').count()]).toEqual([0, 0])
  })

  test('comments of others appear on top at once, and the draft stays', async () => {
    await field().fill('half a thought')
    await ui.call('POST', COMMENTS, { text: 'Support knows.' })
    await rows().filter({ hasText: 'Support knows.' }).waitFor()
    expect(await rows().first().innerText()).toContain('Support knows.')
    expect(await field().inputValue()).toBe('half a thought')
    await page.getByRole('tab', { name: 'Comments (3)' }).waitFor()
    await field().fill('')
  })

  test('it shows the remaining length near the limit, and the excess', async () => {
    await page.getByText('sends it').waitFor()
    await field().fill('x'.repeat(4990))
    await page.getByText('10 characters left').waitFor()
    await field().fill('x'.repeat(5002))
    await page.getByText('2 characters too many').waitFor()
    await page.getByRole('button', { name: 'Add comment' }).click()
    await page.getByText('Fix the highlighted fields.').waitFor()
    expect((await stored()).length).toBe(3)
    await field().fill('')
    await field().blur()
  })

  test('authors can edit their comments, and the history shows it', async () => {
    await visit(page, address())
    const row = rows().filter({ hasText: 'Paused' })
    await row.getByRole('button', { name: /^Actions for the comment by alice/ }).click()
    await page.getByRole('menuitem', { name: /^Edit the comment by alice/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit comment' })
    await dialog.getByLabel('Comment').fill('Goes on')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await told(page, 'Comment saved')
    await rows().filter({ hasText: 'Goes on' }).getByText('edited').waitFor()
    await visit(page, address('history'))
    await page.getByRole('button', { name: /alice edited a comment on/ }).click()
    const panel = page.getByRole('dialog')
    await panel.getByText('“Goes on”', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: /alice commented on/ }).waitFor()
    await visit(page, address())
  })

  test('one deletes it only when asked twice', async () => {
    const remove = async () => {
      await rows()
        .filter({ hasText: 'Goes on' })
        .getByRole('button', { name: /^Actions for/ })
        .click()
      await page.getByRole('menuitem', { name: /^Delete the comment by alice/ }).click()
      return page.getByRole('dialog', { name: 'Delete this comment?' })
    }
    await (await remove()).getByRole('button', { name: 'Cancel' }).click()
    expect((await stored()).length).toBe(3)
    await (await remove()).getByRole('button', { name: 'Delete' }).click()
    await told(page, 'Comment deleted')
    await until(async () => (await rows().count()) === 2)
    expect((await stored()).map(({ text }) => text)).not.toContain('Goes on')
  })

  test('speaks German', async () => {
    await speak(page, 'de')
    await page.getByRole('tab', { name: 'Kommentare (2)' }).waitFor()
    await page.getByRole('button', { name: 'Kommentar hinzufügen' }).waitFor()
  })

  test('the limit of comments is shown', async () => {
    await visit(page, address())
    await page.route(`**${COMMENTS}`, (route) =>
      route.request().method() === 'GET'
        ? route.continue()
        : route.fulfill({
            status: 400,
            json: {
              name: 'ValidationError',
              message: 'Validation failed',
              details: [{ message: 'A flag takes 500 comments of 200000 characters together at most' }],
            },
          }),
    )
    await field().fill('one more')
    await page.getByRole('button', { name: 'Add comment' }).click()
    await page.getByText('Too many comments').waitFor()
    await page.unroute(`**${COMMENTS}`)
    await field().fill('')
    await field().blur()
  })
})

describe('other users', () => {
  let other: Page
  const as = async (who: typeof ADMIN) => {
    const opened = await openPage(browser)
    other = opened.page
    await logIn(other, ui.url, who)
    await visit(other, address())
    await rows(other).first().waitFor()
  }
  beforeAll(() => visit(page, address()))

  test('see comments but no actions if they may only read', async () => {
    await as(VIEWER)
    expect(await rows(other).count()).toBe(2)
    expect(await other.getByLabel('Comment', { exact: true }).count()).toBe(0)
    expect(await list(other).getByRole('button').count()).toBe(0)
    await other.context().close()
  })

  test('can delete but not edit comments of others if they may change the project', async () => {
    await ui.call('POST', COMMENTS, { text: 'From a script' })
    await as(ADMIN)
    await rows(other)
      .filter({ hasText: 'From a script' })
      .getByRole('button', { name: /^Actions for/ })
      .click()
    await other.getByRole('menuitem').first().waitFor()
    expect(await other.getByRole('menuitem').allInnerTexts()).toEqual(['Delete'])
    await other.getByRole('menuitem').first().click()
    await other.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await told(other, 'Comment deleted')
    await visit(other, address('history'))
    await other.getByRole('button', { name: /admin deleted a comment on/ }).waitFor()
    await other.context().close()
  })

  test('find them on a flag that is archived, and write none', async () => {
    await ui.call('DELETE', `${FLAGS}/checkout`)
    await page.getByText('comments are read-only').waitFor()
    expect(await rows().count()).toBe(2)
    expect(await field().count()).toBe(0)
    expect(await list().getByRole('button').count()).toBe(0)
    expect(complaints).toEqual([])
  })
})
