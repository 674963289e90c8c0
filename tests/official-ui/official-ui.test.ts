import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { CLIENT, startProvider } from '../http/sso/provider.ts'
import { withBrowser } from '../support/browser-hooks.ts'
import { openPage } from '../ui/support/ui-page.ts'
import { ADMIN, startUi, type UiServer } from '../ui/support/ui-server.ts'
import { type Front, startFront } from './front.ts'
import { officialUiFolder } from './ui-files.ts'

/**
 * Unleash's own admin UI on this server: requests of its screens are answered and its forms are accepted. A response
 * with status 400 or above, or a browser error, fails the test that caused it.
 */
const folder = officialUiFolder()
const A = '/api/admin'
const F = `${A}/projects/default/features`
const LOOK_MS = 30
const GUEST = 'Quite-a-long-1-secret'
/** Number of idle checks after which a screen counts as settled, and the maximum number of checks. */
const CALM_LOOKS = 4
const MOST_LOOKS = 100

describe.skipIf(folder === undefined)('the official admin UI (needs its npm package)', { timeout: 120_000 }, () => {
  let ui: UiServer
  let browser: Browser
  let front: Front
  let page: Page
  const refused: string[] = []
  const underWay = new Set<unknown>()
  let complaints: readonly string[] = []

  withBrowser(
    () => startUi({ API_TOKEN_SECRETS: 'readable' }),
    async (...started) => {
      ;[browser, ui] = started
      front = await startFront(folder ?? '', ui.url)
    },
  )
  beforeAll(async () => {
    ;({ page, complaints } = await openPage(browser))
    // avatars come from another host
    await page.route(/gravatar\.com/, (route) =>
      route.fulfill({ status: 200, contentType: 'image/svg+xml', body: '<svg/>' }),
    )
    page.on('request', (request) => {
      if (/\/(api|auth)\//.test(request.url())) underWay.add(request)
    })
    page.on('response', (reply) => underWay.delete(reply.request()))
    page.on('requestfailed', (request) => underWay.delete(request))
    page.on('response', (reply) => {
      if (reply.status() >= 400)
        refused.push(`${reply.status()} ${reply.request().method()} ${reply.url().slice(front.url.length)}`)
    })
    await page.goto(`${front.url}/login`)
    await page.getByLabel('Username').fill(ADMIN.username)
    await page.getByLabel('Password').fill(ADMIN.password)
    await page.getByRole('button', { name: /sign in/i }).click()
    await page.getByText('Default').first().waitFor()
    // before the login, both requests are rejected, in either order
    expect(refused.splice(0).sort()).toEqual([`401 GET ${A}/ui-config`, `401 GET ${A}/user`])
  }, 120_000)
  afterAll(async () => {
    await page?.close()
    await front?.close()
  })

  /** Navigates like a link of the UI: without a reload, requesting only what the screen needs. */
  const visit = async (path: string) => {
    const to = JSON.stringify(path)
    await page.evaluate(`history.pushState(null, '', ${to}); dispatchEvent(new PopStateEvent('popstate'))`)
    await settle()
  }
  /** Waits until there has been no request in flight for a moment. */
  const settle = async () => {
    for (let calm = 0, looks = 0; calm < CALM_LOOKS && looks < MOST_LOOKS; looks += 1) {
      await page.evaluate(`new Promise((done) => setTimeout(done, ${LOOK_MS}))`)
      calm = underWay.size === 0 ? calm + 1 : 0
    }
  }
  const quiet = () => expect([refused.splice(0), complaints]).toEqual([[], []])
  const button = (name: string | RegExp) => page.getByRole('button', { name }).first()
  const sent = (method: string, path: RegExp) =>
    page.waitForResponse((reply) => reply.request().method() === method && path.test(new URL(reply.url()).pathname))

  test('a flag is made, gets a strategy, is turned on, and is shown', async () => {
    await visit('/projects/default/create-toggle')
    await page.getByTestId('CF_NAME_ID').locator('input').fill('clicked')
    await Promise.all([sent('POST', /\/features$/), page.getByTestId('CF_CREATE_BTN_ID').click()])
    const create = '?environmentId=development&strategyName=flexibleRollout&memorizedStrategy=true'
    await visit(`/projects/default/features/clicked/strategies/create${create}`)
    await Promise.all([sent('POST', /\/strategies$/), page.getByTestId('STRATEGY_FORM_SUBMIT_ID').click()])
    await visit('/projects/default/features/clicked')
    const flag = await ui.call<{ environments: { name: string; strategies: unknown[] }[] }>('GET', `${F}/clicked`)
    expect(flag.environments.find(({ name }) => name === 'development')?.strategies).toHaveLength(1)
    const toggle = page
      .getByRole('checkbox', { name: /development/i })
      .or(page.locator('[data-testid="TOGGLE-development"] input'))
    await Promise.all([sent('POST', /\/environments\/development\/(on|off)$/), toggle.first().click({ force: true })])
    for (const part of ['metrics', 'variants', 'settings', 'logs'])
      await visit(`/projects/default/features/clicked/${part}`)
    quiet()
  })

  test('a strategy is changed', async () => {
    const strategies = `${F}/clicked/environments/development/strategies`
    const [before] = await ui.call<{ id: string; title?: string }[]>('GET', strategies)
    const at = `environmentId=development&strategyId=${before?.id}`
    await visit(`/projects/default/features/clicked/strategies/edit?${at}`)
    await page.getByLabel('Strategy title').fill('clicked title')
    await Promise.all([sent('PUT', /\/strategies\/[^/]+$/), page.getByTestId('STRATEGY_FORM_SUBMIT_ID').click()])
    expect(await ui.call('GET', strategies)).toMatchObject([{ id: before?.id, title: 'clicked title' }])
    quiet()
  })

  test('the playground evaluates', async () => {
    await visit('/playground')
    const [reply] = await Promise.all([sent('POST', /\/playground\/advanced$/), button('Try configuration').click()])
    expect(reply.status()).toBe(200)
    await page
      .getByRole('row', { name: /clicked/ })
      .first()
      .waitFor()
    quiet()
  })

  test('a segment is made', async () => {
    await visit('/segments/create')
    await page.getByLabel('Segment name').first().fill('clickers')
    await page.getByTestId('SEGMENT_NEXT_BTN_ID').click()
    await Promise.all([sent('POST', /\/segments$/), page.getByTestId('SEGMENT_CREATE_BTN_ID').click()])
    await page.getByText('clickers').first().waitFor()
    // a feedback dialog opens
    await page.getByLabel(/How easy/).waitFor()
    await page.keyboard.press('Escape')
    quiet()
  })

  test('an API token is made, copied and deleted', async () => {
    await visit('/admin/api/create-token')
    await page.getByRole('textbox').first().fill('clicked-token')
    const [made] = await Promise.all([sent('POST', /\/api-tokens$/), button('Create token').click()])
    const { secret } = (await made.json()) as { secret: string }
    await page.getByText(secret).first().waitFor()
    await visit('/admin/api')
    const row = page.getByRole('row', { name: /clicked-token/ })
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await row.getByRole('button', { name: /copy/i }).click()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(secret)
    await row.getByRole('button', { name: /delete|remove/i }).click()
    await Promise.all([sent('DELETE', /\/api-tokens\//), page.getByTestId('DIALOGUE_CONFIRM_ID').click()])
    quiet()
  })

  test('a user is added, and an invite link is made', async () => {
    await visit('/admin/create-user')
    await page.getByLabel('Full name').fill('Clicked Person')
    await page.getByLabel('Email').fill('clicked@example.com')
    await page.getByRole('combobox').first().click()
    await page.getByRole('option', { name: /viewer/i }).click()
    await Promise.all([sent('POST', /\/user-admin$/), page.locator('main form button[type=submit]').first().click()])
    // a dialog shows the link for setting the first password
    await page.goto(`${front.url}/admin/users`)
    await page.getByText('clicked@example.com').first().waitFor()
    await visit('/admin/invite-link')
    await Promise.all([sent('POST', /\/invite-link\/tokens$/), button('Create invite link').click()])
    quiet()
  })

  test('a guest signs up with the invite link, and logs in', async () => {
    const { tokens } = await ui.call<{ tokens: { secret: string }[] }>('GET', `${A}/invite-link/tokens`)
    const guest = await openPage(browser)
    try {
      await guest.page.goto(`${front.url}/new-user?invite=${tokens[0]?.secret}`)
      await guest.page.getByLabel('Email').fill('guest@example.com')
      await guest.page.getByLabel('Full name').fill('Clicked Guest')
      for (const field of ['Password', 'Confirm password'])
        await guest.page.getByPlaceholder(field, { exact: true }).fill(GUEST)
      const signup = guest.page.waitForResponse((reply) => /\/signup$/.test(reply.url()))
      await guest.page.getByRole('button', { name: 'Submit' }).click()
      expect((await signup).status()).toBe(201)
      await guest.page.getByLabel('Username').fill('guest@example.com')
      await guest.page.getByLabel('Password').fill(GUEST)
      await guest.page.getByRole('button', { name: /sign in/i }).click()
      await guest.page.getByText('Default').first().waitFor()
    } finally {
      await guest.page.close()
    }
    // the administrator's page has already loaded its list and reloads it only occasionally
    await page.goto(`${front.url}/admin/users`)
    await page.getByText('guest@example.com').first().waitFor()
    quiet()
  })

  test('the access matrix of a user shows a project and an environment', async () => {
    await page
      .getByRole('row', { name: /guest@example.com/ })
      .getByRole('button', { name: 'Access matrix' })
      .click()
    await page.getByRole('heading', { name: /^Access for/ }).waitFor()
    for (const [field, choice] of [
      ['Project', 'Default'],
      ['Environment', 'development'],
    ] as const) {
      await page.getByRole('combobox', { name: field }).click()
      await page.getByRole('option', { name: choice }).first().click()
      await settle()
    }
    await page.getByText('UPDATE_FEATURE_ENVIRONMENT', { exact: true }).first().waitFor()
    quiet()
  })

  test('a role is made', async () => {
    await visit('/admin/roles')
    await button(/new root role/i).click()
    await page.getByLabel('Role name').fill('Clicked role')
    await page.getByLabel('Role description').fill('Made by a click')
    await page.getByRole('button', { name: /^Segment permissions/ }).click()
    await page.getByRole('checkbox', { name: /create segments/i }).check()
    await Promise.all([sent('POST', /\/roles$/), button('Add role').click()])
    await page.getByText('Clicked role').first().waitFor()
    await page.goto(`${front.url}/admin/roles/project-roles`)
    await settle()
    quiet()
  })

  test('a group is made', async () => {
    await visit('/admin/groups/create-group')
    await page.getByTestId('UG_NAME_ID').locator('input').fill('Clicked group')
    await Promise.all([sent('POST', /\/groups$/), page.getByTestId('UG_CREATE_BTN_ID').click()])
    await page.getByText('Clicked group').first().waitFor()
    await visit('/admin/groups/1')
    await page.getByText('Clicked group').first().waitFor()
    quiet()
  })

  test('a service account is made', async () => {
    await visit('/admin/service-accounts')
    await button(/new service account/i).click()
    await page.getByLabel('Service account name').fill('Clicked program')
    await page.getByRole('combobox', { name: 'Role' }).click()
    await page.getByRole('option', { name: /viewer/i }).click()
    await Promise.all([sent('POST', /\/service-account$/), button('Add service account').click()])
    await page.getByText('Clicked program').first().waitFor()
    quiet()
  })

  test('single sign-on is set up', async () => {
    const provider = await startProvider(true, ui.url)
    await visit('/admin/auth')
    await page.getByRole('checkbox').first().check({ force: true })
    await page.getByLabel('Discover URL').fill(provider.issuer)
    await page.getByLabel('Client ID').fill(CLIENT.clientId)
    await page.getByLabel('Client Secret').fill(CLIENT.secret)
    await Promise.all([sent('POST', /\/auth\/oidc\/settings$/), button('Save').click()])
    expect(await ui.call('GET', `${A}/auth/oidc/settings`)).toMatchObject({ clientId: CLIENT.clientId, enabled: true })
    await provider.close()
    quiet()
  })

  test('logins are shown', async () => {
    await visit('/admin/logins')
    await page.getByRole('row', { name: /admin Password .* True/ }).waitFor()
    quiet()
  })

  test('an integration is made', async () => {
    await visit('/integrations/create/webhook')
    await page.getByLabel('URL').first().fill('https://receiver.example/hook')
    await page
      .getByLabel(/events/i)
      .first()
      .click()
    await page.getByRole('option').first().click()
    await page.keyboard.press('Escape')
    await Promise.all([sent('POST', /\/addons$/), button(/^create/i).click()])
    await visit('/integrations')
    quiet()
  })

  test('maintenance is turned on and off', async () => {
    await visit('/admin/maintenance')
    const toggle = page.getByRole('checkbox').first()
    await Promise.all([sent('POST', /\/maintenance$/), toggle.click({ force: true })])
    await visit('/admin/maintenance')
    await Promise.all([sent('POST', /\/maintenance$/), toggle.click({ force: true })])
    expect(await ui.call('GET', `${A}/maintenance`)).toEqual({ enabled: false })
    quiet()
  })

  test('flags leave as a document, and come in elsewhere', async () => {
    const document = await ui.call('POST', `${A}/features-batch/export`, {
      features: ['clicked'],
      environment: 'development',
    })
    await visit('/projects/default')
    const imports = page.getByRole('button', { name: /import/i }).first()
    await imports.click()
    await page.locator('input[type="file"]').setInputFiles({
      name: 'flags.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify(document)),
    })
    await Promise.all([sent('POST', /\/features-batch\/validate$/), button('Validate').click()])
    await Promise.all([sent('POST', /\/features-batch\/import$/), button(/^import/i).click()])
    quiet()
  })

  test('an environment takes changes by change request, and one is sent to review', async () => {
    // the imported objects are still displayed
    await page.goto(`${front.url}/projects/default/settings/change-requests`)
    await settle()
    await page.getByRole('checkbox', { name: 'development' }).click({ force: true })
    await Promise.all([sent('PUT', /\/change-requests\/config$/), page.getByTestId('DIALOGUE_CONFIRM_ID').click()])
    await page.goto(`${front.url}/projects/default/features/clicked`)
    await settle()
    await page.getByRole('checkbox', { name: 'development' }).click({ force: true })
    await settle()
    await Promise.all([sent('POST', /\/change-requests$/), page.getByTestId('DIALOGUE_CONFIRM_ID').click()])
    await settle()
    await button(/^View changes/).click()
    await Promise.all([sent('PUT', /\/change-requests\/\d+\/state$/), button(/^Submit change request/).click()])
    await page.goto(`${front.url}/projects/default/change-requests`)
    await settle()
    await page.getByText('Change request #1').first().click()
    await page.getByText('Review required').first().waitFor()
    quiet()
  })

  test.each([
    ...['/projects', '/projects/default', '/projects/default/archive', '/projects/default/health'],
    ...['/projects/default/logs', '/projects/default/applications', '/projects/default/change-requests'],
    ...['', '/access', '/change-requests', '/environments', '/api-access', '/default-strategy'].map(
      (part) => `/projects/default/settings${part}`,
    ),
    ...['/search', '/archive', '/playground', '/applications', '/context', '/context/create', '/strategies'],
    ...['/strategies/create', '/environments', '/tag-types', '/segments', '/feature-toggle-type', '/history'],
    ...['/integrations', '/integrations/create/slack-app', '/integrations/signals'],
    ...['', '/api', '/users', '/roles', '/groups', '/service-accounts', '/banners', '/instance', '/maintenance'].map(
      (part) => `/admin${part}`,
    ),
    ...['/admin/cors', '/admin/instance-privacy', '/admin/users/inactive', '/projects/default/insights'],
    // no menu leads to this page, but a URL may
    ...['/insights', '/admin/network', '/admin/network/traffic', '/admin/network/data-usage', '/admin/license'],
    ...['', '/change-password', '/personal-api-tokens'].map((part) => `/profile${part}`),
  ])('%s is shown', async (path) => {
    await visit(path)
    await expect.poll(() => page.locator('main').innerText()).not.toBe('')
    expect(await page.getByTestId('404_NOT_FOUND').count()).toBe(0)
    quiet()
  })
})
