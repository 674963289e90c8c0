import { readFile } from 'node:fs/promises'
import type { Browser, Download, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Receiver, startReceiver } from '../../http/integrations/receiver.ts'
import { withBrowser } from '../../support/browser-hooks.ts'
import { until } from '../../support/wait.ts'
import { addFilter, type Complaints, flip, logIn, openPage, told } from '../support/ui-page.ts'
import { ADMIN, FLAGS, startUi, type UiServer, VIEWER } from '../support/ui-server.ts'
import { visit } from '../support/visit.ts'

/** Export and import of flag documents; integrations and invite links. */
const ADDONS = '/api/admin/addons'
const ENVIRONMENTS = '**/api/admin/environments/project/default'

let ui: UiServer
let browser: Browser
let receiver: Receiver
let page: Page
let complaints: Complaints

withBrowser(
  () => startUi({ INTEGRATION_ALLOW_PRIVATE_ADDRESSES: 'true' }),
  async (...started) => {
    ;[browser, ui] = started
    await ui.call('POST', '/api/admin/user-admin', { ...VIEWER, rootRole: 3 })
    await ui.call('POST', FLAGS, { name: 'checkout' })
  },
)
beforeAll(async () => {
  receiver = await startReceiver()
  ;({ page, complaints } = await openPage(browser))
  await logIn(page, ui.url, ADMIN)
})
afterAll(async () => {
  await receiver.close()
  expect(complaints).toEqual([])
})

const go = (path: string) => visit(page, `${ui.url}${path}`)
const row = (name: string | RegExp) => page.getByRole('row', { name })
const answer = (action: string) => page.getByRole('dialog').getByRole('button', { name: action }).click()

describe('integrations', () => {
  const panel = () => page.getByRole('dialog', { name: 'Create integration' })
  const editor = () => page.getByRole('dialog', { name: 'Edit integration' })
  const stored = async () =>
    (await ui.call<{ addons: { id: number; enabled: boolean; events: string[] }[] }>('GET', ADDONS)).addons

  test('can be created by keyboard alone; errors appear at their fields', async () => {
    await page.getByRole('link', { name: 'Settings', exact: true }).press('Enter')
    await page.getByRole('navigation').getByRole('link', { name: 'Integrations' }).press('Enter')
    await page.getByText('No integrations yet').waitFor()
    await page.getByRole('button', { name: 'Create integration' }).first().press('Enter')
    await panel().getByLabel('Description').fill('Release bot')
    await panel().getByRole('button', { name: 'Save' }).press('Enter')
    await panel().getByText('This is required.').waitFor()
    await panel().getByText('Choose at least one event.').waitFor()
    const address = panel().getByRole('textbox', { name: 'URL' })
    await address.fill('localhost:4699/hook')
    await panel().getByRole('checkbox', { name: 'Flags', exact: true }).press('Space')
    await panel().getByRole('button', { name: 'Save' }).press('Enter')
    await panel().getByText('The URL must begin with https:// or http://.').waitFor()
    // the field with the error is far above the button that was pressed
    await address.and(page.locator(':focus')).waitFor()
    await address.fill(`${receiver.url}/hook`)
    await panel().getByLabel('Extra headers').fill('no JSON')
    await panel().getByLabel('Message template').fill('{{#event}}')
    await panel().getByRole('button', { name: 'Save' }).press('Enter')
    await panel().getByText('Write headers as').waitFor()
    await panel().getByLabel('Extra headers').fill('{"X-Team": "payments"}')
    await panel().getByRole('button', { name: 'Save' }).press('Enter')
    await panel().getByText('Invalid template: Unclosed section').waitFor()
    await panel().getByLabel('Message template').fill('')
    await panel().getByLabel('Signing secret').fill('a secret to keep')
    await panel()
      .getByText(/^0 of \d+$/)
      .first()
      .waitFor()
    await panel().getByRole('button', { name: 'Save' }).press('Enter')
    await told(page, 'Created Release bot')
    await row(/Release bot.*event types, all public projects.*none yet/).waitFor()
  })

  test('exclude private projects unless chosen, as stated at their creation and when a project becomes private', async () => {
    await page.getByRole('button', { name: 'Create integration' }).first().click()
    await panel().getByText('None selected: all public projects. Select private projects to include them.').waitFor()
    await page.keyboard.press('Escape')
    await ui.call('POST', '/api/admin/projects', { id: 'secret', name: 'Secret' })
    await go('/projects/secret/settings')
    const note = page.getByText('Integrations that stop receiving its events: Release bot')
    await page.getByRole('radio', { name: 'Private' }).check()
    await note.waitFor()
    await page.getByRole('radio', { name: 'Protected' }).check()
    await note.waitFor({ state: 'detached' })
    await page.getByRole('radio', { name: 'Open' }).check()
    await go('/integrations')
  })

  test('can be tested and show the reply; deliveries appear in the log with their replies', async () => {
    await page.getByRole('button', { name: 'More: Release bot' }).click()
    await page.getByRole('menuitem', { name: 'Send test event' }).click()
    const outcome = page.getByRole('dialog', { name: 'Test: Release bot' })
    await outcome.getByText('Delivered').waitFor()
    await outcome.getByText('Status 200').waitFor()
    expect(receiver.received[0]?.headers).toMatchObject({ 'x-team': 'payments' })
    await page.keyboard.press('Escape')
    await row(/Release bot.*Delivered/).waitFor()
    receiver.answer = (response) => void response.writeHead(503).end()
    await ui.call('POST', FLAGS, { name: 'told-of' })
    await until(() => receiver.received.length === 2)
    await page.getByRole('button', { name: 'Deliveries to Release bot' }).click()
    const log = page.getByRole('dialog', { name: 'Deliveries: Release bot' })
    await log.getByRole('row', { name: /Flag created told-of.*Failed.*Status 503.*Next attempt/ }).waitFor()
    await log.getByRole('row', { name: /Test.*Delivered Status 200/ }).waitFor()
    await page.keyboard.press('Escape')
    receiver.answer = (response) => void response.end()
  })

  test('keep their secrets when something else is changed, and show conflicting edits', async () => {
    const [{ id } = { id: 0 }] = await stored()
    await page.getByRole('button', { name: 'Edit Release bot' }).click()
    expect(await editor().getByRole('textbox', { name: 'Signing secret' }).inputValue()).toBe('')
    expect(await editor().getByRole('textbox', { name: 'Signing secret' }).getAttribute('placeholder')).toBe(
      'Stored; type to replace',
    )
    const now = await ui.call<object>('GET', `${ADDONS}/${id}`)
    await ui.call('PUT', `${ADDONS}/${id}`, { ...now, projects: ['default'] })
    await editor().getByText('Flags', { exact: true }).waitFor()
    await editor()
      .getByRole('checkbox', { name: /^Change requests/ })
      .click()
    await editor().getByRole('button', { name: 'Save' }).click()
    await editor().getByText('Someone else has changed this integration').waitFor()
    await editor().getByRole('button', { name: 'Take theirs' }).click()
    await editor()
      .getByLabel(/^Flags in environments.*: 0 of/)
      .click()
    await editor().getByRole('checkbox', { name: 'Flag turned on' }).click()
    await editor().getByRole('button', { name: 'Save' }).click()
    await told(page, 'Release bot: Saved')
    expect((await stored())[0]).toMatchObject({
      projects: ['default'],
      events: expect.arrayContaining(['feature-created', 'feature-environment-enabled']),
      parameters: { signingSecret: '*****', customHeaders: '*****', url: '*****' },
    })
    await editor().waitFor({ state: 'hidden' })
    const before = receiver.received.length
    await ui.call('POST', `${FLAGS}/checkout/environments/development/on`)
    // the earlier delivery is being retried at the same time
    await until(() => receiver.received.slice(before).some(({ body }) => body.includes('feature-environment-enabled')))
    expect(receiver.received.at(-1)?.headers['x-burgee-signature']).toMatch(/^t=\d+,v1=/)
  })

  test('can be turned off with undo, and deleted after a question; a viewer can only read', async () => {
    await flip(page.getByRole('switch', { name: 'Release bot is on' }))
    await told(page, 'Turned off Release bot')
    expect((await stored())[0]?.enabled).toBe(false)
    await page.getByRole('alert').getByRole('button', { name: 'Undo' }).click()
    await told(page, 'Turned on Release bot')
    const { page: theirs, complaints: theirsToo } = await openPage(browser, { viewport: { width: 390, height: 800 } })
    await logIn(theirs, ui.url, VIEWER)
    await visit(theirs, `${ui.url}/integrations`)
    await theirs.getByRole('row', { name: /Release bot/ }).waitFor()
    expect(await theirs.getByRole('button', { name: /Create|Edit|More: / }).count()).toBe(0)
    expect(await theirs.getByRole('switch').count()).toBe(0)
    await theirs.getByRole('button', { name: 'Deliveries to Release bot' }).click()
    await theirs.getByText('Flag created').first().waitFor()
    expect(await theirs.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
    expect(theirsToo).toEqual([])
    await theirs.context().close()
    await page.getByRole('button', { name: 'More: Release bot' }).click()
    await page.getByRole('menuitem', { name: 'Delete Release bot' }).click()
    await answer('Delete')
    await told(page, 'Deleted Release bot')
    expect(await stored()).toEqual([])
  })
})

test('an integration of a private project shows others that it is one, and they cannot change it', async () => {
  const erin = { username: 'erin', password: 'four words of Erin' }
  await ui.call('POST', '/api/admin/user-admin', { ...erin, rootRole: 2 })
  await ui.call('POST', '/api/admin/projects', { id: 'vault', name: 'Vault', mode: 'private' })
  const parameters = { url: `${receiver.url}/vault` }
  const hook = { provider: 'webhook', enabled: true, description: 'Vault bot', parameters, events: ['feature-created'] }
  const { id } = await ui.call<{ id: number }>('POST', ADDONS, { ...hook, projects: ['vault'] })
  const { page: hers } = await openPage(browser)
  await logIn(hers, ui.url, erin)
  await visit(hers, `${ui.url}/integrations`)
  await hers.getByRole('row', { name: /Vault bot.*only 1 private project you cannot see/ }).waitFor()
  await hers.getByRole('button', { name: 'Create integration' }).first().waitFor()
  expect(await hers.getByRole('button', { name: /^(Edit|More)/ }).count()).toBe(0)
  expect(await hers.getByRole('switch').count()).toBe(0)
  await visit(hers, `${ui.url}/integrations?edit=${id}`)
  await hers.getByRole('dialog').getByText('1 private project you cannot see').waitFor()
  await hers.context().close()
  await ui.call('DELETE', `${ADDONS}/${id}`)
})

describe('invite links', () => {
  test('can be created, copied from the list, used to sign up, and turned off', async () => {
    await go('/users')
    await page.getByRole('link', { name: 'Invite links' }).press('Enter')
    await page.getByRole('button', { name: 'Create invite link' }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Purpose').fill('Payments team')
    await dialog.getByRole('combobox', { name: 'Member of projects' }).click()
    await page.getByRole('option', { name: 'Default', exact: true }).click()
    await page.keyboard.press('Escape')
    await dialog.getByRole('combobox', { name: 'Role in these projects' }).waitFor()
    await dialog.getByRole('button', { name: 'Create invite link' }).click()
    const link = (await page.getByRole('group', { name: 'Link' }).textContent()) ?? ''
    expect(link).toMatch(/\/new-user\?invite=\w{32}$/)
    await answer('Done')
    const { page: hers } = await openPage(browser)
    await hers.goto(link)
    await hers.getByLabel('E-mail address (your login)').fill('nora@example.com')
    await hers.getByLabel('Name', { exact: true }).fill('Nora Vik')
    await hers.getByRole('textbox', { name: 'New password', exact: true }).fill('four words of Nora')
    await hers.getByLabel('Repeat new password').fill('four words of Nora')
    await hers.getByRole('button', { name: 'Create account' }).click()
    await hers.getByRole('heading', { name: 'Log in to Burgee' }).waitFor()
    // the list has been updated
    await row(/Payments team.*Viewer.*Default · Member.*Nora Vik/).waitFor()
    const { users } = await ui.call<{ users: object[] }>('GET', '/api/admin/projects/default/access')
    expect(users).toContainEqual(expect.objectContaining({ email: 'nora@example.com', roles: [5] }))
    await page.getByRole('button', { name: 'Copy link: Payments team' }).waitFor()
    await flip(page.getByRole('switch', { name: 'Payments team is active' }))
    await told(page, 'Turned off Payments team')
    await hers.goto(link)
    await hers.getByText('This invitation is no longer valid').waitFor()
    await hers.context().close()
  })
})

describe('documents of flags', () => {
  const settings = '/projects/default/settings?tab=transfer'
  const section = () => page.getByRole('region', { name: 'Import flags' })
  const paste = async (document: unknown): Promise<void> => {
    await section().getByLabel('Or paste its contents').fill(JSON.stringify(document))
    await section().getByRole('button', { name: 'Preview import' }).click()
  }
  let exported: { features: { name: string }[] } = { features: [] }

  test('go out: selected flags from the list, or those with a tag', async () => {
    await ui.call('POST', '/api/admin/features/checkout/tags', { type: 'simple', value: 'money' })
    await go('/projects/default')
    await page.getByRole('checkbox', { name: 'Select told-of' }).click()
    // pressed before the project's environments have loaded, so it must wait for them
    await page.route(ENVIRONMENTS, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 700))
      await route.continue()
    })
    await page.getByRole('toolbar').getByRole('button', { name: 'Export' }).click()
    const [selected] = await Promise.all([page.waitForEvent('download'), answer('Export')])
    await page.unroute(ENVIRONMENTS)
    expect(selected.suggestedFilename()).toBe('flags-default-development.json')
    await told(page, 'Exported 1 flag')
    await go(settings)
    await page.getByRole('radio', { name: 'Flags with a tag' }).check()
    await page.getByRole('textbox', { name: 'Tag' }).fill('simple:money')
    await page.getByRole('checkbox', { name: 'For an Unleash server' }).check()
    const [tagged] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export', exact: true }).click(),
    ])
    const [first, second] = await Promise.all([selected, tagged].map(readDownload))
    expect(first?.features.map(({ name }) => name)).toEqual(['told-of'])
    expect(second?.features.map(({ name }) => name)).toEqual(['checkout'])
    exported = second ?? exported
  })

  test('show a preview in words before they are imported all or none; production asks first', async () => {
    await paste({ flags: [] })
    await section().getByText('This is not a file of exported flags.').waitFor()
    const events = async () => (await ui.call<{ total: number }>('GET', '/api/admin/search/events')).total
    const before = await events()
    const strategy = { name: 'unheard-of', featureName: 'checkout' }
    await paste({ ...exported, featureStrategies: [strategy] })
    await section().getByText('Strategy types that do not exist yet: unheard-of').waitFor()
    await section().getByText('Nothing was written.').waitFor()
    expect(await section().getByRole('button', { name: 'Import flags' }).count()).toBe(0)
    await section().getByRole('button', { name: 'Choose another file' }).click()
    const renamed = JSON.parse(JSON.stringify(exported).replaceAll('checkout', 'brought-in')) as typeof exported
    const buffer = Buffer.from(JSON.stringify(renamed))
    const json = { name: 'flags.json', mimeType: 'application/json' }
    await section()
      .getByLabel('File')
      .setInputFiles({ ...json, buffer: Buffer.from('{}') })
    await section().getByText('This is not a file of exported flags.').waitFor()
    await section()
      .getByLabel('File')
      .setInputFiles({ ...json, buffer })
    await section().getByText('Contains 1 flag.').waitFor()
    // the layout of a long text would take long
    expect(await section().getByLabel('Or paste its contents').count()).toBe(0)
    await section().getByRole('combobox', { name: 'Environment' }).click()
    await page.getByRole('option', { name: 'production' }).click()
    await section().getByRole('button', { name: 'Preview import' }).press('Enter')
    await section().getByText('No conflicts').waitFor()
    expect(await events()).toBe(before)
    await section().getByRole('button', { name: 'Import flags' }).press('Enter')
    const question = page.getByRole('dialog', { name: 'Import 1 flag into production?' })
    await question.getByRole('button', { name: 'Import flags' }).press('Enter')
    await section().getByText('Imported 1 flag').waitFor()
    await section().getByRole('link', { name: 'Flags' }).click()
    await page.getByRole('link', { name: 'brought-in' }).waitFor()
  })

  test('show who is in each segment here and in the file; missing ones are imported on request', async () => {
    await go(settings)
    const values = ['@acme.example', '@b.example', '@c.example', '@d.example', '@e.example']
    const staff = [{ contextName: 'email', operator: 'STR_ENDS_WITH', values }]
    const strategies = [1, 2].map((id) => ({ featureName: 'staff-only', name: 'default', segments: [id] }))
    await ui.call('POST', '/api/admin/segments', { name: 'insiders', constraints: [] })
    await paste({
      features: [{ name: 'staff-only' }],
      featureStrategies: strategies,
      tagTypes: [],
      featureEnvironments: [{ featureName: 'staff-only', enabled: true }],
      segments: [
        { id: 1, name: 'staff', constraints: staff },
        { id: 2, name: 'insiders', constraints: staff },
      ],
    })
    await section().getByText('Segments that do not exist yet: staff').waitFor()
    await section().getByText('which match all users: insiders').waitFor()
    await section().getByText('differ from the file, so flags match different users: insiders').waitFor()
    // all values are shown, because two lists may differ only in the last value
    await section()
      .getByText(`In the file: email ends with ${values.join(' or ')}`)
      .first()
      .waitFor()
    await section().getByText('Here: no segment of this name').waitFor()
    await section().getByText('1 of 1 will be on').waitFor()
    await section().getByText('Users in segment “insiders (matches all users)”').waitFor()
    expect(await section().getByRole('button', { name: 'Import flags' }).count()).toBe(0)
    await section().getByRole('link', { name: 'Segments' }).waitFor()
    const { segments } = await ui.call<{ segments: { id: number }[] }>('GET', '/api/admin/segments')
    await ui.call('PUT', `/api/admin/segments/${segments[0]?.id}`, { name: 'insiders', constraints: staff })
    await section().getByRole('button', { name: 'Check again' }).press('Enter')
    await section().getByText('which match all users').waitFor({ state: 'hidden' })
    await section().getByRole('checkbox', { name: 'Create missing segments from the file' }).press('Space')
    await section().getByText('Segments that are created from the file: staff').waitFor()
    await section().getByRole('button', { name: 'Import flags' }).press('Enter')
    await section().getByText('Imported 1 flag').waitFor()
    const made = await ui.call<{ segments: object[] }>('GET', '/api/admin/segments')
    expect(made.segments).toMatchObject([{ name: 'insiders' }, { name: 'staff', constraints: staff }])
    await section().getByRole('button', { name: 'Choose another file' }).click()
  })

  test('flags without an enabled strategy stay on for everyone, or are switched off on request', async () => {
    await go(settings)
    await paste({
      features: [{ name: 'unguarded' }],
      featureStrategies: [],
      tagTypes: [],
      featureEnvironments: [{ featureName: 'unguarded', enabled: true }],
    })
    await section().getByText('They stay on for all users: unguarded').waitFor()
    await section().getByText('1 of 1 will be on').waitFor()
    await section().getByRole('checkbox', { name: 'Turn off flags without an enabled strategy' }).press('Space')
    await section().getByText('They are turned off: unguarded').waitFor()
    await section().getByText('0 of 1 will be on').waitFor()
    await section().getByRole('button', { name: 'Import flags' }).press('Enter')
    await section().getByText('Imported 1 flag').waitFor()
    const { environments } = await ui.call<{ environments: { enabled: boolean }[] }>('GET', `${FLAGS}/unguarded`)
    expect(environments.map(({ enabled }) => enabled)).not.toContain(true)
    await section().getByRole('button', { name: 'Choose another file' }).click()
  })

  test('need a new preview if something changed in the meantime', async () => {
    await go(settings)
    const coming = JSON.parse(JSON.stringify(exported).replaceAll('checkout', 'in-between'))
    await paste(coming)
    await section().getByText('No conflicts').waitFor()
    await ui.call('POST', FLAGS, { name: 'in-between', description: 'somebody else’s' })
    await section().getByRole('button', { name: 'Import flags' }).click()
    await section().getByText('Something has changed since the preview').waitFor()
    await section().getByText('are replaced by the file: in-between').waitFor()
    const { description } = await ui.call<{ description: string }>('GET', `${FLAGS}/in-between`)
    expect(description).toBe('somebody else’s')
    await section().getByRole('button', { name: 'Import flags' }).click()
    await section().getByText('Imported 1 flag').waitFor()
    await section().getByRole('button', { name: 'Choose another file' }).click()
  })

  test('ask first for a guarded environment, and are refused to users who may not skip change requests', async () => {
    const config = '/api/admin/projects/default/environments/production/change-requests/config'
    const guard = (changeRequestsEnabled: boolean) =>
      page.request.put(`${ui.url}${config}`, {
        data: { changeRequestsEnabled, requiredApprovals: 1 },
        headers: { origin: ui.url },
      })
    expect((await guard(true)).ok()).toBe(true)
    const edith = { username: 'edith', password: 'four words of Edith' }
    await ui.call('POST', '/api/admin/user-admin', { ...edith, rootRole: 2 })
    const { page: theirs } = await openPage(browser)
    await logIn(theirs, ui.url, edith)
    const reach = async (whose: Page): Promise<void> => {
      await visit(whose, `${ui.url}${settings}`)
      const form = whose.getByRole('region', { name: 'Import flags' })
      await form.getByLabel('Or paste its contents').fill(JSON.stringify(exported))
      await form.getByRole('combobox', { name: 'Environment' }).click()
      await whose.getByRole('option', { name: 'production' }).click()
      await form.getByRole('button', { name: 'Preview import' }).click()
      await form.getByText('Imports bypass approval, so you need the right to bypass it.').waitFor()
      await form.getByRole('button', { name: 'Import flags' }).click()
    }
    await reach(page)
    await page.getByRole('dialog').getByText('This goes live in production without review').waitFor()
    await answer('Cancel')
    await reach(theirs)
    await told(theirs, 'Failed: Import flags')
    expect(await theirs.getByRole('dialog').count()).toBe(0)
    await theirs.context().close()
    expect((await guard(false)).ok()).toBe(true)
  })

  test('name missing permissions, and are not offered to a viewer', async () => {
    const rights = ['UPDATE_FEATURE', 'CREATE_FEATURE'].map((name) => ({ name }))
    const { roles: role } = await ui.call<{ roles: { id: number } }>('POST', '/api/admin/roles', {
      name: 'Names',
      description: '',
      type: 'custom',
      permissions: rights,
    })
    const { users } = await ui.call<{ users: { id: number; username?: string }[] }>('GET', '/api/admin/user-admin')
    const viewer = users.find(({ username }) => username === VIEWER.username)?.id
    const { page: theirs } = await openPage(browser)
    await logIn(theirs, ui.url, VIEWER)
    await visit(theirs, `${ui.url}${settings}`)
    await theirs.getByRole('region', { name: 'Export flags' }).waitFor()
    expect(await theirs.getByRole('region', { name: 'Import flags' }).count()).toBe(0)
    await ui.call('POST', '/api/admin/projects/default/access', { roles: [role.id], users: [viewer] })
    const form = theirs.getByRole('region', { name: 'Import flags' })
    await form.getByLabel('Or paste its contents').fill(JSON.stringify(exported))
    await form.getByRole('button', { name: 'Preview import' }).click()
    await form.getByText('You don’t have permission to do this').waitFor()
    await form.getByText('Turn flags on and off').waitFor()
    await form.getByText('Existing flags that are replaced by the file: checkout').waitFor()
    await theirs.context().close()
  })
})

describe('further facts of the server', () => {
  test('the lifecycle stage of a flag: shown on its page, changed by its menu, and a filter of the list', async () => {
    await go('/projects/default/features/checkout')
    await page.getByRole('button', { name: /^New, / }).press('Enter')
    await page.getByText('Not live yet. SDKs may request it already while it is off.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Mark as completed' }).click()
    await page.getByRole('radio', { name: 'The previous behavior' }).check()
    await answer('Mark as completed')
    await told(page, 'Marked checkout as completed')
    await page.getByRole('button', { name: /^Completed, / }).click()
    await page.getByText('The code drops the feature.').waitFor()
    await page.keyboard.press('Escape')
    await go('/projects/default')
    await page.getByRole('link', { name: 'told-of' }).waitFor()
    await addFilter(page, 'Stage')
    await page.getByRole('combobox', { name: 'Stage' }).selectOption('Completed')
    await page.getByRole('link', { name: 'told-of' }).waitFor({ state: 'hidden' })
    await page.getByRole('link', { name: 'checkout' }).click()
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Mark as not completed' }).click()
    await told(page, 'Marked checkout as not completed')
    await page.getByRole('button', { name: /^New, / }).waitFor()
  })

  test('the retention periods appear with their options', async () => {
    await go('/instance')
    await row(/^History 730 days .* EVENT_RETENTION_DAYS$/).waitFor()
    await row(/LOGIN_RETENTION_DAYS$/).waitFor()
  })
})

async function readDownload(download: Download): Promise<{ features: { name: string }[] }> {
  return JSON.parse(await readFile(await download.path(), 'utf8'))
}
