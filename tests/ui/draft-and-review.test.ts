import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withBrowser } from '../support/browser-hooks.ts'
import { until } from '../support/wait.ts'
import { violationsOf } from './support/axe.ts'
import { beginSession, type Complaints, flip, logIn, openPage, told } from './support/ui-page.ts'
import { ADMIN, FLAGS, startUi, type UiServer } from './support/ui-server.ts'
import { visit } from './support/visit.ts'

/** A production change that needs approval: how it appears in the draft, and how many clicks it takes. */
const LUCAS = { username: 'lucas', password: 'another-horse-battery' }
const PROJECT = '/api/admin/projects/default'

let ui: UiServer
let browser: Browser
let page: Page
let complaints: Complaints

withBrowser(startUi, async (...started) => {
  ;[browser, ui] = started
  await ui.call('POST', '/api/admin/user-admin', { ...LUCAS, name: 'Lucas Moreau', rootRole: 1 })
  for (const name of ['basket', 'search']) {
    await ui.call('POST', FLAGS, { name })
    const here = `${FLAGS}/${name}/environments/production`
    await ui.call('POST', `${here}/strategies`, { name: 'flexibleRollout', parameters: { rollout: '25' } })
    await ui.call('POST', `${here}/on`)
  }
  await ui.call('PUT', `${PROJECT}/environments/production/change-requests/config`, { changeRequestsEnabled: true })
})
beforeAll(async () => {
  ;({ page, complaints } = await openPage(browser))
  await logIn(page, ui.url, ADMIN)
})
afterAll(() => expect(complaints).toEqual([]))

const flag = (name: string) => `${ui.url}/projects/default/features/${name}`
const mark = () => page.getByRole('group', { name: 'Your draft for basket in production' })
const drafts = () => page.getByRole('status', { name: 'Your drafts' })

async function proposeSwitch(): Promise<void> {
  await flip(page.getByRole('switch', { name: 'basket in production' }))
  await page.getByRole('dialog').getByRole('button', { name: 'Add to draft' }).click()
  await told(page, 'Added to your draft for production')
}

describe('a draft is shown where it applies', () => {
  test('at the switch, once even if proposed twice', async () => {
    await visit(page, flag('basket'))
    await proposeSwitch()
    await mark().getByRole('link', { name: 'On → Off in your draft' }).waitFor()
    await proposeSwitch()
    await drafts().getByText('1 unsent change for production').waitFor()
    expect(await mark().getByRole('link').textContent()).toBe('On → Off in your draft')
    expect(await violationsOf(page)).toEqual([])
  })

  test('shows a bar only on flags that it changes, and a line on the project', async () => {
    await visit(page, flag('search'))
    await page.getByRole('switch', { name: 'search in production' }).waitFor()
    await page.getByText('Needs approval', { exact: true }).waitFor()
    expect(await drafts().count()).toBe(0)
    await visit(page, `${ui.url}/projects/default`)
    await drafts().getByText('1 unsent change for production').waitFor()
    const inList = page.getByRole('row', { name: /basket/ }).getByText('Draft', { exact: true })
    await inList.waitFor()
    expect(await inList.getAttribute('title')).toBe('On → Off in your draft')
    expect(await page.getByText('Draft', { exact: true }).count()).toBe(1)
    expect(await violationsOf(page)).toEqual([])
  })

  test('until it is discarded there', async () => {
    await visit(page, flag('basket'))
    await mark().getByRole('button', { name: 'Discard' }).click()
    await told(page, 'Draft changes discarded')
    await mark().waitFor({ state: 'hidden' })
    await until(async () => (await drafts().count()) === 0)
  })
})

/** Counts presses of the mouse button from now on, also on later pages. */
async function countClicks(on: Page): Promise<() => Promise<number>> {
  await on.evaluate(() => {
    const counter = { clicks: 0 }
    Object.assign(window, { counter })
    addEventListener('pointerdown', () => (counter.clicks += 1), true)
  })
  return () => on.evaluate(() => (window as unknown as { counter: { clicks: number } }).counter.clicks)
}

/** Returns the id of the newest event of this type of a flag. */
async function findEvent(feature: string, type: string): Promise<number | undefined> {
  const { events } = await ui.call<{ events: { id: number; type: string }[] }>('GET', `/api/admin/events/${feature}`)
  return events.find((one) => one.type === type)?.id
}

describe('a proposal without effect', () => {
  test('adds nothing to a draft, and says so', async () => {
    await visit(page, `${flag('search')}?env=production`)
    await page.getByRole('region', { name: 'production' }).getByRole('button', { name: 'Edit', exact: true }).click()
    const editor = page.getByRole('dialog', { name: 'Strategy in production' })
    await editor.getByRole('button', { name: 'Add to draft' }).click()
    await told(page, 'Nothing to propose: production is already in this state.')
    expect(await drafts().count()).toBe(0)
  })

  test('enters a draft that changes its flag, from an editor and from a bulk action', async () => {
    const editor = page.getByRole('dialog', { name: 'Strategy in production' })
    await page.keyboard.press('Escape')
    await editor.waitFor({ state: 'hidden' })
    await flip(page.getByRole('switch', { name: 'search in production' }))
    await page.getByRole('dialog').getByRole('button', { name: 'Add to draft' }).click()
    const own = page.getByRole('group', { name: 'Your draft for search in production' })
    await own.getByRole('link', { name: 'On → Off in your draft', exact: true }).waitFor()
    await page.getByRole('region', { name: 'production' }).getByRole('button', { name: 'Edit', exact: true }).click()
    await editor.getByRole('button', { name: 'Add to draft' }).click()
    await own.getByRole('link', { name: 'On → Off and 1 more in your draft' }).waitFor()
    await editor.waitFor({ state: 'hidden' })
    await visit(page, `${ui.url}/projects/default?q=search`)
    await page.getByLabel('Select all loaded flags').check()
    await page.getByRole('toolbar').getByRole('button', { name: 'Turn on or off' }).click()
    const bulk = page.getByRole('dialog', { name: '1 flag' })
    await bulk.getByLabel('Environment').selectOption('production')
    await bulk.getByText('1 flag changes:').waitFor()
    await bulk.getByRole('button', { name: 'Add to draft' }).click()
    await bulk.waitFor({ state: 'hidden' })
    await visit(page, `${flag('search')}?tab=history&event=${await findEvent('search', 'feature-strategy-add')}`)
    await page.getByRole('button', { name: 'Restore production to this state' }).click()
    const restore = page.getByRole('dialog', { name: 'Restore search' })
    await restore.getByText('Your draft already changes this flag here.').waitFor()
    await page.keyboard.press('Escape')
    await visit(page, flag('search'))
    await own.getByRole('link', { name: '2 changes in your draft' }).waitFor()
    await own.getByRole('button', { name: 'Discard' }).click()
    await told(page, 'Draft changes discarded')
    await own.waitFor({ state: 'hidden' })
  })
})

describe('a change of production with approval', () => {
  test('takes the author six clicks, with a reviewer chosen', async () => {
    await visit(page, `${ui.url}/projects/default`)
    const clicks = await countClicks(page)
    await flip(page.getByRole('switch', { name: 'basket in production' }))
    await page.getByRole('dialog').getByRole('button', { name: 'Add to draft' }).click()
    await drafts().getByRole('link', { name: 'Review' }).click()
    await page.getByRole('button', { name: 'Submit for review' }).click()
    const dialog = page.getByRole('dialog', { name: 'Submit for review' })
    await dialog.getByRole('group', { name: 'Reviewers' }).getByText('Lucas Moreau').click()
    await dialog.getByRole('button', { name: 'Submit for review' }).click()
    await page.getByRole('list', { name: 'Requested from' }).getByText('Lucas Moreau').waitFor()
    expect(await clicks()).toBe(6)
  })

  test('takes the approver three clicks from Home to production', async () => {
    const { page: his } = await openPage(browser)
    await beginSession(his, ui.url, LUCAS)
    await his.goto(`${ui.url}/`)
    await his.getByRole('link', { name: /^Review/ }).waitFor()
    const clicks = await countClicks(his)
    await his.getByRole('link', { name: /^Review/ }).click()
    await his.getByRole('button', { name: 'Approve and apply' }).click()
    const question = his.getByRole('dialog', { name: 'Apply 1 change to production?' })
    await question.getByText('Off for all users').waitFor()
    await question.getByRole('button', { name: 'Approve and apply' }).click()
    await told(his, 'Changes applied')
    expect(await clicks()).toBe(3)
    const { environments } = await ui.call<{ environments: { name: string; enabled: boolean }[] }>(
      'GET',
      `${FLAGS}/basket`,
    )
    expect(environments.find(({ name }) => name === 'production')?.enabled).toBe(false)
    await his.context().close()
  })
})
