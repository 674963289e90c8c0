import type { Browser, Page } from 'playwright-core'
import { afterEach, describe, expect, test } from 'vitest'
import { withBrowser } from '../../support/browser-hooks.ts'
import { beginSession, type Complaints, fromMenu, openPage } from '../support/ui-page.ts'
import { ADMIN, FLAGS, startUi, type UiServer } from '../support/ui-server.ts'
import { visit } from '../support/visit.ts'

/**
 * Elements that a user removes fade out. Elements that disappear for any other reason are removed at once
 * (docs/design.md, Motion).
 */

/**
 * Recorded changes of a list: nodes that were put back to fade out, the number of removed nodes, and the number of
 * moving nodes.
 */
interface Noted {
  readonly leaving: readonly { readonly text: string; readonly isInert: boolean; readonly isAnimated: boolean }[]
  /** Number of removed nodes that were back on the page when the observer was called, before the next frame. */
  readonly kept: number
  readonly removed: number
  readonly glided: number
}

let ui: UiServer
let browser: Browser
const complaints: Complaints[] = []

withBrowser(startUi, async (...started) => {
  ;[browser, ui] = started
})
afterEach(() => expect(complaints.flat()).toEqual([]))

const rollout = (share: string) => ({
  name: 'flexibleRollout',
  parameters: { rollout: share, stickiness: 'userId', groupId: 'g' },
})

/** Opens the page of a new flag with two tags and three strategies. */
async function openFlag(name: string, reducedMotion: 'reduce' | 'no-preference'): Promise<Page> {
  await ui.call('POST', FLAGS, { name })
  for (const value of ['first', 'second'])
    await ui.call('POST', `/api/admin/features/${name}/tags`, { type: 'simple', value })
  const strategies = `${FLAGS}/${name}/environments/development/strategies`
  for (const share of ['11', '22', '33']) await ui.call('POST', strategies, rollout(share))
  const opened = await openPage(browser, { reducedMotion })
  complaints.push(opened.complaints)
  await beginSession(opened.page, ui.url, ADMIN)
  await visit(opened.page, `${ui.url}/projects/default/features/${name}`)
  await opened.page.getByRole('list', { name: 'Strategies' }).first().waitFor()
  return opened.page
}

/** Starts recording. Pauses animations, so that tests do not depend on timing. */
async function note(page: Page): Promise<void> {
  await page.evaluate(() => {
    const noted = { leaving: [] as object[], kept: 0, removed: 0, glided: 0 }
    Object.assign(window, { noted })
    const seen = new Set<Node>()
    new MutationObserver((records) => {
      const added = records.flatMap(({ addedNodes }) => [...addedNodes])
      for (const node of added.filter((one) => one instanceof HTMLElement && one.dataset.leaving !== undefined)) {
        if (!(node instanceof HTMLElement) || seen.has(node)) continue
        seen.add(node)
        const animations = node.getAnimations()
        for (const animation of animations) animation.pause()
        noted.leaving.push({ text: node.innerText, isInert: node.inert, isAnimated: animations.length > 0 })
      }
      const gone = records
        .flatMap(({ removedNodes }) => [...removedNodes])
        .filter((one) => one instanceof HTMLLIElement)
      noted.removed += gone.length
      noted.kept += gone.filter((one) => one.isConnected).length
      const cards = [...document.querySelectorAll('ol > li:not([data-leaving])')]
      const gliding = cards.filter((card) => card.getAnimations().some((one) => !(one instanceof CSSTransition)))
      noted.glided = Math.max(noted.glided, gliding.length)
    }).observe(document.body, { childList: true, subtree: true })
  })
}

const notedBy = (page: Page) => page.evaluate(() => (window as unknown as { noted: Noted }).noted)

const removeTag = (page: Page) => page.getByRole('button', { name: 'Remove the tag simple:first' }).click()
const removeCard = async (page: Page) => {
  await fromMenu(cards(page).first(), 'Remove strategy')
  await page.getByRole('dialog').getByRole('button', { name: 'Remove strategy' }).click()
}
const moveCard = (page: Page) => fromMenu(cards(page).first(), 'Move down')
const cards = (page: Page) =>
  page.getByRole('region', { name: 'development' }).getByRole('list', { name: 'Strategies' }).getByRole('listitem')
const tags = (page: Page) =>
  page.getByRole('list', { name: 'Tags' }).getByRole('listitem').filter({ hasText: 'simple:' })

describe.each([
  ['tag', removeTag, tags, 'simple:first'],
  ['strategy', removeCard, cards, '11'],
] as const)('a %s that is removed', (what, remove, left, text) => {
  const before = what === 'tag' ? 2 : 3

  test('fades, out of reach and unheard, and is gone then', async () => {
    const page = await openFlag(`moving-${what}`, 'no-preference')
    expect(await left(page).count()).toBe(before)
    await note(page)
    await remove(page)
    await page.locator('[data-leaving]').waitFor({ state: 'attached' })
    expect(await left(page).count()).toBe(before - 1)
    const { leaving } = await notedBy(page)
    expect(leaving).toEqual([{ text: expect.stringContaining(text), isInert: true, isAnimated: true }])
    await page.locator('[data-leaving]').evaluate((node) => {
      for (const animation of node.getAnimations()) animation.finish()
    })
    await page.locator('[data-leaving]').waitFor({ state: 'detached' })
    await page.context().close()
  })

  test('disappears before the next frame with reduced motion', async () => {
    const page = await openFlag(`still-${what}`, 'reduce')
    await note(page)
    await remove(page)
    await expect.poll(() => left(page).count()).toBe(before - 1)
    expect(await notedBy(page)).toEqual({ leaving: [], kept: 0, removed: 1, glided: 0 })
    await page.context().close()
  })
})

test.each([
  ['glides', 'no-preference', 2],
  ['is there at once for who wants no motion', 'reduce', 0],
] as const)('a strategy that is moved %s', async (_how, motion, glided) => {
  const page = await openFlag(`order-${motion}`, motion)
  await note(page)
  await moveCard(page)
  await expect.poll(() => cards(page).first().innerText()).toContain('22')
  expect((await notedBy(page)).glided).toBe(glided)
  await page.context().close()
})
