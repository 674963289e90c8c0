import type { Browser, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { withBrowser } from '../support/browser-hooks.ts'
import { logIn, openPage } from './support/ui-page.ts'
import { ADMIN, startUi, type UiServer } from './support/ui-server.ts'
import { visit } from './support/visit.ts'

/**
 * Removing all constraints of a segment: the UI asks for confirmation, and then sends `allowEmpty`.
 */
const PAYING = { contextName: 'userId', operator: 'IN', values: ['7'] }
const STRATEGIES = '/api/admin/projects/default/features/open/environments/development/strategies'

let ui: UiServer
let browser: Browser
let page: Page
let segment: number

withBrowser(startUi, async (...started) => {
  ;[browser, ui] = started
  await ui.call('POST', '/api/admin/projects/default/features', { name: 'open' })
  segment = (await ui.call<{ id: number }>('POST', '/api/admin/segments', { name: 'paying', constraints: [PAYING] })).id
  await ui.call('POST', STRATEGIES, { name: 'default', constraints: [PAYING], segments: [segment] })
  await ui.call('POST', '/api/admin/projects/default/features/open/environments/development/on')
  ;({ page } = await openPage(browser))
  await logIn(page, ui.url, ADMIN)
})

test('a segment that would match everyone is saved after a confirmation', async () => {
  await visit(page, `${ui.url}/segments?edit=%22${segment}%22`)
  await page.getByRole('button', { name: 'Remove constraint 1' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Without constraints the segment matches all users').waitFor()
  await page.getByRole('button', { name: 'Save segment' }).click()
  await page.getByText('Saved segment paying').waitFor()
  const { constraints } = await ui.call<{ constraints: unknown[] }>('GET', `/api/admin/segments/${segment}`)
  expect(constraints).toEqual([])
})
