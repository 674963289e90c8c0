import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { withBrowser } from '../../support/browser-hooks.ts'
import { type Complaints, logIn, openPage } from '../support/ui-page.ts'
import { ADMIN, FLAGS, startUi, type UiServer } from '../support/ui-server.ts'
import { visit } from '../support/visit.ts'

/** Evaluation for a context that the user enters: who gets a flag, now and in the past. */
let ui: UiServer
let page: Page
let complaints: Complaints

withBrowser(startUi, async (browser, started) => {
  ui = started
  ;({ page, complaints } = await openPage(browser))
  await logIn(page, ui.url, ADMIN)
})

test('the playground: a flag leads to it, a new field has the focus, and letters do not lead away', async () => {
  await ui.call('POST', FLAGS, { name: 'loyal' })
  await ui.call('POST', `${FLAGS}/loyal/environments/development/strategies`, {
    name: 'default',
    constraints: [{ contextName: 'loyalty', operator: 'IN', values: ['gold'] }],
  })
  await ui.call('POST', `${FLAGS}/loyal/environments/development/on`)
  await visit(page, `${ui.url}/projects/default/features/loyal`)
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  await page.getByRole('link', { name: 'Open in playground' }).click()
  await page.getByRole('row', { name: /loyal Off Off/ }).waitFor()
  // the fields that the flag's rules read are already in the form
  expect(await page.getByRole('combobox', { name: 'Field', exact: true }).inputValue()).toBe('loyalty')
  await page.getByRole('button', { name: 'Remove field loyalty' }).click()
  await page.getByRole('button', { name: 'Add field' }).click()
  await page.getByLabel('Field', { exact: true }).and(page.locator(':focus')).waitFor()
  // fields used in rules are suggested
  await page.getByRole('option', { name: 'loyalty' }).click()
  await page
    .getByRole('combobox', { name: 'Value' })
    .or(page.getByLabel('Value', { exact: true }))
    .first()
    .fill('gold')
  await page.locator('body').press('Escape')
  await page.getByRole('heading', { name: 'Playground', level: 1 }).click()
  await page.keyboard.press('g')
  await page.keyboard.press('s')
  await page.keyboard.press('c')
  expect(new URL(page.url()).pathname).toBe('/playground')
  await page.getByRole('button', { name: 'Evaluate' }).click()
  await page.getByRole('row', { name: /loyal Off On/ }).waitFor()
  expect(complaints).toEqual([])
})

test('the playground shows at each field what it needs before it evaluates', async () => {
  await visit(page, `${ui.url}/playground`)
  const environments = page.getByRole('combobox', { name: 'Environments' })
  await environments.focus()
  for (let count = 0; count < 2; count++) await page.keyboard.press('Backspace')
  await page.keyboard.press('Escape')
  expect(await page.getByText('Choose at least one environment.').count()).toBe(0)
  await page.getByRole('button', { name: 'Evaluate' }).click()
  await page.getByText('Choose at least one environment.').waitFor()
  await environments.and(page.locator(':focus')).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.getByRole('option', { name: 'development' }).click()
  await page.getByText('Choose at least one environment.').waitFor({ state: 'hidden' })
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Evaluate' }).click()
  await page.getByRole('columnheader', { name: 'development' }).waitFor()
  expect(new URL(page.url()).searchParams.get('envs')).toBe('development')
})

test('the playground as of a time and of an event, from the past of a flag', async () => {
  const flag = `${FLAGS}/then`
  await ui.call('POST', FLAGS, { name: 'then' })
  await ui.call('POST', `${flag}/environments/development/strategies`, { name: 'default' })
  await ui.call('POST', `${flag}/environments/development/on`)
  await ui.call('POST', `${flag}/environments/development/off`)
  const { events } = await ui.call<{ events: { id: number; type: string }[] }>('GET', '/api/admin/events/then')
  const on = events.find(({ type }) => type === 'feature-environment-enabled')?.id
  await visit(page, `${ui.url}/projects/default/features/then?tab=history&event=${on}`)
  await page.getByRole('link', { name: 'Test this version' }).click()
  await page.getByText('Shows past flags, not the current ones.').waitFor()
  await page.getByRole('row', { name: /then On Off/ }).waitFor()
  await page.getByRole('button', { name: 'Current state' }).click()
  await page.getByRole('button', { name: 'Evaluate' }).click()
  await page.getByRole('row', { name: /then Off Off/ }).waitFor()
  await page.getByLabel('Flags at').fill('2020-01-01T12:00')
  await page.getByRole('button', { name: 'Evaluate' }).click()
  await page
    .getByText(/No (matching )?flags/)
    .first()
    .waitFor()
  expect(complaints).toEqual([])
})

test('the playground takes values as they are meant: no blank beside a comma, and why one is no version and no number', async () => {
  const strategy = (contextName: string, operator: string, value: string) => ({
    name: 'default',
    constraints: [{ contextName, operator, value }],
  })
  await ui.call('POST', FLAGS, { name: 'newest' })
  for (const one of [strategy('appVersion', 'SEMVER_GT', '2.3.0'), strategy('age', 'NUM_GT', '3')]) {
    await ui.call('POST', `${FLAGS}/newest/environments/development/strategies`, one)
  }
  await ui.call('POST', `${FLAGS}/newest/environments/development/on`)
  await visit(page, `${ui.url}/playground?envs=development&project=default`)
  await page.getByLabel('User ID').fill('alice, bob')
  const asked = page.waitForRequest(/playground\/advanced$/)
  await page.getByRole('button', { name: 'Evaluate' }).click()
  expect((await asked).postDataJSON().context).toEqual({ appName: 'playground', userId: 'alice,bob' })
  // the field keeps the text that the user typed
  expect(await page.getByLabel('User ID').inputValue()).toBe('alice, bob')
  await visit(page, `${ui.url}/playground?envs=development&flag=newest&props=appVersion%3D2.4%0Aage%3Dten`)
  await page.getByText('appVersion “2.4” is not a version like 1.2.3').first().waitFor()
  await page.getByText('age “ten” is not a number').first().waitFor()
  expect(complaints).toEqual([])
})
