import type { Browser, Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { withBrowser } from '../support/browser-hooks.ts'
import { violationsOf } from './support/axe.ts'
import { beginSession, openPage } from './support/ui-page.ts'
import { ADMIN, FLAGS, startUi, type UiServer } from './support/ui-server.ts'

/** Placeholders while data is loading. */
const WIDE = { width: 1440, height: 900 }

let ui: UiServer
let browser: Browser

withBrowser(startUi, async (...started) => {
  ;[browser, ui] = started
  for (let index = 10; index < 20; index += 1) await ui.call('POST', FLAGS, { name: `flag-${index}` })
})

/** Opens a page whose requests for some data get no reply until `release` is called. */
async function openHeld(path: string, data: RegExp) {
  const { page } = await openPage(browser, { viewport: WIDE })
  await beginSession(page, ui.url, ADMIN)
  const gate = Promise.withResolvers<void>()
  await page.route(data, async (route) => {
    await gate.promise
    await route.continue()
  })
  await page.goto(`${ui.url}${path}`)
  const skeleton = page.getByRole('main').getByRole('status', { name: 'Loading' })
  await skeleton.waitFor()
  return { page, skeleton, release: gate.resolve }
}

/** Returns top and height of some elements, in whole pixels. */
const getLines = (all: Locator) =>
  all.evaluateAll((elements) =>
    elements.map((element) => {
      const { top, height } = element.getBoundingClientRect()
      return { top: Math.round(top), height: Math.round(height) }
    }),
  )

const getTop = async (page: Page, name: string): Promise<number> => {
  const box = await page.getByRole('heading', { level: 1, name }).boundingBox()
  return box?.y ?? Number.NaN
}

test('rows of the list of flags appear in place of their placeholders', async () => {
  const { page, skeleton, release } = await openHeld('/projects/default', /\/search\/features\?/)
  const bars = skeleton.locator('.mantine-Skeleton-root')
  const expected = await getLines(bars.locator('xpath=..'))
  expect(expected.length).toBe(8)
  expect(await violationsOf(page)).toEqual([])
  release()
  const rows = page.getByRole('table').locator('[data-index]')
  await rows.first().waitFor()
  expect((await getLines(rows)).slice(0, expected.length)).toEqual(expected)
  await page.context().close()
})

test('a list of the settings keeps its heading in place while it is loading', async () => {
  const { page, skeleton, release } = await openHeld('/tag-types', /\/api\/admin\/tag-types/)
  const before = await getTop(page, 'Tag types')
  expect(await skeleton.locator('.mantine-Skeleton-root').count()).toBeGreaterThan(3)
  expect(await violationsOf(page)).toEqual([])
  release()
  await page.getByRole('row').nth(1).waitFor()
  expect(await getTop(page, 'Tag types')).toBe(before)
  await page.context().close()
})
