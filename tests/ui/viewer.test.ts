import type { Browser, Locator, Page, Request } from 'playwright-core'
import { afterAll, expect, test } from 'vitest'
import { withBrowser } from '../support/browser-hooks.ts'
import { furnish, SCREENS } from './support/screens.ts'
import { type Complaints, logIn, openPage } from './support/ui-page.ts'
import { startUi, type UiServer, VIEWER } from './support/ui-server.ts'
import { leave, visitAfresh } from './support/visit.ts'

/** Screens of people who may do more: they say so. */
const CLOSED = [
  ...['tokens', 'users', 'create-user', 'project-members', 'add-members', 'groups', 'create-group'],
  ...['invite-links', 'create-invite-link', 'service-accounts', 'roles', 'create-role', 'single-sign-on', 'logins'],
]
/** Screens of which everybody has one of their own. */
const OWN = ['profile', 'create-personal-token', 'link-gone']
/** What buttons say that change something; fields of the playground are one's own. */
const CHANGES =
  /^(\+ )?(Add|Archive|Change|Create|Delete|Deprecate|Disable|Duplicate|Edit|Enable|More|Move|Reactivate|Remove|Revive|Revoke|Save|Take|Turn|Undo)\b(?! ((the )?field|comment|filters))/

let ui: UiServer
let browser: Browser
let page: Page
let complaints: Complaints
/** What was refused while somebody looked at a screen. */
interface Look {
  readonly name: string
  readonly refused: string[]
}
const looks: Look[] = []
/** Where something was asked for: its answer may come when the next screen is open. */
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

// an answer may have come after its screen was looked at
afterAll(() => expect(looks.filter(({ name, refused }) => !CLOSED.includes(name) && refused.length > 0)).toEqual([]))

const namesOf = (buttons: Locator) => buttons.evaluateAll((all) => all.map((one) => one.ariaLabel ?? one.textContent))
const offered = () => namesOf(page.getByRole('button', { name: CHANGES }))
const ofEvents = () => page.getByRole('list', { name: 'Events, newest first' }).getByRole('button', { name: /^More: / })

/** Names of the menus of events, which lead a viewer to the flag as it was then, and nowhere else. */
async function menusOfEvents(): Promise<string[]> {
  const menu = ofEvents().first()
  if ((await menu.count()) > 0) {
    await menu.click()
    await page.getByRole('menuitem').first().waitFor()
    expect(await page.getByRole('menuitem').allTextContents()).toEqual(['The flag then'])
    await page.keyboard.press('Escape')
    await page.getByRole('menuitem').first().waitFor({ state: 'hidden' })
  }
  return namesOf(ofEvents())
}

const LOOKED_AT = SCREENS.filter(({ name, open }) => open === undefined && !OWN.includes(name))

test.each(LOOKED_AT)(
  'of $name a viewer sees what there is, and is offered nothing that would be refused',
  async (screen) => {
    const said = complaints.length
    const look: Look = { name: screen.name, refused: [] }
    // the screen before may still ask for something, and a refusal of that would be taken for one of this screen
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
    expect(await offered()).toEqual(await menusOfEvents())
    expect(await page.getByRole('main').getByRole('switch', { disabled: false }).count()).toBe(0)
    expect(complaints.slice(said)).toEqual([])
  },
)
