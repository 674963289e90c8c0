import { findFreePort } from '@burgee/kit/free-port'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CLIENT, startProvider } from '../http/sso/provider.ts'
import { withBrowser } from '../support/browser-hooks.ts'
import { beginSession, type Complaints, flip, logIn, openPage, speak, told } from './support/ui-page.ts'
import { ADMIN, FLAGS, startUi, type UiServer } from './support/ui-server.ts'
import { visit } from './support/visit.ts'

const MARIA = { username: 'maria', password: 'another-horse-battery' }
const STAFF = { name: 'userWithId', parameters: { userIds: '7' } }
const PRODUCTION = `${FLAGS}/checkout/environments/production`

let ui: UiServer
let browser: Browser
let page: Page
let hers: Page
let complaints: Complaints

// the provider redirects users to the configured port
withBrowser(
  async () => startUi({ HTTP_PORT: String(await findFreePort()) }),
  async (...started) => {
    ;[browser, ui] = started
    await ui.call('POST', FLAGS, { name: 'checkout' })
    await ui.call('POST', `${PRODUCTION}/strategies`, { name: 'flexibleRollout', parameters: { rollout: '25' } })
    await ui.call('POST', `${PRODUCTION}/on`)
    const maria = await ui.call<{ id: number }>('POST', '/api/admin/user-admin', { ...MARIA, rootRole: 3 })
    await ui.call('POST', '/api/admin/projects/default/access', { roles: [4], users: [maria.id] })
  },
)
beforeAll(async () => {
  ;({ page, complaints } = await openPage(browser))
  ;({ page: hers } = await openPage(browser))
  await logIn(page, ui.url, ADMIN)
  await logIn(hers, ui.url, MARIA)
})
// the browser also logs the rejections by maintenance mode and the single sign-on check
afterAll(() => expect(complaints.filter((one) => !/status of (503|400)/.test(one))).toEqual([]))

const go = (path: string) => visit(page, `${ui.url}${path}`)
const answer = (action: string) => page.getByRole('dialog').getByRole('button', { name: action }).click()
const state = () => ui.call<{ enabled: boolean; strategies: { parameters: object }[] }>('GET', PRODUCTION)

describe('production of a team', () => {
  test('asks before a save that real users get, and takes it back', async () => {
    await go('/projects/default/features/checkout')
    const column = page.getByRole('region', { name: 'production' })
    await column.getByRole('button', { name: 'Edit', exact: true }).click()
    const editor = page.getByRole('dialog', { name: 'Strategy in production' })
    await editor.getByRole('slider').press('End')
    await editor.getByRole('button', { name: 'Save' }).click()
    const question = page.getByRole('dialog', { name: 'Save checkout in production?' })
    await question.getByText('Goes live within seconds').waitFor()
    await question.getByRole('listitem').getByText('All users').waitFor()
    await question.getByText('25% → 100%: adds 75%; no one loses it.').waitFor()
    await question.getByRole('button', { name: 'Cancel' }).click()
    expect((await state()).strategies).toMatchObject([{ parameters: { rollout: '25' } }])
    await editor.getByRole('button', { name: 'Save' }).click()
    await question.getByRole('button', { name: 'Save' }).click()
    await told(page, 'Strategy saved')
    expect((await state()).strategies).toMatchObject([{ parameters: { rollout: '100' } }])
    await page.getByRole('alert').getByRole('button', { name: 'Undo' }).click()
    await told(page, 'Change undone')
    expect((await state()).strategies).toMatchObject([{ parameters: { rollout: '25' } }])
  })

  test('says who gets a flag before it is on for them', async () => {
    await ui.call('POST', FLAGS, { name: 'bare' })
    await ui.call('POST', `${FLAGS}/checkout/dependencies`, { feature: 'bare' })
    await go('/projects/default')
    const toggle = page.getByRole('switch', { name: 'bare in production' })
    await flip(toggle)
    const question = page.getByRole('dialog', { name: 'Turn bare on for 100% of users in production?' })
    await question.getByText('No strategy is enabled, so the project’s default one is added.').waitFor()
    await question.getByText('Not evaluated here yet · Required by checkout').waitFor()
    await question.getByRole('button', { name: 'Edit strategy first' }).click()
    const editor = page.getByRole('dialog', { name: 'New strategy in production' })
    await editor.waitFor()
    await page.keyboard.press('Escape')
    await editor.waitFor({ state: 'hidden' })
    await ui.call('POST', `${FLAGS}/bare/environments/production/strategies`, { ...STAFF, disabled: true })
    await ui.call('POST', `${FLAGS}/bare/environments/production/strategies`, STAFF)
    await flip(toggle)
    const narrow = page.getByRole('dialog', { name: 'Turn bare on for users 7 in production?' })
    await narrow.getByRole('listitem').getByText('Users 7').waitFor()
    await narrow.getByRole('button', { name: 'Turn on' }).click()
    await told(page, 'bare is on in production')
    await ui.call('DELETE', `${FLAGS}/checkout/dependencies`)
    await ui.call('DELETE', `${FLAGS}/bare`)
  })

  test('can be set to accept changes by change request only', async () => {
    await go('/projects/default/settings?tab=environments')
    await flip(page.getByRole('switch', { name: 'Change requests in production' }))
    await told(page, 'Changes to production now need approval')
    expect(await ui.call('GET', '/api/admin/projects/default/change-requests/config')).toMatchObject([
      { environment: 'development', changeRequestEnabled: false },
      { environment: 'production', changeRequestEnabled: true, requiredApprovals: 1 },
    ])
  })

  test('a switch and a save go into a draft, and change nothing', async () => {
    await go('/projects/default')
    await flip(page.getByRole('switch', { name: 'checkout in production' }))
    const switching = page.getByRole('dialog', { name: 'Turn checkout off in production?' })
    await switching.getByText('Changes in production need approval.').waitFor()
    await switching.getByRole('button', { name: 'Add to draft' }).click()
    await told(page, 'Added to your draft for production')
    await page.getByText('1 unsent change for production').waitFor()
    await go('/projects/default/features/checkout')
    const column = page.getByRole('region', { name: 'production' })
    await column.getByText('Needs approval').waitFor()
    await column.getByRole('link', { name: 'On → Off in your draft' }).waitFor()
    await column.getByRole('button', { name: 'Edit', exact: true }).click()
    const editor = page.getByRole('dialog', { name: 'Strategy in production' })
    await editor.getByText('Saving adds this to your draft').waitFor()
    await editor.getByRole('slider').press('End')
    await editor.getByRole('button', { name: 'Add to draft' }).click()
    await page.getByText('2 unsent changes for production').waitFor()
    // navigating away while the dialog is open would ask for confirmation
    await editor.waitFor({ state: 'hidden' })
    expect(await state()).toMatchObject({ enabled: true, strategies: [{ parameters: { rollout: '25' } }] })
  })

  test('collects changes of several flags, by a button that names it', async () => {
    await ui.call('POST', FLAGS, { name: 'basket' })
    await go('/projects/default')
    await page.getByRole('checkbox', { name: 'Select basket' }).check()
    await page.getByRole('toolbar').getByRole('button', { name: 'Turn on or off' }).click()
    const dialog = page.getByRole('dialog', { name: '1 flag' })
    await dialog.getByRole('button', { name: 'Turn on in development' }).waitFor()
    await dialog.getByLabel('Environment').selectOption('production')
    await dialog.getByText('Saving adds this to your draft').waitFor()
    expect(await dialog.getByText('Goes live').count()).toBe(0)
    await dialog.getByRole('button', { name: 'Add to draft' }).click()
    await page.getByText('3 unsent changes for production').waitFor()
    await page.getByRole('link', { name: 'Review' }).click()
    const added = 'No strategy is enabled, so the default one is added: All users'
    await page.getByRole('listitem').filter({ hasText: 'Turn on' }).getByText(added).waitFor()
    await page.getByRole('button', { name: 'Remove: Turn on, basket' }).click()
    await told(page, 'Change removed')
    await ui.call('DELETE', `${FLAGS}/basket`)
    await go('/projects/default/features/checkout')
  })

  test('the draft shows what is so now and then, and goes to review', async () => {
    await page.getByRole('link', { name: 'Review' }).click()
    const changed = page.getByRole('listitem').filter({ hasText: 'Change a strategy' })
    await changed.getByText('25% of users').waitFor()
    expect(await changed.locator('mark').allTextContents()).toEqual(['25% of', 'All'])
    await changed.getByText('All users', { exact: true }).waitFor()
    const switched = page.getByRole('listitem').filter({ hasText: 'Turn off' })
    await switched.getByText('On', { exact: true }).waitFor()
    await switched.getByRole('button', { name: 'Remove: Turn off, checkout' }).click()
    await told(page, 'Change removed')
    await page.getByRole('button', { name: 'Submit for review' }).click()
    const dialog = page.getByRole('dialog', { name: 'Submit for review' })
    await dialog.getByLabel('Title').fill('Checkout for all')
    await dialog.getByLabel('Reason for the change').fill('Four weeks without a complaint')
    await dialog.getByRole('group', { name: 'Reviewers' }).getByText('maria').click()
    await dialog.getByRole('button', { name: 'Submit for review' }).click()
    await page.getByRole('heading', { name: 'Checkout for all', level: 1 }).waitFor()
    await page.getByRole('list', { name: 'Requested from' }).getByText('maria', { exact: true }).waitFor()
    await page.getByText('Waiting for approval').waitFor()
    expect(await page.getByRole('button', { name: 'Approve', exact: true }).count()).toBe(0)
  })

  test('asks the same reviewers after a withdrawn request is sent again, and keeps a started comment', async () => {
    await page.getByRole('textbox', { name: 'Comment' }).fill('Not yet')
    await page.getByRole('link', { name: 'Flags', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Keep editing' }).click()
    expect(await page.getByRole('textbox', { name: 'Comment' }).inputValue()).toBe('Not yet')
    await page.getByRole('textbox', { name: 'Comment' }).fill('')
    await page.getByRole('button', { name: 'Back to draft' }).click()
    await told(page, 'Moved back to draft')
    await page.getByRole('button', { name: 'Submit for review' }).click()
    const dialog = page.getByRole('dialog', { name: 'Submit for review' })
    await dialog.getByText('maria').waitFor()
    await dialog.getByRole('button', { name: 'Submit for review' }).click()
    await page.getByRole('list', { name: 'Requested from' }).getByText('maria', { exact: true }).waitFor()
  })

  test('gets a change after another user approves it', async () => {
    await hers.getByRole('link', { name: 'Change requests' }).click()
    await hers.getByRole('row', { name: /Checkout for all.*In review.*production.*0 of 1/ }).waitFor()
    await hers.getByRole('link', { name: 'Checkout for all' }).click()
    await hers.getByText('Four weeks without a complaint').waitFor()
    await hers.getByRole('textbox', { name: 'Comment' }).fill('Well done')
    await hers.getByRole('button', { name: 'Add comment' }).click()
    await hers.getByRole('list').getByText('Well done').waitFor()
    await hers.getByRole('button', { name: 'Approve', exact: true }).click()
    await hers.getByText('maria approved').waitFor()
    await hers.getByRole('button', { name: 'Schedule' }).click()
    const dialog = hers.getByRole('dialog', { name: 'Schedule the change request' })
    await dialog.getByLabel('Date and time').fill('2020-01-01T10:00')
    await dialog.getByText('This time is in the past.').waitFor()
    await dialog.getByLabel('Date and time').fill('2040-01-01T10:00')
    await dialog.getByText('In your time zone, ').waitFor()
    await dialog.getByText('Goes live Jan 1, 2040').waitFor()
    await dialog.getByRole('button', { name: 'Schedule' }).click()
    await hers.getByText('Will be applied Jan 1, 2040').waitFor()
    await hers.getByRole('button', { name: 'Apply', exact: true }).click()
    const question = hers.getByRole('dialog', { name: 'Apply 1 change to production?' })
    await question.getByRole('button', { name: 'Apply', exact: true }).click()
    await hers.getByText('Applied', { exact: true }).waitFor()
    await hers.getByText('maria applied it, just now').waitFor()
    // the previous state stays visible, and only the differing words are marked
    const applied = hers.getByRole('listitem').filter({ hasText: 'Change a strategy' })
    await applied.getByText('25% of users').waitFor()
    expect((await state()).strategies).toMatchObject([{ parameters: { rollout: '100' } }])
    // the other page has been updated
    await page.getByText('Applied', { exact: true }).waitFor()
  })

  test('marks an outdated change, which can be proposed again', async () => {
    const change = { feature: 'checkout', action: 'updateEnabled', payload: { enabled: false } }
    const reply = await page.request.post(
      `${ui.url}/api/admin/projects/default/environments/production/change-requests`,
      { data: change, headers: { origin: ui.url } },
    )
    const { id } = (await reply.json()) as { id: number }
    await ui.call('POST', `${PRODUCTION}/strategies`, { name: 'default' })
    await go(`/projects/default/change-requests/${id}`)
    await page.getByText('has changed since this was proposed').waitFor()
    await page.getByRole('button', { name: 'Update to current state' }).click()
    await told(page, 'Change updated')
    await page.getByText('has changed since this was proposed').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Delete draft' }).click()
    await answer('Delete draft')
    await page.getByRole('heading', { name: 'Change requests', level: 1 }).waitFor()
    await page.getByText('No open change requests').waitFor()
  })

  test('archiving, dependencies and segments go into the draft too, each by one dialog', async () => {
    await ui.call('POST', FLAGS, { name: 'parent' })
    const constraints = [{ contextName: 'userId', operator: 'IN', values: ['1'] }]
    const segment = await ui.call<{ id: number }>('POST', '/api/admin/segments', { name: 'Staff', constraints })
    await ui.call('POST', `${PRODUCTION}/strategies`, { name: 'default', segments: [segment.id] })
    await go('/projects/default/features/checkout')
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Archive' }).click()
    const question = page.getByRole('dialog', { name: 'Archive checkout?' })
    await question.getByText('It is added to your draft for production').waitFor()
    await question.getByRole('button', { name: 'Add to draft' }).click()
    await page.getByText('1 unsent change for production').waitFor()
    await page.getByRole('button', { name: 'Add dependency' }).click()
    const editor = page.getByRole('dialog', { name: 'Add dependency' })
    await editor.getByRole('combobox', { name: 'Parent', exact: true }).click()
    await page.getByRole('option', { name: 'parent' }).click()
    await editor.getByRole('button', { name: 'Add to draft' }).click()
    await page.getByText('2 unsent changes for production').waitFor()
    await go('/segments')
    await page.getByRole('button', { name: 'Edit Staff' }).click()
    const panel = page.getByRole('dialog', { name: 'Edit segment' })
    await panel.getByText('It is added to your draft for production').waitFor()
    await panel.getByRole('textbox', { name: 'Description' }).fill('Our people')
    await panel.getByRole('button', { name: 'Add to draft' }).click()
    await panel.waitFor({ state: 'hidden' })
    expect(await ui.call('GET', `${FLAGS}/checkout`)).toMatchObject({ archived: false, dependencies: [] })
    expect(await ui.call('GET', `/api/admin/segments/${segment.id}`)).toMatchObject({ description: null })
    await go('/projects/default')
    await page.getByText('3 unsent changes for production').waitFor()
    await page.getByRole('link', { name: 'Review' }).click()
    for (const what of ['Archive the flag', 'Add the dependency', 'Change the segment']) {
      await page.getByRole('listitem').filter({ hasText: what }).waitFor()
    }
    await page.getByRole('button', { name: 'Delete draft' }).click()
    await answer('Delete draft')
    await page.getByText('No open change requests').waitFor()
  })

  test('accepts changes directly again, after a question', async () => {
    await go('/projects/default/settings?tab=environments')
    await flip(page.getByRole('switch', { name: 'Change requests in production' }))
    await answer('Allow without approval')
    await told(page, 'Changes to production no longer need approval')
  })
})

/** Chooses an option in a list that stays open, and closes the list. */
async function pick(list: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: list }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
  await page.keyboard.press('Escape')
}

describe('permissions', () => {
  test('a role is made of rights, by environments', async () => {
    await page.getByRole('link', { name: 'Settings', exact: true }).click()
    await page.getByRole('link', { name: 'Roles' }).click()
    await page.getByRole('row', { name: /Owner.*built in.*Project/ }).waitFor()
    await page.getByRole('button', { name: 'Create role' }).click()
    const editor = page.getByRole('dialog', { name: 'Create role' })
    await editor.getByLabel('Name').fill('Release manager')
    await editor.getByRole('checkbox', { name: 'Change flags' }).check()
    await editor.getByRole('checkbox', { name: 'Turn flags on and off: in production' }).check()
    await editor.getByRole('checkbox', { name: 'Approve change requests: in all environments' }).check()
    expect(await editor.getByRole('checkbox', { name: 'Approve change requests: in production' }).isDisabled()).toBe(
      true,
    )
    await editor.getByText('3 rights chosen').waitFor()
    await editor.getByRole('button', { name: 'Create role' }).click()
    await told(page, 'Created Release manager')
    const { roles } = await ui.call<{ roles: { id: number; name: string }[] }>('GET', '/api/admin/roles')
    const made = roles.find(({ name }) => name === 'Release manager')?.id
    const { permissions } = await ui.call<{ permissions: { name: string; environment?: string }[] }>(
      'GET',
      `/api/admin/roles/${made}`,
    )
    expect(permissions.map(({ name, environment = '' }) => `${name} ${environment}`).sort()).toEqual([
      'APPROVE_CHANGE_REQUEST *',
      'UPDATE_FEATURE ',
      'UPDATE_FEATURE_ENVIRONMENT production',
    ])
    // the form contains the stored role, and an edit preserves the other parts of the role
    await page.getByRole('button', { name: 'Edit Release manager' }).click()
    const again = page.getByRole('dialog', { name: 'Edit role' })
    expect(await again.getByRole('checkbox', { name: 'Turn flags on and off: in production' }).isChecked()).toBe(true)
    await again.getByRole('checkbox', { name: 'Change flags' }).uncheck()
    await again.getByRole('button', { name: 'Save' }).click()
    await told(page, 'Saved Release manager')
    expect(await ui.call('GET', `/api/admin/roles/${made}`)).toMatchObject({ permissions: { length: 2 } })
  })

  test('a group has members and a role in a project', async () => {
    await page.getByRole('link', { name: 'Groups' }).click()
    await page.getByRole('button', { name: 'Create group' }).first().click()
    const editor = page.getByRole('dialog', { name: 'Create group' })
    await editor.getByRole('textbox', { name: 'Name' }).fill('Payments')
    await pick('Members', 'maria')
    await editor.getByRole('button', { name: 'Create group' }).click()
    await told(page, 'Created Payments')
    await page.getByRole('row', { name: /Payments.*maria/ }).waitFor()
    await go('/projects/default/settings?tab=members')
    await page.getByRole('button', { name: 'Add members' }).click()
    await pick('People and groups', 'Payments (group)')
    await page.getByRole('radio', { name: 'Release manager' }).check()
    await page.getByRole('dialog').getByRole('button', { name: 'Add members' }).click()
    await page.getByRole('row', { name: /Payments.*group/ }).waitFor()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    const { groups } = await ui.call<{ groups: { name: string; projects: string[] }[] }>('GET', '/api/admin/groups')
    expect(groups).toMatchObject([{ name: 'Payments', projects: ['default'] }])
  })

  test('a role in use cannot be deleted', async () => {
    await go('/roles')
    await page.getByRole('button', { name: 'Delete Release manager' }).click()
    await answer('Delete')
    await page.getByText('Failed: Delete Release manager').waitFor()
    await page.getByRole('row', { name: /Release manager/ }).waitFor()
  })

  test('a service account gets a token, which works until it is revoked', async () => {
    await page.getByRole('link', { name: 'Service accounts' }).click()
    await page.getByRole('button', { name: 'Create service account' }).first().click()
    const editor = page.getByRole('dialog', { name: 'Create service account' })
    await editor.getByLabel('Username').fill('pipeline')
    await editor.getByRole('button', { name: 'Create service account' }).click()
    await told(page, 'Created pipeline')
    await page.getByRole('button', { name: 'Tokens of pipeline' }).click()
    await page.getByRole('dialog').getByLabel('Purpose').fill('deployments')
    await page.getByRole('dialog').getByRole('button', { name: 'Create token' }).click()
    const secret = (await page.getByRole('group', { name: 'Token' }).textContent()) ?? ''
    const reads = async () =>
      (await fetch(`${ui.url}/api/admin/projects`, { headers: { authorization: secret } })).status
    expect(await reads()).toBe(200)
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Revoke deployments' }).click()
    await page.getByRole('dialog', { name: 'Revoke deployments?' }).getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('No tokens yet.').waitFor()
    expect(await reads()).toBe(401)
    await page.keyboard.press('Escape')
  })

  test('single sign-on is set if the provider works with it, and passwords stay until an administrator came by it', async () => {
    const provider = await startProvider(true, ui.url)
    const address = '/api/admin/auth/oidc/settings'
    const root = 'root@example.com'
    await ui.call('POST', '/api/admin/user-admin', { email: root, rootRole: 1 })
    await page.getByRole('link', { name: 'Single sign-on' }).click()
    const passwords = page.getByRole('switch', { name: 'Allow login with a password' })
    expect(await passwords.isDisabled()).toBe(true)
    await page.getByText(`${ui.url}/auth/oidc/callback`).waitFor()
    await flip(page.getByRole('switch', { name: 'Allow login through this provider' }))
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Fix the highlighted fields.').waitFor()
    await page.getByLabel('Issuer URL').fill(provider.issuer)
    await page.getByLabel('Client ID').fill(CLIENT.clientId)
    await page.getByRole('textbox', { name: 'Client secret' }).fill('a secret that is not right')
    await page.getByLabel('Allowed e-mail domains').fill('example.com')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The provider rejects this client ID or client secret.').waitFor()
    expect(await ui.call('GET', address)).toMatchObject({ enabled: false, clientId: '' })
    await page.getByRole('textbox', { name: 'Client secret' }).fill(CLIENT.secret)
    await page.getByRole('button', { name: 'Save' }).click()
    await told(page, 'Single sign-on saved')
    expect(await ui.call('GET', address)).toMatchObject({
      enabled: true,
      discoverUrl: provider.issuer,
      secret: '*****',
      isTested: false,
      emailDomains: 'example.com',
      autoCreate: false,
      defaultRootRoleId: 3,
    })
    const begin = page.getByRole('link', { name: 'Log in through the provider' })
    const { page: other } = await openPage(browser)
    provider.put({ sub: 'root', email: root, email_verified: true })
    await other.goto(`${ui.url}${await begin.getAttribute('href')}`)
    await other.getByRole('heading', { name: 'Single sign-on', level: 1 }).waitFor()
    await other.close()
    await page.reload()
    await expect.poll(() => passwords.isDisabled()).toBe(false)
    expect(await begin.count()).toBe(0)
    await flip(page.getByRole('switch', { name: 'Allow login through this provider' }))
    await page.getByRole('button', { name: 'Save' }).click()
    await answer('Turn off')
    await expect.poll(() => passwords.isDisabled()).toBe(true)
    expect(await ui.call('GET', address)).toMatchObject({ enabled: false, secret: '*****' })
    await provider.close()
  })
})

describe('navigation', () => {
  test('the event log describes a strategy before and after in sentences', async () => {
    await go('/projects/default/features/checkout?tab=history')
    const event = page.locator('li[data-type="feature-strategy-update"]').last()
    await event
      .getByRole('button', { name: /checkout in production/ })
      .first()
      .click()
    const panel = page.getByRole('dialog', { name: 'Strategy changed' })
    await panel.getByText('25% of users', { exact: true }).waitFor()
    await panel.getByText('All users', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
  })

  test('a link that goes with its page leaves the focus in the content', async () => {
    await go('/projects/default')
    await page.getByRole('link', { name: 'checkout', exact: true }).click()
    await page.getByRole('heading', { name: 'checkout', level: 1 }).waitFor()
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('content')
  })

  test('the palette closes with its page, and an unknown path keeps the frame', async () => {
    await page.getByRole('button', { name: 'Find anything' }).click()
    await page.getByRole('dialog').waitFor()
    await go('/nowhere')
    await page.getByRole('heading', { name: 'Page not found', level: 1 }).waitFor()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Segments' }).waitFor()
  })
})

describe('the installation of a team', () => {
  test('gets an environment that is made of another one, in which all flags are off', async () => {
    await go('/environments')
    await page.getByRole('button', { name: 'More: production' }).click()
    await page.getByRole('menuitem', { name: 'Clone production' }).click()
    const dialog = page.getByRole('dialog', { name: 'Clone production' })
    await dialog.getByRole('textbox', { name: 'Name' }).fill('canary')
    await dialog.getByRole('button', { name: 'Clone' }).click()
    await told(page, 'Cloned production as canary')
    await page.getByRole('row', { name: /^canary.*Production/ }).waitFor()
    const [now, then] = [await state(), await ui.call(`GET`, `${FLAGS}/checkout/environments/canary`)]
    expect(then).toMatchObject({ enabled: false, strategies: now.strategies.map(({ parameters }) => ({ parameters })) })
  })

  test('shows on every page that it is in maintenance, and why nothing is saved', async () => {
    await go('/instance')
    await flip(page.getByRole('switch', { name: 'Maintenance mode' }))
    await answer('Turn on')
    await told(page, 'Maintenance mode turned on')
    const banner = page.getByText('Maintenance mode: changes are disabled. Applications')
    await banner.waitFor()
    await hers.reload()
    await hers.getByText('Maintenance mode: changes are disabled. Applications').waitFor()
    await go('/projects/default')
    await flip(page.getByRole('switch', { name: 'checkout in development' }))
    await page.getByText('The server is in maintenance mode: changes are disabled.').waitFor()
    await ui.call('POST', '/api/admin/maintenance', { enabled: false })
    await banner.waitFor({ state: 'detached' })
  })
})

test('a guest with an invite link creates an account, and logs in with it', async () => {
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
  const link = await ui.call<{ secret: string }>('POST', '/api/admin/invite-link/tokens', { name: 'team', expiresAt })
  const { page } = await openPage(browser)
  await page.goto(`${ui.url}/new-user?invite=${link.secret}`)
  await page.getByLabel('E-mail address').fill('ann@example.com')
  await page.getByLabel('Name', { exact: true }).fill('Ann')
  await page.getByRole('textbox', { name: 'New password', exact: true }).fill('password')
  await page.getByLabel('Repeat new password').fill('password')
  await page.getByRole('button', { name: 'Create account' }).click()
  // the reason that the server returned is displayed, and the input remains
  await page.getByRole('alert').first().waitFor()
  expect(await page.getByLabel('E-mail address').inputValue()).toBe('ann@example.com')
  await page.getByRole('textbox', { name: 'New password', exact: true }).fill(MARIA.password)
  await page.getByLabel('Repeat new password').fill(MARIA.password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.waitForURL((url) => url.pathname.endsWith('/login'))
  await logIn(page, ui.url, { username: 'ann@example.com', password: MARIA.password })
  const { users } = await ui.call<{ users: { email?: string; rootRole: number }[] }>('GET', '/api/admin/user-admin')
  expect(users.find(({ email }) => email === 'ann@example.com')).toMatchObject({ rootRole: 3 })
  await page.close()
})

describe('a project with some of the users as members', () => {
  const BOB = { username: 'bob', password: 'another-horse-battery' }
  const DORA = { username: 'dora', password: 'another-horse-battery' }
  const PAYMENTS = '/api/admin/projects/payments'
  const ids = { bob: 0, role: 0 }
  const setMode = (id: string, name: string, mode: string) =>
    ui.call('PUT', `/api/admin/projects/${id}`, { name, mode })
  const wallet = () => ui.call<{ enabled: boolean }>('GET', `${PAYMENTS}/features/wallet/environments/production`)
  /** Opens a page in a separate browser context without stored state. */
  const enter = async (who: typeof BOB, path: string) => {
    const { page } = await openPage(browser)
    await beginSession(page, ui.url, who)
    await page.goto(`${ui.url}${path}`)
    return page
  }
  const nav = (on: Page, name: string) => on.getByRole('navigation').getByRole('link', { name, exact: true })
  const leadsTo = (on: Page, name: string, path: string) =>
    expect.poll(() => nav(on, name).getAttribute('href')).toBe(path)

  beforeAll(async () => {
    await ui.call('POST', '/api/admin/projects', { id: 'payments', name: 'Checkout & Payments' })
    await ui.call('POST', `${PAYMENTS}/features`, { name: 'wallet' })
    await ui.call('PUT', `${PAYMENTS}/environments/production/change-requests/config`, { changeRequestsEnabled: true })
    const permissions = [
      { name: 'UPDATE_FEATURE_ENVIRONMENT', environment: 'development' },
      { name: 'CREATE_FEATURE_STRATEGY', environment: 'development' },
    ]
    await ui.call('POST', '/api/admin/roles', { name: 'Developer', permissions })
    const { roles } = await ui.call<{ roles: { id: number; name: string }[] }>('GET', '/api/admin/roles')
    ids.role = roles.find(({ name }) => name === 'Developer')?.id ?? 0
    ids.bob = (await ui.call<{ id: number }>('POST', '/api/admin/user-admin', { ...BOB, rootRole: 3 })).id
    await ui.call('POST', '/api/admin/user-admin', { ...DORA, rootRole: 3 })
    await ui.call('POST', `${PAYMENTS}/access`, { roles: [ids.role], users: [ids.bob] })
  })

  test('lets a user who may change only development propose for guarded environments', async () => {
    const his = await enter(BOB, '/projects/payments')
    await his.getByRole('switch', { name: 'wallet in development' }).waitFor()
    await flip(his.getByRole('switch', { name: 'wallet in production' }))
    await his
      .getByRole('dialog', { name: /^Turn wallet on/ })
      .getByRole('button', { name: 'Add to draft' })
      .click()
    await told(his, 'Added to your draft for production')
    await his.getByRole('link', { name: 'wallet', exact: true }).click()
    const column = his.getByRole('region', { name: 'production' })
    await column.getByRole('switch', { name: 'wallet in production' }).waitFor()
    await column.getByRole('button', { name: 'Add strategy in production' }).click()
    const editor = his.getByRole('dialog', { name: 'Strategy in production' })
    await editor.getByRole('button', { name: 'Add to draft' }).click()
    await his.getByText('2 unsent changes for production').waitFor()
    expect(await wallet()).toMatchObject({ enabled: false, strategies: [] })
    await his.close()
  })

  test('lets everyone propose in open mode, and only members in protected mode', async () => {
    const hers = await enter(DORA, '/projects/payments/features/wallet')
    const switches = hers.getByRole('switch')
    await hers.getByRole('switch', { name: 'wallet in production' }).waitFor()
    expect(await switches.count()).toBe(1)
    await setMode('payments', 'Checkout & Payments', 'protected')
    await hers.reload()
    await hers.getByRole('region', { name: 'production' }).getByText('Needs approval').waitFor()
    await hers.waitForLoadState('networkidle')
    expect(await switches.count()).toBe(0)
    const his = await enter(BOB, '/projects/payments/features/wallet')
    await his.getByRole('switch', { name: 'wallet in production' }).waitFor()
    await hers.close()
    await his.close()
  })

  test('the URL decides which project is chosen, not the previous choice', async () => {
    await go('/projects/payments')
    const picker = page.getByRole('combobox', { name: 'Project' })
    await expect.poll(() => picker.inputValue()).toBe('Checkout & Payments')
    await page.goto(`${ui.url}/stale?project=default`)
    await expect.poll(() => picker.inputValue()).toBe('Default')
    await leadsTo(page, 'Flags', '/projects/default')
  })

  test('serves as the start page for a user who does not see the default project', async () => {
    await setMode('default', 'Default', 'private')
    const his = await enter(BOB, '/')
    await leadsTo(his, 'Flags', '/projects/payments')
    await his.getByRole('link', { name: 'Flags', exact: true }).click()
    await his.getByRole('link', { name: 'wallet', exact: true }).waitFor()
    await leadsTo(his, 'Project settings', '/projects/payments/settings')
    await his.close()
    const elsewhere = await enter(BOB, '/segments')
    await leadsTo(elsewhere, 'Flags', '/projects/payments')
    // with a bad link from someone else, the page shows what is wrong, and the navigation still works
    await elsewhere.goto(`${ui.url}/projects/default`)
    await elsewhere.getByRole('heading', { name: 'Project “default” not found' }).waitFor()
    await elsewhere.getByText('you are not a member').waitFor()
    await leadsTo(elsewhere, 'Flags', '/projects/payments')
    await elsewhere.getByRole('link', { name: 'Burgee' }).click()
    await elsewhere.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
    await elsewhere.close()
  })

  test('a user without any project sees whom to ask', async () => {
    await setMode('payments', 'Checkout & Payments', 'private')
    const hers = await enter(DORA, '/')
    await hers.getByRole('heading', { name: 'You are not a member of any project yet', level: 1 }).waitFor()
    await hers.getByText('Ask an administrator').waitFor()
    await speak(hers, 'de')
    await hers.getByRole('heading', { name: 'Sie sind noch in keinem Projekt Mitglied' }).waitFor()
    expect(await hers.locator('main').getByText('default').count()).toBe(0)
  })
})
