import type { Browser, Page } from 'playwright-core'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { withBrowser } from '../../support/browser-hooks.ts'
import { beginSession, type Complaints, openPage, told } from '../support/ui-page.ts'
import { ADMIN, FLAGS, startUi, type UiServer } from '../support/ui-server.ts'
import { visit } from '../support/visit.ts'

/** Rows of the flag list animate out, although only visible rows exist (docs/design.md, Motion). */

const MANY = 130
/** Height of a row in pixels. */
const ROW_PX = 44
/** Row outside the viewport. Such rows are rendered last, when the page is idle. */
const BEYOND_SIGHT = 20

/** Recorded changes of the list: rows that were put back to fade out, and the maximum number of rows moving at once. */
interface Noted {
  readonly leaving: readonly { readonly name: string; readonly isInert: boolean; readonly isHidden: boolean }[]
  readonly glided: number
}

let ui: UiServer
let browser: Browser
/** Session of a single login, shared by all tests. */
let session: NonNullable<Parameters<Browser['newContext']>[0]>
const complaints: Complaints[] = []

withBrowser(startUi, async (...started) => {
  ;[browser, ui] = started
  for (let index = 1; index <= MANY; index++) await ui.call('POST', FLAGS, { name: `row-${index}` })
  const { page } = await openPage(browser)
  await beginSession(page, ui.url, ADMIN)
  session = { storageState: await page.context().storageState() }
  await page.context().close()
})
afterEach(() => expect(complaints.flat()).toEqual([]))

async function openList(reducedMotion: 'reduce' | 'no-preference'): Promise<Page> {
  const opened = await openPage(browser, { reducedMotion, ...session })
  complaints.push(opened.complaints)
  await opened.page.goto(`${ui.url}/projects/default?q=row`)
  await opened.page.getByRole('row').nth(BEYOND_SIGHT).waitFor({ state: 'attached' })
  await note(opened.page)
  return opened.page
}

/** Starts recording. Pauses animations, so that tests do not depend on timing. */
async function note(page: Page): Promise<void> {
  await page.evaluate(() => {
    const noted = { leaving: [] as object[], glided: 0 }
    Object.assign(window, { noted })
    const seen = new Set<Node>()
    const isMoving = (row: Element) => row.getAnimations().some((one) => !(one instanceof CSSTransition))
    new MutationObserver(() => {
      for (const row of document.querySelectorAll<HTMLElement>('[role="row"][data-leaving]')) {
        if (seen.has(row)) continue
        seen.add(row)
        for (const animation of row.getAnimations()) animation.pause()
        const name = row.querySelector('a')?.ariaLabel
        noted.leaving.push({ name, isInert: row.inert, isHidden: row.ariaHidden === 'true' })
      }
      const rows = [...document.querySelectorAll('[role="row"][data-index]:not([data-leaving])')]
      noted.glided = Math.max(noted.glided, rows.filter(isMoving).length)
    }).observe(document.body, { childList: true, subtree: true, attributes: true })
  })
}

const notedBy = (page: Page) => page.evaluate(() => (window as unknown as { noted: Noted }).noted)
/** Restores flags at the end of a test, whatever its outcome. */
const reviveLater = (...names: readonly string[]) =>
  onTestFinished(async () => {
    for (const name of names) await ui.call('POST', `/api/admin/archive/revive/${name}`)
  })
async function archive(name: string): Promise<void> {
  reviveLater(name)
  await ui.call('DELETE', `${FLAGS}/${name}`)
}
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true })
const gone = (name: string) => ({ name, isInert: true, isHidden: true })

/** Finishes paused animations and checks that their rows are gone. */
async function finish(page: Page): Promise<void> {
  await page.locator('[data-leaving]').evaluateAll((rows) => {
    for (const animation of rows.flatMap((row) => row.getAnimations())) animation.finish()
  })
  await expect.poll(() => page.locator('[data-leaving]').count()).toBe(0)
}

describe('a flag archived by another user', () => {
  test('fades, out of reach and unheard, and those below glide up', async () => {
    const page = await openList('no-preference')
    const rows = await page.getByRole('row').count()
    await archive('row-3')
    await page.locator('[data-leaving]').waitFor({ state: 'attached' })
    expect(await link(page, 'row-3').count()).toBe(0)
    const { leaving, glided } = await notedBy(page)
    expect(leaving).toEqual([gone('row-3')])
    expect(glided).toBeGreaterThan(5)
    await finish(page)
    expect(await page.getByRole('row').count()).toBe(rows)
    await page.context().close()
  })

  test('disappears at once with reduced motion', async () => {
    const page = await openList('reduce')
    await archive('row-3')
    await expect.poll(() => link(page, 'row-3').count()).toBe(0)
    expect(await notedBy(page)).toEqual({ leaving: [], glided: 0 })
    await page.context().close()
  })

  test('leaves the focus where it is, and gives its own to the row in its place', async () => {
    const page = await openList('no-preference')
    const focused = () => page.evaluate(() => document.activeElement?.ariaLabel)
    await link(page, 'row-5').focus()
    await archive('row-2')
    await expect.poll(() => link(page, 'row-2').count()).toBe(0)
    expect(await focused()).toBe('row-5')
    await page.getByRole('checkbox', { name: 'Select row-5', exact: true }).focus()
    await archive('row-5')
    await expect.poll(() => link(page, 'row-5').count()).toBe(0)
    expect(await focused()).toBe('Select row-6')
    await page.keyboard.press('ArrowDown')
    expect(await focused()).toBe('Select row-7')
    await finish(page)
    await page.context().close()
  })

  test('leaves the selection with those that were selected, and a range begins where it did', async () => {
    const page = await openList('no-preference')
    const box = (name: string) => page.getByRole('checkbox', { name: `Select ${name}`, exact: true })
    await box('row-6').click()
    await archive('row-2')
    await expect.poll(() => link(page, 'row-2').count()).toBe(0)
    expect([await box('row-6').isChecked(), await box('row-7').isChecked()]).toEqual([true, false])
    await box('row-8').click({ modifiers: ['Shift'] })
    await page.getByText('3 flags selected').waitFor()
    expect([await box('row-5').isChecked(), await box('row-6').isChecked()]).toEqual([false, true])
    await page.context().close()
  })
})

test('flags that one archives together leave together', async () => {
  reviveLater('row-4', 'row-6')
  const page = await openList('no-preference')
  for (const name of ['row-4', 'row-6'])
    await page.getByRole('checkbox', { name: `Select ${name}`, exact: true }).click()
  await page.getByRole('toolbar').getByRole('button', { name: 'Archive' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click()
  await told(page, 'Archived 2 flags')
  await expect.poll(async () => (await notedBy(page)).leaving).toEqual([gone('row-4'), gone('row-6')])
  await finish(page)
  await page.context().close()
})

test.each([
  [
    'scrolling down and up, past what is loaded',
    async (page: Page) => {
      const table = page.getByRole('table')
      for (const top of [300, 900, 1500, 3000, 5200, 7400, 4000, 0]) {
        await table.evaluate((box, at) => box.scrollTo(0, at), top)
        await link(page, `row-${Math.min(MANY, Math.floor(top / ROW_PX) + 3)}`).waitFor()
      }
    },
  ],
  [
    'another order',
    async (page: Page) => {
      await page.getByRole('button', { name: /^Name/ }).click()
      await link(page, `row-${MANY}`).waitFor()
    },
  ],
  [
    'another filter',
    async (page: Page) => {
      await visit(page, `${ui.url}/projects/default?q=row-12`)
      await page.getByText('11 flags', { exact: true }).waitFor()
    },
  ],
  [
    'a new flag',
    async (page: Page) => {
      await ui.call('POST', FLAGS, { name: 'row-0' })
      await link(page, 'row-0').waitFor()
    },
  ],
] as const)('%s moves nothing', async (_what, act) => {
  const page = await openList('no-preference')
  await act(page)
  expect(await notedBy(page)).toEqual({ leaving: [], glided: 0 })
  await page.context().close()
})

test('a favourite glides to the front, with the focus on its star', async () => {
  const page = await openList('no-preference')
  const star = page.getByRole('button', { name: 'Favorite: row-5', exact: true })
  await star.click()
  await expect.poll(() => page.getByRole('row').nth(1).getByRole('link').getAttribute('aria-label')).toBe('row-5')
  const { leaving, glided } = await notedBy(page)
  expect(leaving).toEqual([])
  expect(glided).toBeGreaterThan(0)
  expect(await page.evaluate(() => document.activeElement?.ariaLabel)).toBe('Favorite: row-5')
  await page.context().close()
})
