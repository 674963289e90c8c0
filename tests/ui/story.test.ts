import { getBucket, ROLLOUT_SEED } from '@burgee/engine/rules/hash'
import type { Browser, Page } from 'playwright-core'
import { UnleashClient } from 'unleash-proxy-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withBrowser } from '../support/browser-hooks.ts'
import { callAs } from '../support/call-as.ts'
import { type Complaints, flip, logIn, openPage, told } from './support/ui-page.ts'
import { ADMIN, FLAGS, startUi, type UiServer, VIEWER } from './support/ui-server.ts'

let ui: UiServer
let browser: Browser

withBrowser(startUi, (...started) => {
  ;[browser, ui] = started
})

/** Id of a user inside a 50 % rollout (`INSIDE`), and of a user outside of it (`OUTSIDE`). */
const INSIDE = idWhere((bucket) => bucket <= 50)
const OUTSIDE = idWhere((bucket) => bucket > 50)

function idWhere(fits: (bucket: number) => boolean): string {
  for (let id = 1; ; id++) {
    if (fits(getBucket(String(id), 'half-of-them', 100, ROLLOUT_SEED))) return String(id)
  }
}

/** Story of one operator, in order: each part starts where the previous one ended. */
describe('an operator', () => {
  let page: Page
  let complaints: Complaints
  let secret: string

  beforeAll(async () => {
    ;({ page, complaints } = await openPage(browser))
  })
  afterAll(async () => {
    expect(complaints).toEqual([])
    await page.close()
  })

  test('sees that the password is wrong, then reaches the requested page', async () => {
    await page.goto(`${ui.url}/tokens`)
    await page.getByLabel('Username or e-mail').fill('admin')
    await page.getByRole('textbox', { name: 'Password' }).fill('wrong')
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByText('Wrong username or password.').waitFor()
    await page.getByRole('textbox', { name: 'Password' }).fill(ADMIN.password)
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('heading', { name: 'API tokens' }).waitFor()
  })

  test('creates a token, which is shown once', async () => {
    await page.getByRole('button', { name: 'Create token' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create token' })
    await dialog.getByLabel('Application name').fill('shop')
    await dialog.getByLabel('Frontend (browsers and phones)').check()
    await dialog.getByRole('combobox', { name: 'Environment' }).click()
    await page.getByRole('option', { name: 'production' }).click()
    await dialog.getByRole('button', { name: 'Create token' }).click()
    secret = (await page.getByRole('group', { name: 'Token' }).textContent()) ?? ''
    expect(secret).toMatch(/^\*:production\.\w{20,}$/)
    await page.getByRole('button', { name: 'Done' }).click()
    const row = page.getByRole('row', { name: /shop/ })
    await row.waitFor()
    expect(await row.textContent()).not.toContain(secret)
  })

  test('creates a flag', async () => {
    await page.getByRole('link', { name: 'Back to flags' }).click()
    await page.getByText('No flags yet').waitFor()
    await page.getByRole('button', { name: 'Create flag' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Create a flag' })
    await dialog.getByLabel('Name').fill('half/of/them')
    await dialog.getByText(/Use only letters, digits/).waitFor()
    // spaces become hyphens while the user types
    await dialog.getByLabel('Name').fill('half of them')
    expect(await dialog.getByLabel('Name').inputValue()).toBe('half-of-them')
    await dialog.getByRole('button', { name: 'Create flag' }).click()
    await page.getByRole('heading', { name: 'half-of-them', level: 1 }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/projects/default/features/half-of-them')
  })

  test('adds a rollout of 50 % with a constraint and two variants', async () => {
    await page.getByRole('button', { name: 'Add strategy in production' }).click()
    const editor = page.getByRole('dialog', { name: 'New strategy in production' })
    const slider = editor.getByRole('slider', { name: /Rollout/ })
    await slider.focus()
    await slider.press('Home')
    for (let step = 0; step < 50; step++) await slider.press('ArrowRight')
    await editor.getByRole('button', { name: 'Add constraint' }).click()
    const constraint = editor.getByRole('group', { name: 'Constraint 1' })
    await constraint.getByLabel('Context field').fill('country')
    await constraint.getByRole('combobox', { name: 'Values' }).fill('DE,AT,')
    await editor.getByRole('button', { name: 'Add variant' }).click()
    await editor.getByRole('button', { name: 'Add variant' }).click()
    await editor.getByText('50% of users where country is DE or AT, split between a (50%) and b (50%)').waitFor()
    await editor.getByRole('button', { name: 'Save' }).click()
    await editor.waitFor({ state: 'hidden' })
    const column = page.getByRole('region', { name: 'production' })
    await column.getByText('50% of users').waitFor()
    await column.getByText('country is DE or AT').waitFor()
  })

  test('turns it on in production after a question', async () => {
    const toggle = page.getByRole('switch', { name: 'half-of-them in production' })
    await flip(toggle)
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    expect(await toggle.isChecked()).toBe(false)
    await flip(toggle)
    await page.getByRole('dialog').getByRole('button', { name: 'Turn on' }).click()
    await told(page, 'half-of-them is on in production')
    expect(await toggle.isChecked()).toBe(true)
  })

  test('sees the reason in the playground, down to the bucket', async () => {
    const query = `envs=production&userId=${INSIDE},${OUTSIDE}&props=country%3DDE&flag=half-of-them`
    await page.goto(`${ui.url}/playground?${query}`)
    const why = page.getByRole('dialog', { name: 'Why? half-of-them' })
    await why
      .getByText(new RegExp(`userId “${INSIDE}” → bucket \\d+ ≤ 50`))
      .first()
      .waitFor()
    await why
      .getByText(new RegExp(`userId “${OUTSIDE}”: bucket \\d+ is above 50`))
      .first()
      .waitFor()
    await page.keyboard.press('Escape')
    await page
      .getByRole('row', { name: /half-of-them/ })
      .getByText('On')
      .waitFor()
  })

  test('has it seen by the official client with the token', async () => {
    const client = (userId: string): UnleashClient => {
      const context = { userId, properties: { country: 'AT' } }
      const url = `${ui.url}/api/frontend`
      return new UnleashClient({ url, clientKey: secret, appName: 'shop', context, disableMetrics: true })
    }
    for (const [userId, isOn] of [
      [INSIDE, true],
      [OUTSIDE, false],
    ] as const) {
      const flags = client(userId)
      await flags.start()
      expect(flags.isEnabled('half-of-them')).toBe(isOn)
      if (isOn) expect(['a', 'b']).toContain(flags.getVariant('half-of-them').name)
      flags.stop()
    }
  })

  test('sees in the history who did what, with the state before', async () => {
    await page.goto(`${ui.url}/projects/default/features/half-of-them?tab=history`)
    const list = page.getByRole('list', { name: 'Events, newest first' })
    await list.getByText(/admin turned on/).waitFor()
    const types = await list
      .locator('li[data-type]')
      .evaluateAll((all) => all.map((one) => one.getAttribute('data-type')))
    expect(types).toEqual(['feature-environment-enabled', 'feature-strategy-add', 'feature-created'])
    expect(await list.locator('li[data-type]').filter({ hasText: 'admin' }).count()).toBe(3)
    await list.getByRole('button', { name: /^Details: admin added a strategy/ }).click()
    const panel = page.getByRole('dialog', { name: 'Strategy added' })
    await panel.getByText('All fields').click()
    await panel.getByRole('row', { name: /Rollout \(%\) – 50/ }).waitFor()
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'hidden' })
  })

  test('takes a switch back, and a refusal puts the old state back', async () => {
    await page.getByRole('tab', { name: 'Environments' }).click()
    const toggle = page.getByRole('switch', { name: 'half-of-them in development' })
    await flip(toggle)
    await told(page, 'half-of-them is on in development')
    await page
      .getByRole('alert')
      .filter({ hasText: 'is on in development' })
      .getByRole('button', { name: 'Undo' })
      .click()
    await told(page, 'half-of-them is off in development')
    expect(await toggle.isChecked()).toBe(false)
    await page.route('**/environments/development/on', (route) =>
      route.fulfill({ status: 403, json: { name: 'NoAccessError', message: 'Not today.' } }),
    )
    await flip(toggle)
    await page.getByText('You don’t have permission to do this.').waitFor()
    expect(await toggle.isChecked()).toBe(false)
    await page.unroute('**/environments/development/on')
  })

  test('revokes the token, which is refused at once', async () => {
    await page.goto(`${ui.url}/tokens`)
    await page.getByRole('button', { name: 'Revoke shop' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await told(page, 'Revoked token shop')
    await expect(callAs(secret, 'GET', `${ui.url}/api/frontend`)).rejects.toThrow('401')
  })
})

test('a flag is created by keyboard alone', async () => {
  const { page, complaints } = await openPage(browser)
  await page.goto(`${ui.url}/projects/default`)
  await page.getByLabel('Username or e-mail').waitFor()
  await page.keyboard.type(ADMIN.username)
  await page.keyboard.press('Tab')
  await page.keyboard.type(ADMIN.password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Flags', level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder(/Find a flag, a page/).waitFor()
  await page.keyboard.type('create')
  await page.getByRole('option', { name: 'Create a flag' }).waitFor()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: 'Create a flag' }).waitFor()
  await page.getByLabel('Name').and(page.locator(':focus')).waitFor()
  await page.keyboard.type('typed')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'typed', level: 1 }).waitFor()
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  expect(complaints).toEqual([])
  await page.close()
})

test('a viewer reads everything and is offered nothing that would be refused', async () => {
  await ui.call('POST', '/api/admin/user-admin', { ...VIEWER, rootRole: 3 })
  await ui.call('POST', FLAGS, { name: 'looked-at' })
  await ui.call('POST', '/api/admin/segments', { name: 'staff', constraints: [] })
  const { page, complaints } = await openPage(browser)
  const refused: string[] = []
  page.on('response', (reply) => {
    if (reply.status() === 403) refused.push(reply.url())
  })
  await logIn(page, ui.url, VIEWER)
  await page.getByRole('row', { name: /looked-at/ }).waitFor()
  expect(await page.getByRole('switch').count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Create flag' }).count()).toBe(0)
  await page.getByRole('link', { name: 'half-of-them' }).click()
  await page.getByRole('region', { name: 'production' }).waitFor()
  expect(await page.getByRole('button', { name: /Edit|Remove|Add|More|Move/ }).count()).toBe(0)
  await page.getByRole('link', { name: 'Segments' }).click()
  await page.getByRole('row', { name: /staff/ }).waitFor()
  expect(await page.getByRole('main').getByRole('button').count()).toBe(0)
  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  await page.getByRole('link', { name: 'Applications' }).waitFor()
  expect(await page.getByRole('link', { name: 'API tokens' }).count()).toBe(0)
  expect([refused, complaints]).toEqual([[], []])
  await page.goto(`${ui.url}/tokens`)
  await page.getByText('You do not have access to this page').waitFor()
  await page.close()
})
