import type { Browser, Locator, Page, Request } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { withBrowser } from '../support/browser-hooks.ts'
import { furnish, SCREENS } from './support/screens.ts'
import { type Complaints, logIn, openPage } from './support/ui-page.ts'
import { startUi, type UiServer, VIEWER } from './support/ui-server.ts'
import { leave, visitAfresh } from './support/visit.ts'

/** Screens that a viewer may not see, and that display a message about the missing permission. */
const CLOSED = [
  ...['tokens', 'users', 'create-user', 'project-members', 'add-members', 'groups', 'create-group'],
  ...[
    'invite-links',
    'create-invite-link',
    'service-accounts',
    'roles',
    'built-in-role',
    'create-role',
    'single-sign-on',
    'logins',
    'signal-endpoints',
    'create-signal-endpoint',
  ],
]
/** Screens that show only the user's own data. */
const OWN = ['profile', 'create-personal-token', 'link-gone']
/** Labels of buttons that make changes. Fields of the playground are excluded, because they change only the page. */
const CHANGES =
  /^(\+ )?(Add|Archive|Change|Create|Delete|Deprecate|Disable|Duplicate|Edit|Enable|More|Move|Reactivate|Remove|Restore|Revert|Snooze|Start|Pause|Resume|Revoke|Save|Take|Turn|Undo)\b(?! ((the )?field|comment|filters?|view))/

let ui: UiServer
let browser: Browser
let page: Page
let complaints: Complaints
/** Requests that were rejected while a screen was displayed. */
interface Look {
  readonly name: string
  readonly refused: string[]
}
const looks: Look[] = []
/** Screen on which the request was sent. The reply may arrive while the next screen is displayed. */
const lookOf = new WeakMap<Request, Look>()

withBrowser(startUi, async (...started) => {
  ;[browser, ui] = started
  await furnish(ui)
  await ui.call('POST', '/api/admin/user-admin', { ...VIEWER, rootRole: 3 })
  ;({ page, complaints } = await openPage(browser))
  page.on('request', (request) => {
    const look = looks.at(-1)
    if (look !== undefined) lookOf.set(request, look)
  })
  page.on('response', (reply) => {
    if (reply.status() !== 403) return
    lookOf.get(reply.request())?.refused.push(`${reply.request().method()} ${new URL(reply.url()).pathname}`)
  })
  await logIn(page, ui.url, VIEWER)
})

// a reply may arrive after its screen was checked
afterAll(() => expect(looks.filter(({ name, refused }) => !CLOSED.includes(name) && refused.length > 0)).toEqual([]))

const namesOf = (buttons: Locator) => buttons.evaluateAll((all) => all.map((one) => one.ariaLabel ?? one.textContent))
const offered = () => namesOf(page.getByRole('button', { name: CHANGES }))
const LOOKED_AT = SCREENS.filter(({ name, open }) => open === undefined && !OWN.includes(name))

test.each(LOOKED_AT)('a viewer sees $name without any action that would be refused', async (screen) => {
  const said = complaints.length
  const look: Look = { name: screen.name, refused: [] }
  // otherwise, a request of the previous screen that is rejected late would be attributed to this screen
  await leave(page, ui.url)
  looks.push(look)
  await visitAfresh(page, `${ui.url}${screen.path}`)
  if (CLOSED.includes(screen.name)) {
    await page.getByText('You do not have access to this page').waitFor()
  } else {
    await page.locator('h1, h2').first().waitFor()
    await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' })
    await page.waitForFunction(() => document.querySelector('main, [role=dialog]')?.textContent !== '')
    expect(look.refused).toEqual([])
  }
  expect(await offered()).toEqual([])
  expect(await page.getByRole('main').getByRole('switch', { disabled: false }).count()).toBe(0)
  expect(complaints.slice(said)).toEqual([])
})
