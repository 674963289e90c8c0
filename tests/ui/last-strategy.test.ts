import type { AdminFeature } from '@burgee/protocol/admin-feature'
import type { Browser, Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { withBrowser } from '../support/browser-hooks.ts'
import { type Complaints, flip, fromMenu, logIn, openPage, speak, told } from './support/ui-page.ts'
import { ADMIN, FLAGS, startUi, type UiServer } from './support/ui-server.ts'
import { visit } from './support/visit.ts'

/** Behavior of the UI for an environment that has no enabled strategy, or would lose its last enabled strategy. */

const ROLLOUT = {
  name: 'flexibleRollout',
  parameters: { rollout: '1', stickiness: 'userId', groupId: 'g' },
}

let ui: UiServer
let browser: Browser
let page: Page
let complaints: Complaints

withBrowser(startUi, async (...started) => {
  ;[browser, ui] = started
  for (const name of ['open', 'stuck']) await make(name, [ROLLOUT])
  await ui.call('POST', '/api/admin/environments', { name: 'vault', type: 'preproduction' })
  await ui.call('POST', '/api/admin/projects/default/environments', { environment: 'vault' }).catch(() => undefined)
  // this is the state after an import from another service
  await ui.alter("update environments set protected = 1 where name = 'vault'")
  // enabled without an enabled strategy, as in older databases
  await ui.alter("delete from feature_strategies where feature_name = 'open'")
  await ui.alter("update feature_strategies set disabled = 1 where feature_name = 'stuck'")
  for (const name of ['one', 'undone', 'kept']) await make(name, [ROLLOUT])
  for (const name of ['dark', 'dark-too', 'dark-three']) await make(name, [{ ...ROLLOUT, disabled: true }], false)
  await make('bare', [{ name: 'flexibleRollout' }])
  ;({ page, complaints } = await openPage(browser))
  await logIn(page, ui.url, ADMIN)
})
afterEach(() => expect(complaints).toEqual([]))

async function make(name: string, strategies: readonly object[], isOn = true): Promise<void> {
  const place = `${FLAGS}/${name}/environments/development`
  await ui.call('POST', FLAGS, { name })
  for (const strategy of strategies) await ui.call('POST', `${place}/strategies`, strategy)
  if (isOn) await ui.call('POST', `${place}/on`)
}

/** Returns the stored flag in development: whether it is enabled, and whether each strategy is disabled. */
async function stored(name: string): Promise<[boolean, ...boolean[]]> {
  const { environments } = await ui.call<AdminFeature>('GET', `${FLAGS}/${name}`)
  const own = environments.find((one) => one.name === 'development')
  return [own?.enabled === true, ...(own?.strategies ?? []).map(({ disabled }) => disabled)]
}

const column = () => page.getByRole('region', { name: 'development' })
const open = (name: string) => visit(page, `${ui.url}/projects/default/features/${name}?env=development`)

test.each([
  ['open', 'SDKs turn it on for all users. Add a strategy or turn the flag off.'],
  ['stuck', 'SDKs receive it as off although it is switched on. Enable a strategy or turn the flag off.'],
])('a warning appears on the page of a flag that is on without an enabled strategy: %s', async (name, text) => {
  await open(name)
  const warning = column().getByRole('alert').filter({ hasText: 'On without an enabled strategy' })
  await warning.getByText(text).waitFor()
  expect(await page.getByRole('region', { name: 'production' }).getByRole('alert').count()).toBe(0)
})

test('the warning speaks German', async () => {
  await open('open')
  await speak(page, 'de')
  await page.getByRole('alert').filter({ hasText: 'An ohne aktive Strategie' }).waitFor()
})

test('a flag with an enabled strategy has no warning, and one without a rollout shows "No users"', async () => {
  await open('bare')
  await column().getByText('No users').waitFor()
  expect(await column().getByRole('alert').count()).toBe(0)
})

test('removing the last strategy warns that the flag goes off; after undo it is back and stays off', async () => {
  await open('one')
  await fromMenu(column(), 'Remove strategy')
  const question = page.getByRole('dialog', { name: 'Remove this strategy?' })
  await question.getByText('the flag will be off in development').waitFor()
  await question.getByRole('button', { name: 'Remove strategy' }).click()
  await told(page, 'Strategy removed. The flag is off in development')
  await expect.poll(() => stored('one')).toEqual([false])
  await expect.poll(() => column().getByRole('switch').isChecked()).toBe(false)
  await page.getByRole('alert').filter({ hasText: 'Strategy removed' }).getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => stored('one')).toEqual([false, false])
})

test('turning on where all strategies are disabled asks, and enables them; cancelled, nothing happens', async () => {
  await open('dark')
  const question = page.getByRole('dialog', { name: /^Turn dark on for .* in development\?$/ })
  await flip(column().getByRole('switch'))
  await question.getByText('Its disabled strategies are enabled.').waitFor()
  await question.getByRole('button', { name: 'Cancel' }).click()
  expect(await stored('dark')).toEqual([false, true])
  await flip(column().getByRole('switch'))
  await question.getByRole('button', { name: 'Turn on' }).click()
  await told(page, 'dark is on in development')
  expect(await stored('dark')).toEqual([true, false])
  // undo restores both
  await page.getByRole('alert').filter({ hasText: 'dark is on' }).getByRole('button', { name: 'Undo' }).click()
  await told(page, 'dark is off in development')
  expect(await stored('dark')).toEqual([false, true])
})

test('the same for several flags at once; others keep what they have', async () => {
  await ui.call('POST', `${FLAGS}/kept/environments/development/off`)
  await ui.call('POST', `${FLAGS}/kept/environments/development/strategies`, { ...ROLLOUT, disabled: true })
  await visit(page, `${ui.url}/projects/default`)
  for (const name of ['dark-too', 'dark-three', 'kept']) {
    await page.getByRole('checkbox', { name: new RegExp(`${name}$`) }).check()
  }
  await page.getByRole('toolbar').getByRole('button', { name: 'Turn on or off' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('In 2 of them all strategies are disabled').waitFor()
  // a protected environment needs the same confirmation as production, for one flag or several
  await dialog.getByLabel('Environment').selectOption('vault')
  await dialog.getByText('Goes live within seconds.').waitFor()
  await dialog.getByLabel('Environment').selectOption('development')
  expect(await dialog.getByText('Goes live').count()).toBe(0)
  await dialog.getByRole('button', { name: 'Turn on in development' }).click()
  await told(page, '3 flags are on in development')
  // turning it off would not restore the previous state
  expect(await page.getByRole('alert').getByRole('button', { name: 'Undo' }).count()).toBe(0)
  expect(await stored('dark-too')).toEqual([true, false])
  expect(await stored('dark-three')).toEqual([true, false])
  expect(await stored('kept')).toEqual([true, false, true])
})

test('undoing an archive restores the flag switched off everywhere, with a note', async () => {
  await open('undone')
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Archive' }).click()
  const question = page.getByRole('dialog')
  await question.getByText('You can restore it later, off in every environment.').waitFor()
  await question.getByRole('button', { name: 'Archive' }).click()
  const done = page.getByRole('alert').filter({ hasText: 'Undo restores it, off in every environment.' })
  await done.getByRole('button', { name: 'Undo' }).click()
  await told(page, 'Restored undone, off in every environment')
  expect(await stored('undone')).toEqual([false, false])
})

test('the event log restores a flag switched off everywhere, and not on for everyone', async () => {
  await make('logged', [ROLLOUT])
  await ui.call('DELETE', `${FLAGS}/logged`)
  const event = () => page.getByRole('list', { name: 'Events, newest first' }).locator('li[data-type]').first()
  await page.goto(`${ui.url}/events?flag=logged&type=feature-archived`)
  await event()
    .getByRole('button', { name: /^Revert/ })
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revert' }).click()
  await told(page, 'It is off in every environment.')
  expect(await stored('logged')).toEqual([false, false])
  await ui.call('POST', `${FLAGS}/logged/environments/development/on`)
  const [one] = await ui.call<{ id: string }[]>('GET', `${FLAGS}/logged/environments/development/strategies`)
  await ui.call('DELETE', `${FLAGS}/logged/environments/development/strategies/${one?.id}`)
  await page.goto(`${ui.url}/events?flag=logged&type=feature-environment-disabled`)
  await event()
    .getByRole('button', { name: /^Revert/ })
    .click()
  await told(page, 'No strategy is enabled in development: the flag would be on for all users.')
  expect(await stored('logged')).toEqual([false])
})

test('a guarded environment asks first on a freshly loaded page, even before the environments are loaded', async () => {
  const place = `${FLAGS}/bare/environments/vault`
  await ui.call('POST', `${place}/strategies`, ROLLOUT)
  const isOn = async () => (await ui.call<{ enabled: boolean }>('GET', place)).enabled
  await page.route('**/api/admin/environments', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 700))
    await route.continue()
  })
  await page.goto(`${ui.url}/projects/default/features/bare?env=vault`)
  await page.reload()
  const vault = page.getByRole('region', { name: 'vault' })
  await flip(vault.getByRole('switch'))
  const question = page.getByRole('dialog')
  await question.getByText('Goes live').waitFor()
  expect(await isOn()).toBe(false)
  await question.getByRole('button', { name: 'Cancel' }).click()
  await page.unroute('**/api/admin/environments')
  expect(await isOn()).toBe(false)
})
