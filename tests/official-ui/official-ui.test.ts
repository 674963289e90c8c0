import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withBrowser } from '../support/browser-hooks.ts'
import { openPage } from '../ui/support/ui-page.ts'
import { ADMIN, startUi, type UiServer } from '../ui/support/ui-server.ts'
import { type Front, startFront } from './front.ts'
import { officialUiFolder } from './ui-files.ts'

/**
 * The established server's own admin UI before this server: what its screens ask for is answered, and what its forms send is
 * taken. Each request of status 400 or above, and each complaint of the browser, fails the test that made it.
 */
const folder = officialUiFolder()
const A = '/api/admin'
const F = `${A}/projects/default/features`

describe.skipIf(folder === undefined)('the official admin UI (needs its npm package)', { timeout: 120_000 }, () => {
  let ui: UiServer
  let browser: Browser
  let front: Front
  let page: Page
  const refused: string[] = []
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
    // faces of people come from elsewhere
    await page.route(/gravatar\.com/, (route) =>
      route.fulfill({ status: 200, contentType: 'image/svg+xml', body: '<svg/>' }),
    )
    page.on('response', (reply) => {
      if (reply.status() >= 400)
        refused.push(`${reply.status()} ${reply.request().method()} ${reply.url().slice(front.url.length)}`)
    })
    await page.goto(`${front.url}/login`)
    await page.getByLabel('Username').fill(ADMIN.username)
    await page.getByLabel('Password').fill(ADMIN.password)
    await page.getByRole('button', { name: /sign in/i }).click()
    await page.getByText('Default').first().waitFor()
    // who has not logged in yet is told so
    expect(refused.splice(0)).toEqual([`401 GET ${A}/user`, `401 GET ${A}/ui-config`])
  }, 120_000)
  afterAll(async () => {
    await page?.close()
    await front?.close()
  })

  const visit = async (path: string) => {
    await page.goto(`${front.url}${path}`)
    await page.waitForLoadState('networkidle')
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

  test('a segment is made', async () => {
    await visit('/segments/create')
    await page.getByLabel('Segment name').first().fill('clickers')
    await page.getByTestId('SEGMENT_NEXT_BTN_ID').click()
    await Promise.all([sent('POST', /\/segments$/), page.getByTestId('SEGMENT_CREATE_BTN_ID').click()])
    await page.getByText('clickers').first().waitFor()
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
    await visit('/admin/users')
    await page.getByText('clicked@example.com').first().waitFor()
    await visit('/admin/invite-link')
    await Promise.all([sent('POST', /\/invite-link\/tokens$/), button('Create invite link').click()])
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

  test.each([
    ...[
      '/projects',
      '/projects/default',
      '/projects/default/archive',
      '/projects/default/health',
      '/projects/default/logs',
    ],
    ...[
      '/projects/default/applications',
      '/projects/default/settings/environments',
      '/projects/default/settings/api-access',
    ],
    ...[
      '/projects/default/settings/default-strategy',
      '/search',
      '/archive',
      '/playground',
      '/applications',
      '/context',
    ],
    ...[
      '/context/create',
      '/strategies',
      '/strategies/create',
      '/environments',
      '/tag-types',
      '/segments',
      '/integrations',
    ],
    ...[
      '/integrations/create/slack-app',
      '/history',
      '/admin',
      '/admin/api',
      '/admin/users',
      '/admin/roles',
      '/admin/groups',
    ],
    ...[
      '/admin/instance',
      '/admin/maintenance',
      '/admin/cors',
      '/admin/instance-privacy',
      '/profile',
      '/profile/change-password',
    ],
    ...['/profile/personal-api-tokens', '/feature-toggle-type'],
  ])('%s is shown', async (path) => {
    await visit(path)
    expect(await page.locator('main').innerText()).not.toBe('')
    expect(await page.getByTestId('404_NOT_FOUND').count()).toBe(0)
    quiet()
  })
})
