import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withBrowser } from '../../support/browser-hooks.ts'
import { type Complaints, logIn, openPage } from '../support/ui-page.ts'
import { ADMIN, FLAGS, startUi, type UiServer } from '../support/ui-server.ts'
import { visit } from '../support/visit.ts'

/** Code references of a flag and the advice about its removal, on the page of the flag. */
const REPOSITORIES = '/api/v2/code-refs/repositories'
let ui: UiServer
let browser: Browser
let page: Page
let complaints: Complaints

withBrowser(startUi, async (...started) => {
  ;[browser, ui] = started
  for (const name of ['checkout', 'unscanned', 'gone']) await ui.call('POST', FLAGS, { name })
  const sourceLink = 'https://git.example.com/shop/web'
  await ui.call('POST', REPOSITORIES, { name: 'web', type: 'github', sourceLink, defaultBranch: 'main' })
  const hunk = (flagKey: string, startingLineNumber: number) => ({ flagKey, startingLineNumber, projKey: 'default' })
  const upload = (hunks: readonly object[]) =>
    ui.call('PUT', `${REPOSITORIES}/web/branches/main`, {
      head: '0123456789abcdef',
      syncTime: Date.parse('2026-01-02T12:00:00Z'),
      references: [{ path: 'src/checkout/pay.ts', hunks }],
    })
  await upload([hunk('checkout', 12), hunk('checkout', 40), hunk('gone', 3)])
  await upload([hunk('checkout', 12), hunk('checkout', 40)])
})

beforeAll(async () => {
  ;({ page, complaints } = await openPage(browser))
  await logIn(page, ui.url, ADMIN)
})
afterAll(() => page.close())

const openCode = (flag: string) => visit(page, `${ui.url}/projects/default/features/${flag}?tab=code`)

test('shows the places of a flag with links, the verdict and the brief', async () => {
  await openCode('checkout')
  await page.getByText('In code: 2 places').waitFor()
  const place = page.getByRole('link', { name: 'src/checkout/pay.ts:12', exact: true })
  expect(await place.getAttribute('href')).toBe(
    'https://git.example.com/shop/web/blob/0123456789abcdef/src/checkout/pay.ts#L12',
  )
  await page.getByText('Not ready to be removed').waitFor()
  await page.getByText('Keep the path for which the flag is disabled.').waitFor()
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Download removal brief' }).click()
  expect((await download).suggestedFilename()).toBe('remove-checkout.md')
  expect(complaints).toEqual([])
})

test('shows the commit that removed a flag, and that a flag was never found', async () => {
  await openCode('gone')
  await page.getByRole('link', { name: /^Removed in 0123456 of web on/ }).waitFor()
  await openCode('unscanned')
  await page.getByText('No scan has found this flag').waitFor()
  expect(complaints).toEqual([])
})
