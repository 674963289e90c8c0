import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CLIENT, startProvider } from '../../http/sso/provider.ts'
import { withBrowser } from '../../support/browser-hooks.ts'
import { type Complaints, logIn, openPage, told } from '../support/ui-page.ts'
import { ADMIN, FLAGS, startUi, type UiServer } from '../support/ui-server.ts'
import { visitAfresh } from '../support/visit.ts'

/**
 * Tasks of a new user, with the number of clicks that each task takes. Each task starts on the page that the user is on
 * at that time. Only visible names are used to get from one step to the next. Approval of a change has its own test.
 */
let ui: UiServer
let browser: Browser
let page: Page
let complaints: Complaints
let clicks = 0

withBrowser(startUi, async (...started) => {
  ;[browser, ui] = started
  for (const name of ['banner', 'old-footer', 'old-header']) await ui.call('POST', FLAGS, { name })
  for (const name of ['old-footer', 'old-header']) {
    await ui.call('PATCH', `${FLAGS}/${name}`, [{ op: 'replace', path: '/stale', value: true }])
  }
  await ui.call('POST', `${FLAGS}/banner/environments/development/strategies`, {
    name: 'flexibleRollout',
    parameters: { rollout: '50', stickiness: 'userId', groupId: 'banner' },
    constraints: [{ contextName: 'country', operator: 'IN', values: ['DE'] }],
  })
  await ui.call('POST', `${FLAGS}/banner/environments/development/on`)
})

beforeAll(async () => {
  ;({ page, complaints } = await openPage(browser, { acceptDownloads: true }))
  await logIn(page, ui.url, ADMIN)
})
afterAll(async () => {
  expect(complaints).toEqual([])
  await page.close()
})

/** Opens the page where a task begins. */
async function start(path: string): Promise<void> {
  await visitAfresh(page, `${ui.url}${path}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  clicks = 0
}

async function click(target: Locator): Promise<void> {
  clicks += 1
  await target.click()
}

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' })
const link = (name: string | RegExp) => page.getByRole('link', { name, exact: typeof name === 'string' })
const dialog = () => page.getByRole('dialog').last()
const inDialog = (name: string) => dialog().getByRole('button', { name, exact: true })
const flagPage = (name: string) => `/projects/default/features/${name}`

describe('a new user', () => {
  test('creates a flag with two clicks, and may write its name with blanks', async () => {
    await start('/projects/default')
    await click(button('Create flag'))
    await dialog().getByRole('textbox', { name: 'Name' }).fill('checkout one click')
    await click(inDialog('Create flag'))
    await page.getByRole('heading', { name: 'checkout-one-click', level: 1 }).waitFor()
    expect(clicks).toBe(2)
  })

  test('rolls it out to a quarter of the beta testers of two countries with seven clicks', async () => {
    await start(flagPage('checkout-one-click'))
    await click(button('Add strategy in development'))
    await click(dialog().getByText('25', { exact: true }))
    await click(inDialog('Add constraint'))
    await page.keyboard.type('country')
    await click(dialog().getByRole('combobox', { name: 'Values' }))
    await page.keyboard.type('DE\nAT\n')
    await click(inDialog('Add constraint'))
    await page.keyboard.type('betaTester')
    await click(dialog().getByRole('combobox', { name: 'Values' }).nth(1))
    await page.keyboard.type('true\n')
    await dialog().getByText('25% of users where country is DE or AT and betaTester is true').waitFor()
    await click(inDialog('Save'))
    await told(page, 'Strategy added')
    expect(clicks).toBe(7)
  })

  test('adds two variants with JSON, and is led to a mistake in it', async () => {
    await start(flagPage('checkout-one-click'))
    await click(page.getByRole('region', { name: 'development' }).getByRole('button', { name: 'Edit', exact: true }))
    await click(inDialog('Add variant'))
    await page.keyboard.type('blue')
    await click(dialog().getByRole('combobox', { name: 'Payload' }))
    await click(page.getByRole('option', { name: 'JSON' }))
    await click(dialog().getByRole('textbox', { name: /blue/ }).last())
    await page.keyboard.type('{"button": "blue"')
    await click(inDialog('Add variant'))
    await page.keyboard.type('green')
    await click(inDialog('Save'))
    await dialog().getByText('Invalid JSON in line 1').waitFor()
    const focused = await page.evaluate(() => document.activeElement?.hasAttribute('data-invalid-editor'))
    expect(focused).toBe(true)
    await page.keyboard.press('End')
    await page.keyboard.type('}')
    await click(inDialog('Save'))
    await told(page, 'Strategy saved')
    await page.getByText('green 50%').waitFor()
    expect(clicks).toBe(8)
  })

  test('tests it with a user with one click', async () => {
    await start(flagPage('banner'))
    await click(button('Test'))
    await page.getByRole('combobox', { name: 'country', exact: true }).fill('FR')
    await page.getByText('Off: no strategy matches').first().waitFor()
    expect(clicks).toBe(1)
  })

  test('finds who changed it, and undoes that, with four clicks', async () => {
    await ui.call('POST', `${FLAGS}/banner/environments/production/on`)
    await start(flagPage('banner'))
    await click(page.getByRole('tab', { name: 'History' }))
    await click(button('Revert: Flag turned on, banner in production'))
    await click(dialog().getByRole('button', { name: /^(Revert|Turn off)/ }))
    await told(page, 'Reverted')
    expect(clicks).toBeLessThanOrEqual(4)
  })

  test('sees it as it was with two clicks', async () => {
    await start(flagPage('banner'))
    await click(page.getByRole('tab', { name: 'History' }))
    await page.getByLabel('View the flag at a date').fill('2100-01-01T00:00')
    await click(button('Show'))
    await page.getByText('As of Jan 1, 2100').waitFor()
    expect(clicks).toBe(2)
    await start(`${flagPage('banner')}?tab=history`)
    await click(button('A week ago'))
    await page.getByText('The flag did not exist at that time.').waitFor()
    expect(clicks).toBe(1)
  })

  test('compares two environments with one click, and promotes with three more', async () => {
    await start(flagPage('checkout-one-click'))
    await click(link('Compare environments'))
    await page.getByText('1 flag differs').waitFor()
    expect(clicks).toBe(1)
    await click(page.getByRole('checkbox', { name: 'Select checkout-one-click' }))
    await click(button(/^Promote to production/))
    await click(inDialog('Change 1 flag in production'))
    const question = page.getByRole('dialog', { name: 'Change 1 flag in production?' })
    await question.getByText('It is off, and stays off: no effect until it is turned on.').waitFor()
    expect(await question.getByText('changes go live').count()).toBe(0)
    await click(question.getByRole('button', { name: 'Change 1 flag in production' }))
    await told(page, 'Changed 1 flag in production')
    expect(clicks).toBeLessThanOrEqual(5)
  })

  test('archives all stale flags with five clicks', async () => {
    await start('/projects/default')
    await click(link('Insights'))
    await click(page.getByRole('tab', { name: 'Stale flags 2' }))
    await click(page.getByRole('checkbox', { name: 'Select all on this page' }))
    await click(page.getByRole('toolbar').getByRole('button', { name: 'Archive', exact: true }))
    await click(dialog().getByRole('button', { name: /^Archive/ }))
    await told(page, 'Archived 2 flags')
    expect(clicks).toBe(5)
  })

  test('connects an SDK with two clicks', async () => {
    await start('/projects/default')
    await click(link('Connect an SDK'))
    await click(button('Create token'))
    await page.getByText('Create a token above to complete the code.').waitFor({ state: 'detached' })
    expect(clicks).toBe(2)
  })

  test('creates a role with limited rights with six clicks', async () => {
    await start('/projects/default')
    await click(link('Settings'))
    await click(link('Roles'))
    await click(button('Create role'))
    await dialog().getByRole('textbox', { name: 'Name' }).fill('Releaser')
    await click(dialog().getByText('See general settings'))
    await click(dialog().getByRole('checkbox', { name: 'Turn flags on and off: in development' }))
    await click(inDialog('Create role'))
    await page.getByRole('row', { name: /Releaser/ }).waitFor()
    expect(clicks).toBe(6)
  })

  test('invites a colleague, as a member of a project, with six clicks on the way', async () => {
    await start('/projects/default')
    await click(link('Settings'))
    await click(link('Users'))
    await click(button('Add user'))
    await dialog().getByRole('textbox', { name: 'E-mail address' }).fill('priya@example.com')
    await click(dialog().getByRole('combobox', { name: 'Member of projects' }))
    await click(page.getByRole('option', { name: 'Default', exact: true }))
    await page.keyboard.press('Escape')
    await click(inDialog('Add user'))
    await dialog().getByText('It works once and expires in 24 hours').waitFor()
    expect(clicks).toBe(6)
    const { users } = await ui.call<{ users: object[] }>('GET', '/api/admin/projects/default/access')
    expect(users).toContainEqual(expect.objectContaining({ email: 'priya@example.com', roles: [5] }))
    await dialog().getByRole('button', { name: 'Done' }).click()
  })

  test('sets up single sign-on with four clicks, with all that is needed in view', async () => {
    const provider = await startProvider(true, ui.url)
    await start('/projects/default')
    await click(link('Settings'))
    await click(link('Single sign-on'))
    await page.getByRole('switch', { name: 'Allow login through this provider' }).click({ force: true })
    clicks += 1
    await page.getByLabel('Client ID').fill(CLIENT.clientId)
    await page.getByRole('textbox', { name: 'Client secret' }).fill(CLIENT.secret)
    expect(await page.getByText('ID token algorithm').isVisible()).toBe(false)
    await page.getByLabel('Issuer URL').fill(`${provider.issuer}/elsewhere`)
    await button('Save').click()
    await page.getByText('The provider answers with status 404. Check the issuer URL.').waitFor()
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-invalid'))).toBe('true')
    await page.getByLabel('Issuer URL').fill(provider.issuer)
    await click(button('Save'))
    await told(page, 'Single sign-on saved')
    expect(clicks).toBe(4)
    await provider.close()
  })

  test('learns in the playground why a user does not get a flag with three clicks', async () => {
    await start('/projects/default')
    await click(link('Playground'))
    await page.getByRole('combobox', { name: 'Environments' }).waitFor()
    await page.getByLabel('User ID').fill('42')
    const run = button('Evaluate')
    const { y = 0, height = 0 } = (await run.boundingBox()) ?? {}
    expect(y + height).toBeLessThanOrEqual(800)
    await click(run)
    await click(page.getByRole('row', { name: /banner/ }).getByRole('button', { name: /^Why/ }))
    await page.getByRole('dialog').getByText('Off: no strategy matches').waitFor()
    expect(clicks).toBe(3)
  })

  test('exports the flags and previews the import with four clicks', async () => {
    await start('/projects/default')
    await click(link('Project settings'))
    await click(page.getByRole('tab', { name: 'Export and import' }))
    const [download] = await Promise.all([page.waitForEvent('download'), click(button('Export'))])
    const folder = mkdtempSync(join(tmpdir(), 'export-'))
    const file = join(folder, 'flags.json')
    await download.saveAs(file)
    await page.getByLabel('File', { exact: true }).setInputFiles(file)
    await click(button('Preview import'))
    await button(/^Import/)
      .first()
      .waitFor()
    rmSync(folder, { recursive: true })
    expect(clicks).toBe(4)
  })

  test('creates and opens a flag by keyboard alone', async () => {
    await start('/projects/default')
    await page.keyboard.press('c')
    await dialog().getByRole('textbox', { name: 'Name' }).waitFor()
    await page.keyboard.type('by-keyboard\n')
    await page.getByRole('heading', { name: 'by-keyboard', level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('banner\n')
    await page.getByRole('heading', { name: 'banner', level: 1 }).waitFor()
    expect(clicks).toBe(0)
  })
})
