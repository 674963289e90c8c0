import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withBrowser } from '../../support/browser-hooks.ts'
import { untilFaded, violationsOf } from '../support/axe.ts'
import { furnish } from '../support/screens.ts'
import { type Complaints, logIn, openPage } from '../support/ui-page.ts'
import { ADMIN, startUi, type UiServer } from '../support/ui-server.ts'
import { visitAfresh } from '../support/visit.ts'
import { type Click, OVERLAYS } from './overlays.ts'

const SOURCE = 'packages/admin-ui/src'

let ui: UiServer
let browser: Browser

withBrowser(startUi, async (...started) => {
  ;[browser, ui] = started
  await furnish(ui)
})

/**
 * Clicks an element; if several elements match, clicks the frontmost one. Switches are forced, because their label
 * covers them.
 */
async function perform(page: Page, [role, name]: Click): Promise<void> {
  const all = page.getByRole(role, { name, exact: true })
  await all.first().waitFor()
  if (role === 'combobox') await all.last().press('ArrowDown')
  else await all.first().click({ force: role === 'switch' })
}

/** Returns the files of the admin UI that render a menu or a popover. */
function filesOfOverlays(): string[] {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.tsx'))
  return files.filter((file) => /<(Menu|Popover)\.Dropdown/.test(readFileSync(join(SOURCE, file), 'utf8')))
}

test('every menu and every popover has a row', () => {
  const files = new Set(OVERLAYS.flatMap(({ file }) => file ?? []))
  expect(filesOfOverlays().toSorted()).toEqual([...files].toSorted())
})

describe('whatever opens above a page', () => {
  let page: Page
  let complaints: Complaints

  beforeAll(async () => {
    ;({ page, complaints } = await openPage(browser))
    await logIn(page, ui.url, ADMIN)
  })
  afterAll(() => page.close())

  test.each(OVERLAYS)('$name has no violation while it is open', async ({ path, clicks, opens: [role, name] }) => {
    await visitAfresh(page, `${ui.url}${path}`)
    for (const click of clicks) await perform(page, click)
    await page
      .getByRole(role, name === undefined ? {} : { name })
      .last()
      .waitFor()
    await untilFaded(page)
    expect((await violationsOf(page)).map(({ text }) => text)).toEqual([])
    expect(complaints).toEqual([])
  })
})
