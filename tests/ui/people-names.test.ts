import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withBrowser } from '../support/browser-hooks.ts'
import { type SessionCall, sessionCall } from './support/session-call.ts'
import { beginSession, type Complaints, openPage } from './support/ui-page.ts'
import { FLAGS, startUi, type UiServer, VIEWER } from './support/ui-server.ts'
import { visit } from './support/visit.ts'

/** Users with a display name who log in with an e-mail address, which must not be shown to other users. */
const PASSWORD = 'another-horse-battery'
const DOMAIN = 'harbor.example'
const PRIYA = { username: `priya@${DOMAIN}`, password: PASSWORD }
const LUCAS = { username: `lucas@${DOMAIN}`, password: PASSWORD }
const PROJECT = '/api/admin/projects/default'

let ui: UiServer
let browser: Browser
let page: Page
let complaints: Complaints
let request: number

withBrowser(startUi, async (...started) => {
  ;[browser, ui] = started
  const addUser = (email: string, name: string, rootRole: number) =>
    ui.call<{ id: number }>('POST', '/api/admin/user-admin', { email, name, password: PASSWORD, rootRole })
  await addUser(PRIYA.username, 'Priya Nair', 2)
  const { id: lucasId } = await addUser(LUCAS.username, 'Lucas Moreau', 1)
  await ui.call('POST', '/api/admin/user-admin', { ...VIEWER, rootRole: 3 })
  const [priya, lucas] = [await sessionCall(ui, PRIYA), await sessionCall(ui, LUCAS)]
  await priya('POST', FLAGS, { name: 'basket' })
  await priya('POST', `${FLAGS}/basket/comments`, { text: 'Pause on Friday' })
  await ui.call('PUT', `${PROJECT}/environments/production/change-requests/config`, { changeRequestsEnabled: true })
  request = await proposeAndApply(priya, lucas, lucasId)
})
beforeAll(async () => {
  ;({ page, complaints } = await openPage(browser))
  await beginSession(page, ui.url, VIEWER)
})
afterAll(() => expect(complaints).toEqual([]))

/** Priya proposes a change and asks Lucas, who approves and applies it. Returns the id of the change request. */
async function proposeAndApply(priya: SessionCall, lucas: SessionCall, lucasId: number): Promise<number> {
  const change = { feature: 'basket', action: 'updateEnabled', payload: { enabled: true } }
  const { id } = await priya<{ id: number }>('POST', `${PROJECT}/environments/production/change-requests`, change)
  const path = `${PROJECT}/change-requests/${id}`
  await priya('PUT', `${path}/approvers`, { reviewers: [lucasId] })
  await priya('PUT', `${path}/state`, { state: 'In review' })
  await lucas('POST', `${path}/comments`, { text: 'Looks good' })
  await lucas('PUT', `${path}/state`, { state: 'Approved' })
  await lucas('PUT', `${path}/state`, { state: 'Applied' })
  return id
}

const main = () => page.getByRole('main')

describe('people appear by their names, and their addresses to nobody else, on', () => {
  test.each([
    ['the flag page', 'projects/default/features/basket', ['Priya Nair']],
    ['comments', 'projects/default/features/basket?tab=comments', ['Priya Nair']],
    ['the history of a flag', 'projects/default/features/basket?tab=history', ['Priya Nair', 'Lucas Moreau']],
    ['the event log', 'events', ['Priya Nair', 'Lucas Moreau']],
    ['the list of change requests', 'projects/default/change-requests?show=all', ['Priya Nair']],
  ])('%s', async (_page, path, names) => {
    await visit(page, `${ui.url}/${path}`)
    for (const name of names) await main().getByText(name, { exact: true }).first().waitFor()
    expect(await main().innerText()).not.toContain(DOMAIN)
  })

  test('a change request: author, approvals, timeline and comments', async () => {
    await visit(page, `${ui.url}/projects/default/change-requests/${request}`)
    await main().getByText('Priya Nair created it').waitFor()
    for (const entry of ['Priya Nair submitted it for review', 'Lucas Moreau approved', 'Lucas Moreau applied it'])
      expect(await main().getByText(entry).count()).toBe(1)
    expect(await main().innerText()).not.toContain(DOMAIN)
  })
})

test('a page asks for all of its names in one request', async () => {
  const asked: string[] = []
  page.on('request', (one) => {
    const { pathname } = new URL(one.url())
    if (pathname === '/api/admin/people') asked.push(one.url())
  })
  await page.goto(`${ui.url}/projects/default/change-requests/${request}`)
  await main().getByText('Lucas Moreau applied it').waitFor()
  // After the event stream has connected, the page may send the request again.
  expect(new Set(asked).size).toBe(1)
})
