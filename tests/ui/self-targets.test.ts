import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { withBrowser } from '../support/browser-hooks.ts'
import { type Complaints, logIn, openPage, told } from './support/ui-page.ts'
import { ADMIN, FLAGS, startUi, type UiServer } from './support/ui-server.ts'

/** Overrides that give one user a flag for a limited time, in the test panel of a flag. */
const DEVELOPMENT = `${FLAGS}/colors/environments/development`
let ui: UiServer
let browser: Browser
let page: Page
let complaints: Complaints

withBrowser(startUi, (...started) => {
  ;[browser, ui] = started
})

beforeAll(async () => {
  await ui.call('POST', FLAGS, { name: 'colors' })
  await ui.call('POST', `${DEVELOPMENT}/strategies`, {
    name: 'flexibleRollout',
    parameters: { rollout: '0', stickiness: 'default', groupId: 'colors' },
    variants: [
      { name: 'blue', weight: 500, stickiness: 'default' },
      { name: 'red', weight: 500, stickiness: 'default' },
    ],
  })
  await ui.call('POST', `${DEVELOPMENT}/on`)
  ;({ page, complaints } = await openPage(browser))
  await logIn(page, ui.url, ADMIN)
})
afterAll(async () => {
  expect(complaints).toEqual([])
  await page.close()
})

const button = (name: string) => page.getByRole('button', { name, exact: true })

test('a user gets a variant for an hour, sees it in the results, and loses it early', async () => {
  await page.goto(`${ui.url}/projects/default/features/colors`)
  await button('Test').click()
  await button('Give the flag to a user').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('textbox', { name: 'User ID' }).fill('ada')
  await dialog.getByRole('combobox', { name: 'Variant' }).selectOption('red')
  await dialog.getByRole('button', { name: 'Give' }).click()
  await told(page, 'ada gets the flag now')
  const section = page.getByRole('region', { name: 'For one user' })
  await section.getByText('ada (red), development').waitFor()
  // the strategy that implements the override is visible with the others
  await page
    .getByText(/^ada until 20/)
    .first()
    .waitFor()
  const [stored] = await ui.call<{ userId: string; variant: string }[]>('GET', `${DEVELOPMENT}/self-targeting`)
  expect(stored).toMatchObject({ userId: 'ada', variant: 'red' })
  await section.getByRole('button', { name: 'End the override of ada' }).click()
  await told(page, 'The override of ada has ended')
  expect(await ui.call('GET', `${DEVELOPMENT}/self-targeting`)).toEqual([])
})

test('the panel explains that the flag must be on', async () => {
  await ui.call('POST', `${DEVELOPMENT}/off`)
  await page.goto(`${ui.url}/projects/default/features/colors`)
  await button('Test').click()
  await page.getByText('The flag is off everywhere.').waitFor()
  expect(await button('Give the flag to a user').count()).toBe(0)
})
