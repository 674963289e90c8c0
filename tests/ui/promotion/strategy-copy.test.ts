import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withBrowser } from '../../support/browser-hooks.ts'
import { beginSession, type Complaints, openPage, told } from '../support/ui-page.ts'
import { ADMIN, FLAGS, startUi, type UiServer } from '../support/ui-server.ts'
import { visit } from '../support/visit.ts'

interface Stored {
  readonly id: string
  readonly name: string
  readonly title: string | null
  readonly disabled: boolean
  readonly segments: readonly number[]
  readonly sortOrder: number
}

const STAGER = { username: 'stager', password: 'third-horse-battery' }

let ui: UiServer
let browser: Browser
let page: Page
let complaints: Complaints

const place = (environment: string) => `${FLAGS}/checkout/environments/${environment}`
const stored = (environment: string) => ui.call<Stored[]>('GET', `${place(environment)}/strategies`)
const titles = async (environment: string) => (await stored(environment)).map(({ title }) => title)
const column = (name: string, on = page) => on.getByRole('region', { name })
const card = (environment: string, title: string, on = page): Locator =>
  column(environment, on).getByRole('list', { name: 'Strategies' }).locator('> li').filter({ hasText: title })
const handle = (environment: string, title: string) => card(environment, title).getByTitle(/drag/)
const question = () => page.getByRole('dialog', { name: 'Save checkout in production?' })
const centreOf = async (what: Locator): Promise<[number, number]> => {
  const { x = 0, y = 0, width = 0, height = 0 } = (await what.boundingBox()) ?? {}
  return [x + width / 2 + 1, y + height / 2 + 1]
}
const undo = async (text: string, environment: string, before: readonly string[]): Promise<void> => {
  await page.getByRole('alert').filter({ hasText: text }).getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => titles(environment)).toEqual(before)
}

withBrowser(startUi, async (...started) => {
  ;[browser, ui] = started
  await ui.call('POST', FLAGS, { name: 'checkout' })
  const { id: staff } = await ui.call<{ id: number }>('POST', '/api/admin/segments', {
    name: 'staff',
    constraints: [{ contextName: 'userId', operator: 'STR_ENDS_WITH', values: ['@example.com'] }],
  })
  const variants = [{ name: 'blue', weight: 1000, weightType: 'variable', stickiness: 'userId' }]
  await ui.call('POST', `${place('development')}/strategies`, {
    name: 'flexibleRollout',
    title: 'rich',
    segments: [staff],
    variants,
    parameters: { rollout: '25', stickiness: 'userId', groupId: 'checkout' },
    constraints: [{ contextName: 'country', operator: 'IN', values: ['DE'] }],
  })
  await ui.call('POST', `${place('development')}/strategies`, { name: 'default', title: 'resting', disabled: true })
  await ui.call('POST', `${place('production')}/strategies`, { name: 'default', title: 'live' })
})
beforeAll(async () => {
  ;({ page, complaints } = await openPage(browser))
  await beginSession(page, ui.url, ADMIN)
})
afterAll(() => expect(complaints).toEqual([]))

test('a strategy is dragged into another environment: its copy is there, with all that it has, and the original stays', async () => {
  await visit(page, `${ui.url}/projects/default/features/checkout`)
  await handle('development', 'rich').dragTo(column('production').getByRole('heading', { name: 'production' }))
  await told(page, 'Strategy copied to production. The flag is off there, so no one gets it yet.')
  const [original] = await stored('development')
  const [, copy] = await stored('production')
  expect(await titles('production')).toEqual(['live', 'rich'])
  expect(copy).toEqual({ ...original, id: copy?.id, sortOrder: 1 })
  expect(copy?.id).not.toBe(original?.id)
  expect(await titles('development')).toEqual(['rich', 'resting'])
  await card('production', 'rich').getByText('25% of users').waitFor()
  await undo('Strategy copied to production', 'production', ['live'])
})

test('during a drag the possible targets are highlighted, and no card moves; dropping it elsewhere does nothing', async () => {
  const state = () => column('production').getAttribute('data-takes')
  expect(await state()).toBeNull()
  await handle('development', 'rich').hover()
  await page.mouse.down()
  await column('development').getByRole('heading', { name: 'development' }).hover()
  await expect.poll(state).toBe('there')
  expect(await column('development').getAttribute('data-takes')).toBeNull()
  const before = await card('production', 'live').boundingBox()
  await card('production', 'live').hover()
  // the first move enters the element, the next move hovers over it
  await page.mouse.move(...(await centreOf(card('production', 'live'))))
  await expect.poll(state).toBe('here')
  expect(await card('production', 'live').boundingBox()).toEqual(before)
  expect(await card('production', 'live').getAttribute('data-over')).toBeNull()
  await page.keyboard.press('Escape')
  await page.mouse.up()
  await expect.poll(state).toBeNull()
  expect(await titles('production')).toEqual(['live'])
})

test('copying to where real users get it asks first, and names the effect', async () => {
  await ui.call('POST', `${place('production')}/on`)
  await column('production').getByRole('switch', { checked: true }).waitFor()
  const drag = () => handle('development', 'rich').dragTo(card('production', 'live'))
  await drag()
  await question().getByRole('listitem').filter({ hasText: '25% of users' }).waitFor()
  await question().getByRole('button', { name: 'Cancel' }).click()
  expect(await titles('production')).toEqual(['live'])
  await drag()
  await question().getByRole('button', { name: 'Save' }).click()
  await told(page, 'Strategy copied to production. The flag is on there, so users it matches get the flag.')
  expect(await titles('production')).toEqual(['live', 'rich'])
  await undo('The flag is on there', 'production', ['live'])
})

test('the keyboard does the same by the menu of the card, without a question where no real users are', async () => {
  await card('development', 'resting').getByRole('button', { name: 'Actions for strategy 2' }).focus()
  await page.keyboard.press('Enter')
  const item = page.getByRole('menuitem', { name: 'Copy to production: strategy 2' })
  await item.waitFor()
  await expect
    .poll(async () => {
      await page.keyboard.press('ArrowDown')
      return item.evaluate((one) => one === document.activeElement)
    })
    .toBe(true)
  await page.keyboard.press('Enter')
  await question().getByRole('button', { name: 'Cancel' }).waitFor()
  await page.keyboard.press('Escape')
  await question().waitFor({ state: 'hidden' })
  await card('production', 'live').getByRole('button', { name: 'Actions for strategy 1' }).press('Enter')
  await page.getByRole('menuitem', { name: 'Copy to development: strategy 1' }).press('Enter')
  await told(page, 'Strategy copied to development. The flag is off there, so no one gets it yet.')
  expect(await titles('development')).toEqual(['rich', 'resting', 'live'])
  await undo('Strategy copied to development', 'development', ['rich', 'resting'])
})

test('a finger finds it in the menu, and a copy of what is disabled is disabled', async () => {
  await ui.call('POST', `${place('production')}/off`)
  const { page: phone } = await openPage(browser, {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  })
  await beginSession(phone, ui.url, ADMIN)
  await phone.goto(`${ui.url}/projects/default/features/checkout`)
  await card('development', 'resting', phone).getByRole('button', { name: 'Actions for strategy 2' }).tap()
  await phone.getByRole('menuitem', { name: 'Copy to production: strategy 2' }).tap()
  await told(phone, 'Strategy copied to production as disabled. It matches no one until you enable it.')
  expect((await stored('production')).at(-1)).toMatchObject({ title: 'resting', disabled: true })
  expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  await phone.context().close()
})

test('a user who may not add strategies there gets neither target nor menu', async () => {
  const { roles: role } = await ui.call<{ roles: { id: number } }>('POST', '/api/admin/roles', {
    name: 'Stager',
    description: '',
    type: 'custom',
    permissions: [{ name: 'CREATE_FEATURE_STRATEGY', environment: 'development' }],
  })
  const { id } = await ui.call<{ id: number }>('POST', '/api/admin/user-admin', { ...STAGER, rootRole: 3 })
  await ui.call('POST', `/api/admin/projects/default/access`, { roles: [role.id], groups: [], users: [id] })
  const { page: other } = await openPage(browser)
  await beginSession(other, ui.url, STAGER)
  await other.goto(`${ui.url}/projects/default/features/checkout`)
  await card('production', 'live', other).getByRole('button', { name: 'Actions for strategy 1' }).waitFor()
  await card('production', 'live', other).getByTitle(': drag to another environment to copy').waitFor()
  await card('development', 'rich', other).getByRole('button', { name: 'Actions for strategy 1' }).click()
  expect(await other.getByRole('menuitem').allInnerTexts()).toEqual(['Duplicate strategy'])
  await other.keyboard.press('Escape')
  expect(await card('development', 'rich', other).getByTitle(/drag/).count()).toBe(0)
  await other.context().close()
})

test('it goes into the draft where changes are approved first, by the mouse too', async () => {
  const path = '/api/admin/projects/default/environments/production/change-requests/config'
  await ui.call('PUT', path, { changeRequestsEnabled: true })
  await ui.call('POST', `${place('production')}/on`).catch(() => undefined)
  await page.reload()
  await column('production').getByText('Needs approval').first().waitFor()
  const before = await titles('production')
  await handle('development', 'rich').dragTo(card('production', 'live'))
  await told(page, 'Added to your draft for production')
  await page.getByText('1 unsent change for production').waitFor()
  expect(await titles('production')).toEqual(before)
})
