import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withBrowser } from '../support/browser-hooks.ts'
import { runBurgee } from '../support/burgee.ts'
import { callAs } from '../support/call-as.ts'
import { beginSession, type Complaints, flip, logIn, openPage, told } from './support/ui-page.ts'
import { ADMIN, FLAGS, startUi, type UiServer, VIEWER } from './support/ui-server.ts'
import { visit } from './support/visit.ts'

const OWN_PASSWORD = 'an own secret of Ina'

let ui: UiServer
let browser: Browser

withBrowser(
  () => startUi({ ENFORCE_PASSWORD_CHANGE: 'true' }),
  async (...started) => {
    ;[browser, ui] = started
    await ui.call('POST', '/api/admin/user-admin', { ...VIEWER, rootRole: 3 })
  },
)

/** Answers the open confirmation dialog. */
const answer = (page: Page, action: string) => page.getByRole('dialog').getByRole('button', { name: action }).click()

/** Undoes the change of a notification. */
const undo = (page: Page, text: string) =>
  page.getByRole('alert').filter({ hasText: text }).getByRole('button', { name: 'Undo' }).click()

async function choose(page: Page, list: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: list }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

/** Chooses an item of a row's menu. */
async function chooseFrom(page: Page, name: string, item: string): Promise<void> {
  await page.getByRole('button', { name: `More: ${name}` }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

/** Story of one administrator, in order: each part starts where the previous one ended. */
describe('an administrator', () => {
  let page: Page
  let complaints: Complaints
  let secret: string

  beforeAll(async () => {
    ;({ page, complaints } = await openPage(browser))
    await logIn(page, ui.url, ADMIN)
  })
  afterAll(async () => {
    expect(complaints).toEqual([])
    await page.close()
  })

  const more = (name: string, item: string) => chooseFrom(page, name, item)
  const row = (name: string | RegExp) => page.getByRole('row', { name })
  const go = (path: string) => visit(page, `${ui.url}${path}`)
  const main = () => page.getByRole('main')
  const flagNames = async (): Promise<string[]> =>
    (await ui.call<{ features: { name: string }[] }>('GET', FLAGS)).features.map(({ name }) => name)

  test('adds a user, whose password is shown once', async () => {
    await page.getByRole('link', { name: 'Settings', exact: true }).click()
    await page.getByRole('link', { name: 'Users' }).click()
    await page.getByRole('button', { name: 'Add user' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add user' })
    await dialog.getByLabel('Name', { exact: true }).fill('Ina Berg')
    await dialog.getByRole('button', { name: 'Add user' }).click()
    await dialog.getByText('Fix the highlighted fields.').waitFor()
    await dialog.getByLabel('E-mail address').fill('ina')
    await dialog.getByText('Enter an e-mail address, such as name@example.com.').waitFor()
    await dialog.getByLabel('E-mail address').fill('ina@example.com')
    await dialog.getByLabel('Username').fill('ina')
    await dialog.getByRole('radio', { name: 'With a generated password' }).check()
    await dialog.getByRole('button', { name: 'Add user' }).click()
    secret = (await page.getByRole('group', { name: 'Password' }).textContent()) ?? ''
    expect(secret).toMatch(/^(\w{5}-){3}\w{5}$/)
    await page.getByRole('button', { name: 'Done' }).click()
    await row(/Ina Berg.*Viewer.*must set a new password/).waitFor()
    expect(await page.content()).not.toContain(secret)
  })

  test('creates a user who must choose a new password first, and then sees what a viewer sees', async () => {
    const { page: hers, complaints: hersToo } = await openPage(browser)
    await enter(hers, 'ina', secret)
    await hers.getByRole('heading', { name: 'Set your own password' }).waitFor()
    await hers.goto(`${ui.url}/projects`)
    await expect
      .poll(() => hers.evaluate(() => document.activeElement?.getAttribute('autocomplete')))
      .toBe('current-password')
    await hers.getByText('At least 10 characters').waitFor()
    await hers.getByLabel('Current password').fill(secret)
    await hers.getByRole('textbox', { name: 'New password', exact: true }).fill(OWN_PASSWORD)
    await hers.getByLabel('Repeat new password').fill(OWN_PASSWORD)
    await hers.getByRole('button', { name: 'Save' }).click()
    await hers.getByRole('link', { name: 'Settings', exact: true }).click()
    await hers.getByRole('link', { name: 'Applications' }).waitFor()
    expect(await hers.getByRole('link', { name: 'Users' }).count()).toBe(0)
    await hers.goto(`${ui.url}/users`)
    await hers.getByText('You do not have access to this page').waitFor()
    expect(hersToo).toEqual([])
    await hers.close()
  })

  test('changes a role, makes a new password, which ends all sessions, and goes back and forth', async () => {
    const { page: hers } = await openPage(browser)
    await logIn(hers, ui.url, { username: 'ina', password: OWN_PASSWORD })
    await page.getByRole('button', { name: 'Edit Ina Berg' }).click()
    await page.getByRole('radio', { name: 'Editor' }).check()
    await page.goBack()
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('dialog').first().waitFor({ state: 'hidden' })
    await page.goForward()
    await page.getByRole('radio', { name: 'Editor' }).check()
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await told(page, 'Saved Ina Berg')
    await row(/Ina Berg.*Editor/).waitFor()
    await page.getByRole('button', { name: 'New password for Ina Berg' }).click()
    await page.getByRole('radio', { name: 'With a generated password' }).check()
    await answer(page, 'Create')
    const next = (await page.getByRole('group', { name: 'Password' }).textContent()) ?? ''
    expect(next).not.toBe(secret)
    await page.getByRole('button', { name: 'Done' }).click()
    await hers.reload()
    await hers.getByRole('button', { name: 'Log in' }).waitFor()
    await hers.close()
  })

  test('invites a user by a link, which works once, and creates another one for a lost password', async () => {
    await page.getByRole('button', { name: 'Add user' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add user' })
    await dialog.getByLabel('E-mail address').fill('tom@example.com')
    await dialog.getByRole('button', { name: 'Add user' }).click()
    await followLink(await linkShown(page), 'the first secret of Tom')
    await page.getByRole('button', { name: 'New password for tom@example.com' }).click()
    await answer(page, 'Create')
    const again = await linkShown(page)
    const { page: his, complaints: hisToo } = await followLink(again, 'the second secret of Tom')
    await enter(his, 'tom@example.com', 'the second secret of Tom')
    await his.getByRole('heading', { name: 'Flags', level: 1 }).waitFor()
    await his.goto(again)
    await his.getByText('This link no longer works').waitFor()
    await his.getByRole('link', { name: 'Go to login' }).click()
    await his.getByRole('heading', { name: 'Log in to Burgee' }).waitFor()
    expect(new URL(his.url()).search).toBe('')
    expect(hisToo).toEqual([])
    await his.close()
  })

  test('creates an environment, changes its type, moves it, turns it off and on', async () => {
    await go('/environments')
    await page.getByRole('button', { name: 'Create environment' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create environment' })
    await dialog.getByLabel('Name').fill('a/b')
    await dialog.getByText(/Use only letters, digits/).waitFor()
    await dialog.getByLabel('Name').fill('staging')
    await dialog.getByRole('combobox', { name: 'Type' }).fill('test')
    await page.getByRole('option', { name: 'test', exact: true }).click()
    await dialog.getByRole('button', { name: 'Create environment' }).click()
    await told(page, 'Created staging')
    await row(/^staging.*Test.*In use/).waitFor()
    await page.getByRole('button', { name: 'Edit staging' }).click()
    await page.getByRole('dialog').getByRole('combobox', { name: 'Type' }).fill('production')
    await page.getByRole('option', { name: 'production', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await row(/^staging.*Production/).waitFor()
    await more('staging', 'Move up: staging')
    await told(page, 'Moved staging')
    expect(await names()).toEqual(['development', 'staging', 'production'])
    await undo(page, 'Moved staging')
    await told(page, 'Moved staging back')
    expect(await names()).toEqual(['development', 'production', 'staging'])
    await more('staging', 'Turn off staging')
    await page.getByText('New projects will not use it.').waitFor()
    await answer(page, 'Turn off')
    await row(/^staging.*Disabled/).waitFor()
    await undo(page, 'Disabled staging')
    await row(/^staging.*In use/).waitFor()
  })

  const names = () =>
    page
      .getByRole('rowheader')
      .filter({ hasText: /development|production|staging/ })
      .allTextContents()

  test('deletes an environment and undoes it', async () => {
    await more('staging', 'Delete staging')
    await answer(page, 'Delete')
    await told(page, 'Deleted staging')
    await row(/^staging/).waitFor({ state: 'hidden' })
    await undo(page, 'Deleted staging')
    await row(/^staging.*Production.*In use/).waitFor()
  })

  test('deletes an environment in use once its name is typed, after listing what goes with it', async () => {
    await ui.call('POST', '/api/admin/environments', { name: 'doomed', type: 'test' })
    await ui.call('POST', '/api/admin/projects/default/environments', { environment: 'doomed' })
    const token = { tokenName: 'doomed', type: 'client', environment: 'doomed' }
    await ui.call('POST', '/api/admin/api-tokens', token)
    await page.reload()
    await more('doomed', 'Delete doomed')
    const dialog = page.getByRole('dialog')
    expect(await dialog.getByRole('listitem').allTextContents()).toEqual([
      'its use in 1 project, with all strategies and variants of flags there',
      '1 API token; clients using it are rejected immediately',
    ])
    expect(await dialog.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true)
    await page.getByLabel('Type doomed to confirm').fill('doomed')
    await answer(page, 'Delete')
    await told(page, 'Deleted doomed')
    await row(/^doomed/).waitFor({ state: 'hidden' })
    const { tokens } = await ui.call<{ tokens: { tokenName: string }[] }>('GET', '/api/admin/api-tokens')
    expect(tokens.filter(({ tokenName }) => tokenName === 'doomed')).toEqual([])
  })

  test('creates a project with some of the environments, which leads to its flags', async () => {
    await go('/projects')
    await page.getByRole('button', { name: 'Create project' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create project' })
    await dialog.getByLabel('Name').fill('Web Shop')
    await dialog.getByRole('combobox', { name: 'Environments' }).focus()
    // removes the last remaining item
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Escape')
    await dialog.getByRole('button', { name: 'Create project' }).click()
    await told(page, 'Created project Web Shop')
    expect(new URL(page.url()).pathname).toBe('/projects/web-shop')
    const made = await ui.call<{ environments: { environment: string }[] }>(
      'GET',
      '/api/admin/projects/web-shop/overview',
    )
    expect(made.environments.map(({ environment }) => environment)).toEqual(['development', 'production'])
    await go('/projects')
    const star = page.getByRole('button', { name: 'Favorite: Web Shop' })
    await star.click()
    await page
      .getByRole('list', { name: 'Projects' })
      .getByRole('listitem')
      .first()
      .getByRole('link', { name: 'Web Shop' })
      .waitFor()
    expect(await star.getAttribute('aria-pressed')).toBe('true')
    await visit(page, `${ui.url}/projects/web-shop`)
  })

  test('gives the project another environment, and takes one away after saying what is lost', async () => {
    await page.getByRole('link', { name: 'Project settings' }).click()
    await page.getByRole('tab', { name: 'Environments' }).click()
    const use = (name: string) => page.getByRole('switch', { name: `Use ${name}` })
    await flip(use('staging'))
    await told(page, 'Added staging')
    await undo(page, 'Added staging')
    await told(page, 'Removed staging from the project')
    expect(await use('staging').isChecked()).toBe(false)
    await ui.call('POST', '/api/admin/projects/web-shop/features', { name: 'shop-flag' })
    await ui.call('POST', '/api/admin/projects/web-shop/features/shop-flag/environments/production/on')
    await page.reload()
    await flip(use('production'))
    await page.getByText('and 1 flag that is on will be off').waitFor()
    expect(await page.getByRole('dialog').getByRole('button', { name: 'Stop using' }).isDisabled()).toBe(true)
    await page.getByLabel('Type production to confirm').fill('production')
    await answer(page, 'Stop using')
    await told(page, 'Removed production from the project')
    expect(await use('development').isDisabled()).toBe(true)
  })

  test('gives a user a role in the project, changes it, undoes that, removes the user', async () => {
    await page.getByRole('tab', { name: 'Members' }).click()
    await page.getByRole('button', { name: 'Add members' }).click()
    // Enter selects the match and does not submit
    await page.getByRole('combobox', { name: 'People and groups' }).fill('ina b')
    await page.getByRole('option', { name: 'Ina Berg (ina@example.com)' }).waitFor()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').getByRole('button', { name: 'Add members' }).click()
    await told(page, 'Added 1 member')
    const hers = row(/Ina Berg/)
    await hers.getByText('Member', { exact: true }).waitFor()
    await choose(page, 'Roles of Ina Berg', 'Owner')
    await told(page, 'Ina Berg is now Member, Owner')
    const given = async () => {
      const access = '/api/admin/projects/web-shop/access'
      const { users } = await ui.call<{ users: { name?: string; roles: number[] }[] }>('GET', access)
      return users.filter(({ name }) => name === 'Ina Berg').map(({ roles }) => roles)
    }
    expect(await given()).toEqual([[4, 5]])
    await page.keyboard.press('Escape')
    // all roles of the user are shown, even after a reload
    await page.reload()
    await hers.getByText('Owner', { exact: true }).waitFor()
    await choose(page, 'Roles of Ina Berg', 'Member')
    await told(page, 'Ina Berg is now Owner')
    expect(await given()).toEqual([[4]])
    await undo(page, 'Ina Berg is now Owner')
    await told(page, 'Restored the roles of Ina Berg')
    expect(await given()).toEqual([[4, 5]])
    // concurrent changes by others must be preserved
    await choose(page, 'Roles of Ina Berg', 'Member')
    await told(page, 'Ina Berg is now Owner')
    await page.keyboard.press('Escape')
    const { users } = await ui.call<{ users: { id: number; name?: string }[] }>(
      'GET',
      '/api/admin/projects/web-shop/access',
    )
    const { id } = users.find(({ name }) => name === 'Ina Berg') ?? {}
    await ui.call('PUT', `/api/admin/projects/web-shop/users/${id}/roles`, { roles: [5] })
    await undo(page, 'Ina Berg is now Owner')
    await told(page, 'Restored the roles of Ina Berg')
    expect(await given()).toEqual([[5]])
    await page.getByRole('button', { name: 'Remove Ina Berg' }).click()
    await answer(page, 'Remove')
    await told(page, 'Removed Ina Berg from the project')
    await hers.waitFor({ state: 'hidden' })
  })

  test('sets a naming pattern and a limit for flags, which the form of a new flag shows', async () => {
    await page.getByRole('tab', { name: 'General' }).click()
    await page.getByLabel('Naming pattern for flags').fill('shop-[a-z]+')
    await page.getByLabel('Example name').fill('cart')
    await page.getByLabel('Description of the pattern').fill('The shop first.')
    const save = page.getByRole('button', { name: 'Save' })
    await page.getByLabel('Maximum number of flags').fill('many')
    await save.click()
    await page.getByText('Fix the highlighted fields.').waitFor()
    await page.getByLabel('Maximum number of flags').fill('2')
    await save.click()
    await page.getByText('The example does not match the pattern.').waitFor()
    await page.getByLabel('Example name').fill('shop-cart')
    await save.click()
    await told(page, 'Saved')
    const rules = { featureNaming: { pattern: 'shop-[a-z]+', example: 'shop-cart' }, featureLimit: 2 }
    expect(await ui.call('GET', '/api/admin/projects/web-shop/overview')).toMatchObject(rules)
    await go('/projects/web-shop?create=true')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('must match shop-[a-z]+. For example shop-cart. The shop first.').waitFor()
    await dialog.getByLabel('Name').fill('cart')
    await dialog.getByRole('button', { name: 'Create' }).click()
    await dialog.getByText('does not match the pattern of this project').waitFor()
    await page.goto(`${ui.url}/projects/web-shop/settings`)
    await page.getByLabel('Naming pattern for flags').fill('')
    await page.getByLabel('Maximum number of flags').fill('')
    await page.getByRole('button', { name: 'Save' }).click()
    await told(page, 'Saved')
    expect(await ui.call('GET', '/api/admin/projects/web-shop/overview')).toMatchObject({
      featureNaming: { pattern: null, example: null, description: null },
      featureLimit: null,
    })
  })

  test('sets the default strategy of an environment, which flags get that are turned on without one', async () => {
    await page.getByRole('tab', { name: 'Default strategies' }).click()
    const defaults = page.getByRole('list', { name: 'Default strategies' })
    await defaults.getByText('All users (built-in default)').first().waitFor()
    await defaults.getByRole('button', { name: 'Edit default strategy in development' }).click()
    const editor = page.getByRole('dialog', { name: 'Default strategy in development' })
    expect(await editor.getByLabel('Disabled').count()).toBe(0)
    await editor.getByLabel(/^Title/).fill('Carefully')
    await editor.getByRole('button', { name: 'Save' }).click()
    await told(page, 'Default strategy in development saved')
    await defaults.getByText('Carefully: All users').waitFor()
    await ui.call('POST', '/api/admin/projects/web-shop/features', { name: 'with-default' })
    await ui.call('POST', '/api/admin/projects/web-shop/features/with-default/environments/development/on')
    const strategies = '/api/admin/projects/web-shop/features/with-default/environments/development/strategies'
    expect(await ui.call('GET', strategies)).toMatchObject([
      { title: 'Carefully', parameters: { rollout: '100', groupId: 'with-default' } },
    ])
    await ui.call('DELETE', '/api/admin/projects/web-shop/features/with-default')
    await ui.call('DELETE', '/api/admin/archive/with-default')
  })

  test('edits the project, sees what prevents archiving it, archives, revives and deletes it', async () => {
    await page.getByRole('tab', { name: 'General' }).click()
    await page.getByLabel('Name').fill('Shop')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Shop: Project settings' }).waitFor()
    await page.getByRole('tab', { name: 'Danger zone' }).click()
    await page.getByText('Archive its flag first.').waitFor()
    await ui.call('DELETE', '/api/admin/projects/web-shop/features/shop-flag')
    await page.reload()
    await page.getByText('Permanently delete its archived flag first.').waitFor()
    await page.getByRole('button', { name: 'Archive project' }).click()
    await answer(page, 'Archive project')
    await told(page, 'Archived project Shop')
    expect(new URL(page.url()).pathname).toBe('/projects')
    expect(await page.getByRole('link', { name: 'Shop', exact: true }).count()).toBe(0)
    await page.getByText('Archived', { exact: true }).click()
    await page.getByRole('button', { name: 'Restore Shop' }).click()
    await told(page, 'Restored project Shop')
    await ui.call('DELETE', '/api/admin/archive/shop-flag')
    await go('/projects/web-shop/settings?tab=danger')
    await page.getByRole('button', { name: 'Delete project' }).click()
    await page.getByLabel('Type web-shop to confirm').fill('web-shop')
    await answer(page, 'Delete project')
    await told(page, 'Deleted project Shop')
    await page.getByRole('link', { name: 'Back to flags' }).click()
    await page.waitForURL(`${ui.url}/projects/default`)
  })

  test('finds archived flags, revives one and takes that back', async () => {
    for (const name of ['one', 'two', 'three']) {
      await ui.call('POST', FLAGS, { name, description: `Number ${name}` })
      await ui.call('DELETE', `${FLAGS}/${name}`)
    }
    await go('/archive')
    await page.getByText('3 archived flags').waitFor()
    await page.getByLabel('Search archived flags').fill('number tw')
    await page.getByText('1 archived flag', { exact: true }).waitFor()
    expect(new URL(page.url()).search).toBe('?q=number+tw')
    await page.getByRole('button', { name: 'Restore two' }).click()
    await told(page, 'Restored two, off in every environment')
    await page.getByText('No matching archived flags').waitFor()
    await undo(page, 'Restored two')
    await row(/two/).waitFor()
  })

  test('deletes flags for good: one by its name, several by their number', async () => {
    await page.getByRole('button', { name: 'Delete permanently: two' }).click()
    const really = page.getByRole('dialog').getByRole('button', { name: 'Delete permanently' })
    await page.getByLabel('Type two to confirm').fill('tw')
    expect(await really.isDisabled()).toBe(true)
    await page.getByLabel('Type two to confirm').fill('two')
    await really.click()
    await told(page, 'Deleted two')
    await page.getByLabel('Search archived flags').fill('')
    await page.getByLabel('Select one').check()
    await page.getByLabel('Select all on this page').check()
    await page
      .getByRole('group', { name: '2 flags selected' })
      .getByRole('button', { name: 'Delete permanently' })
      .click()
    await page.getByLabel('Type 2 to confirm').fill('2')
    await really.click()
    await page.getByText('No archived flags').waitFor()
    await expect(ui.call('GET', `${FLAGS}/one`)).rejects.toThrow('404')
  })

  test('sees what the installation is, and a proxy that has connected', async () => {
    const token = { tokenName: 'proxy', type: 'client', environment: 'development', projects: ['*'] }
    const { secret: clientToken } = await ui.call<{ secret: string }>('POST', '/api/admin/api-tokens', token)
    const proxy = runBurgee(['proxy'], {
      UNLEASH_URL: `${ui.url}/api`,
      UNLEASH_API_TOKEN: clientToken,
      UNLEASH_PROXY_CLIENT_KEYS: 'key',
      UNLEASH_APP_NAME: 'front-door',
      PORT: '0',
      PROXY_HOST: '127.0.0.1',
      LOG_LEVEL: 'info',
    })
    try {
      await expect
        .poll(() => ui.call('GET', '/api/admin/metrics/applications'), { timeout: 20_000, interval: 200 })
        .toMatchObject({ applications: [{ appName: 'front-door' }] })
    } finally {
      proxy.kill('SIGTERM')
      await proxy.ended
    }
    const time = new Date().toISOString()
    const bucket = { start: time, stop: time, toggles: { 'old-chekcout': { yes: 0, no: 1 } } }
    await callAs(clientToken, 'POST', `${ui.url}/api/client/metrics`, { appName: 'front-door', bucket })
    await expect
      .poll(() => ui.call('GET', '/api/admin/metrics/unknown-flags'), { timeout: 20_000, interval: 200 })
      .toMatchObject({ unknownFlags: [{ name: 'old-chekcout' }] })
    await go('/instance')
    await page.getByText('SQLite, embedded').waitFor()
    await expect.poll(() => page.getByText('good', { exact: true }).count()).toBe(2)
    await row(/^burgee-proxy:\S+ Proxy 1/).waitFor()
    // this field contains the allowed origins of web pages; concurrent changes by others must be preserved
    await page.getByRole('combobox', { name: 'Origins' }).fill('https://shop.example.com')
    await page.keyboard.press('Enter')
    const cors = '/api/admin/ui-config/cors'
    await ui.call('POST', cors, { frontendApiOrigins: ['https://theirs.example.com'] })
    const form = page.getByRole('region', { name: 'Allowed origins (CORS)' })
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByText('Someone else has changed these origins').waitFor()
    await form.getByRole('button', { name: 'Take theirs' }).click()
    await form.getByRole('combobox').fill('https://shop.example.com')
    await page.keyboard.press('Enter')
    await form.getByRole('button', { name: 'Save' }).click()
    await told(page, 'Saved. Takes effect within seconds.')
    const { frontendApiOrigins } = await ui.call<{ frontendApiOrigins: string[] }>('GET', '/api/admin/ui-config')
    expect(frontendApiOrigins).toContain('https://shop.example.com')
    expect(frontendApiOrigins).toContain('https://theirs.example.com')
    // the stored request header for Prometheus is never displayed, and remains stored if the page is saved without a
    // new one
    const source = page.getByRole('region', { name: 'Prometheus' })
    await source.getByLabel('URL').fill('https://prometheus.example.com')
    await source.getByRole('textbox', { name: 'Authorization header' }).fill('Bearer secret')
    await source.getByRole('button', { name: 'Save' }).click()
    await told(page, 'Prometheus settings saved')
    await source.getByText('A header is stored.').waitFor()
    const stored = '/api/admin/impact-metrics/prometheus'
    const masked = { url: 'https://prometheus.example.com', authorization: '*****' }
    expect(await ui.call('GET', stored)).toEqual(masked)
    await source.getByLabel('URL').fill('https://prometheus.example.com/metrics')
    await source.getByRole('button', { name: 'Save' }).click()
    // the message of the first save may still be visible
    await expect.poll(() => ui.call('GET', stored)).toEqual({ ...masked, url: `${masked.url}/metrics` })
    await source.getByLabel('URL').fill('prometheus')
    await source.getByRole('button', { name: 'Save' }).click()
    await source.getByText('"url" must be an HTTP address').waitFor()
    await source.getByLabel('URL').fill('')
    await source.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => ui.call('GET', stored)).toEqual({ url: '', authorization: '' })
    const docs = await page.getByRole('link', { name: 'API documentation' }).getAttribute('href')
    expect((await fetch(new URL(docs ?? '', ui.url))).status).toBe(200)
    await go('/applications')
    await row(/^old-chekcout front-door \(development\)/).waitFor()
    await page.getByRole('link', { name: 'front-door' }).click()
    await page.getByText('Uses “old-chekcout” in development').waitFor()
    await row(/development.*burgee-proxy/)
      .first()
      .waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Create flag' }).click()
    expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('old-chekcout')
    await page.keyboard.press('Escape')
  })

  test('brings in flags of a file: what would come, then just that, proven', async () => {
    const { host, protocol } = new URL(ui.url)
    await go('/import')
    await page.getByLabel('URL').fill('unleash')
    await page.getByLabel('Admin token of that server').fill('x')
    await page.getByRole('button', { name: 'Preview import' }).click()
    await page.getByText('Fix the highlighted fields.').waitFor()
    await page.getByLabel('URL').fill(`${protocol}//${host}`)
    await page.getByRole('button', { name: 'Preview import' }).click()
    await main().getByRole('alert').getByText('private, loopback or link-local').waitFor({ state: 'attached' })

    await choose(page, 'Source', 'flagd: file')
    const one = { state: 'ENABLED', variants: { on: true, off: false }, defaultVariant: 'on' }
    const odd = { ...one, targeting: { if: [{ '+': [1, 2] }, 'on', 'off'] } }
    const buffer = Buffer.from(JSON.stringify({ flags: { 'from-flagd': one, odd } }))
    const file = { name: 'flags.json', mimeType: 'application/json', buffer }
    await page.getByLabel('File').setInputFiles(file)
    // switching the kind clears the file and the token
    await choose(page, 'Source', 'LaunchDarkly: file')
    const files = (field: HTMLElement) => (field as HTMLInputElement).files?.length
    expect(await page.getByLabel('File').evaluate(files)).toBe(0)
    await choose(page, 'Source', 'Unleash server')
    expect(await page.getByLabel('Admin token of that server').inputValue()).toBe('')
    await choose(page, 'Source', 'flagd: file')
    await page.getByLabel('File').setInputFiles(file)
    await choose(page, 'Environment', 'development')
    await page.getByRole('button', { name: 'Preview import' }).click()
    await row(/^Flags 2 2 0/).waitFor()
    await page
      .getByRole('region', { name: /^Not imported/ })
      .getByText('odd in development')
      .waitFor()
    expect(await flagNames()).not.toContain('from-flagd')
    const running = Promise.withResolvers<void>()
    await page.route('**/api/admin/imports', async (route) => {
      await running.promise
      await route.continue()
    })
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByRole('navigation').getByRole('link', { name: 'Environments' }).click()
    const question = page.getByRole('dialog', { name: 'Leave while it is running?' })
    await question.getByRole('button', { name: 'Stay' }).click()
    running.resolve()
    await page.getByRole('status').getByText('2 flags × 1,000 contexts × 1 environments').waitFor()
    expect(await flagNames()).toContain('from-flagd')
    await page.getByRole('button', { name: 'Choose another source' }).click()
    await page.getByLabel('URL').waitFor()
  })

  test('creates a personal token, which works until it is revoked', async () => {
    await page.getByRole('button', { name: /Account/ }).click()
    await page.getByRole('menuitem', { name: 'Profile and settings' }).click()
    await page.getByRole('button', { name: 'Change name' }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Ada Minister')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await told(page, 'Your name is now Ada Minister')
    await page.getByRole('button', { name: 'Account: Ada Minister' }).waitFor()
    await page.getByRole('button', { name: 'Create personal token' }).click()
    await page.getByLabel('Purpose').fill('script')
    await page.getByRole('dialog').getByRole('button', { name: 'Create personal token' }).click()
    const mine = (await page.getByRole('group', { name: 'Token' }).textContent()) ?? ''
    // the copy button covers no part of the token, and the whole token is visible
    const ends = await page.getByRole('group', { name: 'Token' }).evaluate((box) => {
      const range = document.createRange()
      range.selectNodeContents(box)
      const text = range.getBoundingClientRect().right
      return { text, button: box.parentElement?.querySelector('button')?.getBoundingClientRect().left ?? 0 }
    })
    expect(ends.text).toBeLessThan(ends.button)
    await page.getByRole('button', { name: 'Done' }).click()
    const who = () => callAs<{ user: { username: string } }>(mine, 'GET', `${ui.url}/api/admin/user`)
    expect((await who()).user.username).toBe('admin')
    await page.getByRole('button', { name: 'Revoke script' }).click()
    await answer(page, 'Revoke')
    await told(page, 'Revoked token script')
    await expect(who()).rejects.toThrow('401')
  })

  test('chooses theme, contrast and language, which stay chosen, and logs out everywhere', async () => {
    const html = page.locator('html')
    await main().getByText('Dark', { exact: true }).click()
    await flip(page.getByRole('switch', { name: 'High contrast' }))
    await choose(page, 'Language', 'Deutsch')
    await page.getByRole('heading', { name: 'Profil und Einstellungen' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Profil und Einstellungen' }).waitFor()
    expect(await html.getAttribute('data-mantine-color-scheme')).toBe('dark')
    expect(await html.getAttribute('data-contrast')).toBe('high')
    await choose(page, 'Sprache', 'English')
    const { page: elsewhere } = await openPage(browser)
    await logIn(elsewhere, ui.url, ADMIN)
    await page.getByRole('button', { name: 'Log out everywhere' }).click()
    await page.getByRole('button', { name: 'Log in' }).waitFor()
    await elsewhere.reload()
    await elsewhere.getByRole('button', { name: 'Log in' }).waitFor()
    await elsewhere.close()
    await enter(page, ADMIN.username, ADMIN.password)
    await page.getByRole('heading', { name: 'Flags', level: 1 }).waitFor()
  })

  test('sees successful and failed logins', async () => {
    const { page: stranger } = await openPage(browser)
    await enter(stranger, 'ina', 'not the password')
    await stranger.getByText('Wrong username or password.').waitFor()
    await stranger.close()
    await go('/users')
    await page.getByRole('link', { name: 'Logins' }).click()
    await row(/^admin .*Password.*logged in/)
      .first()
      .waitFor()
    await page.getByRole('textbox', { name: 'Search accounts and addresses' }).fill('ina')
    await page.getByRole('combobox', { name: 'Which' }).selectOption('Failed only')
    await row(/^ina@example\.com .*Password.*failed/).waitFor()
    expect(await row(/logged in/).count()).toBe(0)
    await page.getByRole('textbox', { name: 'Search accounts and addresses' }).fill('nobody at all')
    await page.getByText('No matching logins').waitFor()
  })

  test('deletes the user, who can no longer log in', async () => {
    await go('/users')
    await more('Ina Berg', 'Delete Ina Berg')
    await answer(page, 'Delete')
    await told(page, 'Deleted Ina Berg')
    await row(/Ina Berg/).waitFor({ state: 'hidden' })
    const { page: hers } = await openPage(browser)
    await enter(hers, 'ina', OWN_PASSWORD)
    await hers.getByText('Wrong username or password.').waitFor()
    await hers.close()
  })
})

/** Returns the link that is shown once. */
async function linkShown(page: Page): Promise<string> {
  const link = (await page.getByRole('group', { name: 'Link' }).textContent()) ?? ''
  await page.getByRole('button', { name: 'Done' }).click()
  return link
}

/** Opens a link and sets a password with it. Stops at the login page. */
async function followLink(link: string, password: string): Promise<{ page: Page; complaints: Complaints }> {
  const opened = await openPage(browser)
  await opened.page.goto(link)
  await opened.page.getByText('You log in as tom@example.com.').waitFor()
  await opened.page.getByRole('textbox', { name: 'New password', exact: true }).fill(password)
  await opened.page.getByLabel('Repeat new password').fill(password)
  await opened.page.getByRole('button', { name: 'Save password' }).click()
  await told(opened.page, 'Password set.')
  await opened.page.getByRole('button', { name: 'Log in' }).waitFor()
  return opened
}

async function enter(page: Page, username: string, password: string): Promise<void> {
  await page.goto(`${ui.url}/projects/default`)
  await page.getByLabel('Username or e-mail').fill(username)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Log in' }).click()
}

describe('a viewer', () => {
  let page: Page
  let complaints: Complaints
  const refused: string[] = []

  beforeAll(async () => {
    await ui.call('POST', FLAGS, { name: 'put-away' })
    await ui.call('DELETE', `${FLAGS}/put-away`)
    ;({ page, complaints } = await openPage(browser))
    page.on('response', (reply) => {
      if (reply.status() === 403) refused.push(new URL(reply.url()).pathname)
    })
    await logIn(page, ui.url, VIEWER)
  })
  afterAll(async () => {
    expect(complaints).toEqual([])
    await page.close()
  })

  test.each([
    { path: '/projects', shows: 'Default project', buttons: 2 },
    { path: '/projects?edit=new', shows: 'Default project', buttons: 2 },
    { path: '/projects/default/settings', shows: 'You can view these settings', buttons: 0 },
    { path: '/projects/default/settings?tab=environments', shows: 'In use', buttons: 0 },
    { path: '/environments', shows: 'Flags on', buttons: 0 },
    { path: '/environments?edit=development', shows: 'Flags on', buttons: 0 },
    { path: '/archive', shows: 'put-away', buttons: 0 },
    { path: '/instance', shows: 'Contents', buttons: 0 },
    { path: '/profile', shows: 'No personal tokens', buttons: 5 },
  ])('reads $path and is offered nothing that would be refused', async ({ path, shows, buttons }) => {
    await visit(page, `${ui.url}${path}`)
    await page.getByText(shows).first().waitFor()
    await expect.poll(() => page.getByRole('main').getByRole('button').count()).toBe(buttons)
    expect(await page.getByRole('main').getByRole('checkbox').count()).toBe(0)
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(refused).toEqual([])
  })

  test('stars a project', async () => {
    await visit(page, `${ui.url}/projects`)
    const star = page.getByRole('button', { name: 'Favorite: Default' })
    await star.click()
    await expect.poll(() => star.getAttribute('aria-pressed')).toBe('true')
    expect(refused).toEqual([])
  })

  test.each(['/users', '/users?edit=new', '/import', '/projects/default/settings?tab=members&edit=new'])(
    'sees at %s that the permission is missing',
    async (path) => {
      await visit(page, `${ui.url}${path}`)
      await page.getByText('You do not have access to this page').waitFor()
      expect(await page.getByRole('main').getByRole('button').count()).toBe(0)
      expect(await page.getByRole('dialog').count()).toBe(0)
    },
  )

  test('can edit members with that permission alone, and sees roles if permitted', async () => {
    const permissions = [{ name: 'PROJECT_USER_ACCESS_WRITE' }]
    const make = async (body: object) =>
      (await ui.call<{ roles: { id: number } }>('POST', '/api/admin/roles', body)).roles
    const door = await make({ name: 'Doorkeeper', permissions })
    const sees = await make({ name: 'Auditor', type: 'root-custom', permissions: [{ name: 'READ_ROLE' }] })
    const { id } = await ui.call<{ id: number }>('POST', '/api/admin/user-admin', {
      username: 'door',
      password: VIEWER.password,
      rootRole: sees.id,
    })
    await ui.call('POST', '/api/admin/projects/default/access', { roles: [door.id], users: [id] })
    const { page: theirs } = await openPage(browser)
    await logIn(theirs, ui.url, { username: 'door', password: VIEWER.password })
    await visit(theirs, `${ui.url}/projects/default/settings?tab=members`)
    await theirs.getByRole('combobox', { name: 'Roles of door' }).waitFor()
    await theirs.getByRole('button', { name: 'Add members' }).waitFor()
    // this is the only page about access that the user may open
    await theirs.getByRole('link', { name: 'Settings', exact: true }).click()
    await theirs.getByRole('link', { name: 'Roles' }).click()
    await theirs.getByRole('row', { name: /Auditor.*Global/ }).waitFor()
    expect(await theirs.getByRole('link', { name: 'Users' }).count()).toBe(0)
    await theirs.keyboard.press('Control+k')
    await theirs.getByPlaceholder(/Find a flag, a page/).fill('permissions')
    await theirs.getByRole('option', { name: 'Roles' }).waitFor()
    await theirs.close()
  })

  test('can revive flags of a project as its member, and nothing in other projects', async () => {
    const { users } = await ui.call<{ users: { id: number; username?: string }[] }>('GET', '/api/admin/user-admin')
    const id = users.find(({ username }) => username === VIEWER.username)?.id
    await ui.call('POST', '/api/admin/projects', { id: 'hers', name: 'Hers' })
    await ui.call('POST', '/api/admin/projects/hers/access', { roles: [5], users: [id] })
    await ui.call('POST', '/api/admin/projects/hers/features', { name: 'her-flag' })
    await ui.call('DELETE', '/api/admin/projects/hers/features/her-flag')
    await page.goto(`${ui.url}/archive`)
    await page.getByRole('button', { name: 'Restore her-flag' }).waitFor()
    expect(await page.getByRole('button', { name: 'Restore put-away' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Restore her-flag' }).click()
    await told(page, 'Restored her-flag')
  })
})

test.each([
  { path: '/users', api: '**/api/admin/user-admin' },
  { path: '/projects', api: '**/api/admin/projects' },
  { path: '/projects/default/settings', api: '**/api/admin/projects/default/overview' },
  { path: '/environments', api: '**/api/admin/environments' },
  { path: '/archive', api: '**/api/admin/search/features?*' },
  { path: '/instance', api: '**/api/admin/instance-admin/statistics' },
])('$path shows that it loads, then what went wrong, and tries again', async ({ path, api }) => {
  const { page } = await openPage(browser)
  // the event stream would cause the retry by itself
  await page.route('**/api/admin/event-stream', (route) => route.abort())
  await beginSession(page, ui.url, ADMIN)
  let isLetThrough = false
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(api, async (route) => {
    if (isLetThrough) return route.continue()
    await held
    return route.fulfill({ status: 500, json: { name: 'InternalError', message: 'The disk is full.' } })
  })
  await page.goto(`${ui.url}${path}`)
  await page.getByRole('main').getByRole('status', { name: 'Loading' }).first().waitFor()
  // code that runs when the page is idle needs the same data: it waits for this reply and sends no second request
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(() => setTimeout(resolve, 200))))
  release()
  await page.getByRole('alert').filter({ hasText: 'Server error.' }).waitFor()
  isLetThrough = true
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('Server error.').waitFor({ state: 'hidden' })
  await page.close()
})
