import { findFreePort } from '@burgee/kit/free-port'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { CLIENT, startProvider, type TestProvider } from '../http/sso/provider.ts'
import { withBrowser } from '../support/browser-hooks.ts'
import { beginSession, flip, isChange, openPage, speak, told } from './support/ui-page.ts'
import { ADMIN, FLAGS, startUi, type UiServer, VIEWER } from './support/ui-server.ts'
import { visit } from './support/visit.ts'

const STRATEGIES = `${FLAGS}/watch/environments/development/strategies`
/** Error messages that the API returns to programs, and that must not be shown to users. */
const RAW = /authorization header|log in first|\/auth\/simple|Request validation|required permission|UPDATE_/

let ui: UiServer
let browser: Browser
let page: Page
let sent: string[]

// every test logs in
withBrowser(
  // the provider needs to know the redirect URL
  async () => startUi({ SIMPLE_LOGIN_LIMIT_PER_MINUTE: '1000', HTTP_PORT: String(await findFreePort()) }),
  async (...started) => {
    ;[browser, ui] = started
    await ui.call('POST', FLAGS, { name: 'watch' })
    await ui.call('POST', '/api/admin/user-admin', { ...VIEWER, rootRole: 3 })
  },
)

beforeAll(async () => {
  ;({ page } = await openPage(browser))
  page.on('request', (request) => {
    if (isChange(request)) sent.push(`${request.method()} ${new URL(request.url()).pathname}`)
  })
})
beforeEach(async () => {
  sent = []
  await page.context().clearCookies()
  await page.evaluate(() => sessionStorage.clear()).catch(() => undefined)
  await beginSession(page, ui.url, ADMIN)
  await page.goto(`${ui.url}/projects/default/features/watch`)
  await page.getByRole('heading', { name: 'watch', level: 1 }).waitFor()
  sent = []
})

const endSession = () => page.context().clearCookies()
const ended = () => page.getByRole('dialog', { name: 'Your session has ended' })

async function logInAgain(password = ADMIN.password): Promise<void> {
  await ended().getByRole('textbox', { name: 'Password' }).fill(password)
  await ended().getByRole('button', { name: 'Log in and continue' }).click()
}

/** Creates a strategy whose save is rejected because the session has expired. */
async function editAndSave(title: string): Promise<Locator> {
  await page.getByRole('button', { name: 'Add strategy in development' }).click()
  const editor = page.getByRole('dialog', { name: 'New strategy in development' })
  await editor.getByLabel(/^Title/).fill(title)
  await endSession()
  await editor.getByRole('button', { name: 'Save' }).click()
  await ended().waitFor()
  return editor
}

describe('a session that ends in the middle of an edit', () => {
  test('opens a login dialog; the edit stays, is not sent by itself, and is saved by one click', async () => {
    const editor = await editAndSave('kept through')
    expect(await ended().getByLabel('Username or e-mail').inputValue()).toBe(ADMIN.username)
    await ended().getByRole('textbox', { name: 'Password' }).and(page.locator(':focus')).waitFor()
    expect(await page.locator('body').innerText()).not.toMatch(RAW)
    await logInAgain()
    await ended().waitFor({ state: 'hidden' })
    await page.waitForLoadState('networkidle')
    expect(sent).toEqual([`POST ${STRATEGIES}`, 'POST /auth/simple/login'])
    expect(await ui.call('GET', STRATEGIES)).toEqual([])
    expect(await editor.getByLabel(/^Title/).inputValue()).toBe('kept through')
    await editor.getByRole('button', { name: 'Save' }).click()
    await editor.waitFor({ state: 'hidden' })
    expect(await ui.call('GET', STRATEGIES)).toMatchObject([{ title: 'kept through' }])
  })

  test('stays through a wrong password, Escape and a click beside it', async () => {
    const editor = await editAndSave('kept as well')
    await page.keyboard.press('Escape')
    await page.mouse.click(5, 5)
    await logInAgain('wrong')
    await ended().getByRole('alert').filter({ hasText: 'Wrong username or password.' }).waitFor()
    await logInAgain()
    await ended().waitFor({ state: 'hidden' })
    expect(await editor.getByLabel(/^Title/).inputValue()).toBe('kept as well')
  })

  test('a read that finds it ended asks as well, and comes afterwards', async () => {
    await page.getByRole('button', { name: 'Add strategy in development' }).click()
    const editor = page.getByRole('dialog', { name: 'New strategy in development' })
    await editor.getByLabel(/^Title/).fill('through a read')
    await endSession()
    await page.context().setOffline(true)
    await page.context().setOffline(false)
    await ended().waitFor()
    await logInAgain()
    await ended().waitFor({ state: 'hidden' })
    expect(await editor.getByLabel(/^Title/).inputValue()).toBe('through a read')
    expect(new URL(page.url()).pathname).toBe('/projects/default/features/watch')
  })

  test('a switch flips back with a message that nothing was done, and works after the login', async () => {
    const toggle = page.getByRole('switch', { name: 'watch in development' })
    // otherwise a background read of the page would notice the expired session before the switch does
    await page.waitForLoadState('networkidle')
    await endSession()
    await flip(toggle)
    await Promise.all([ended().waitFor(), told(page, 'Your session has ended. Log in, then try again.')])
    expect(await page.locator('body').innerText()).not.toMatch(RAW)
    await logInAgain()
    await ended().waitFor({ state: 'hidden' })
    expect(await toggle.isChecked()).toBe(false)
    await flip(toggle)
    await told(page, 'watch is on in development')
    await ui.call('POST', `${FLAGS}/watch/environments/development/off`)
  })

  test('another user is warned that the page starts over, and it does', async () => {
    await editAndSave('lost knowingly')
    await ended().getByLabel('Username or e-mail').fill(VIEWER.username)
    await ended().getByText('You are logging in as someone else').waitFor()
    await logInAgain(VIEWER.password)
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
    await page.getByRole('button', { name: `Account: ${VIEWER.username}` }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(await ui.call<unknown[]>('GET', STRATEGIES)).toHaveLength(1)
  })
})

describe('the login page', () => {
  const SAYS = 'Your session has ended. Log in to continue where you were.'

  test('shows that the session has ended, and leads back', async () => {
    await endSession()
    await page.goto(`${ui.url}/segments`)
    await page.getByText(SAYS).waitFor()
    await page.getByLabel('Username or e-mail').fill(ADMIN.username)
    await page.getByRole('textbox', { name: 'Password' }).fill(ADMIN.password)
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('heading', { name: 'Segments', level: 1 }).waitFor()
  })

  test('does not show that after a logout or on a first visit', async () => {
    await page.getByRole('button', { name: /Account/ }).click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await page.getByRole('button', { name: 'Log in' }).waitFor()
    expect(await page.getByText(SAYS).count()).toBe(0)
    const { page: fresh } = await openPage(browser)
    await fresh.goto(`${ui.url}/segments`)
    await fresh.getByRole('button', { name: 'Log in' }).waitFor()
    expect(await fresh.getByText(SAYS).count()).toBe(0)
    await fresh.close()
  })
})

describe('errors of the server', () => {
  /** User actions whose requests are rejected, and the messages in English and German. */
  const REFUSALS: readonly {
    name: string
    path: string
    label: readonly [string, string]
    value: string
    action: readonly [string, string]
    told: readonly [string, string]
  }[] = [
    {
      name: 'a name that is taken',
      path: '/projects/default?create=true',
      label: ['Name', 'Name'],
      value: 'watch',
      action: ['Create flag', 'Flag erstellen'],
      told: ['This name is already taken.', 'Dieser Name ist bereits vergeben.'],
    },
    {
      name: 'a name of a context field that is taken',
      path: '/context-fields?edit=new',
      label: ['Name', 'Name'],
      value: 'userId',
      action: ['Save', 'Speichern'],
      told: ['“userId” already exists.', '„userId“ existiert bereits.'],
    },
  ]
  describe.each(['en', 'de'] as const)('in %s', (language) => {
    const at = language === 'en' ? 0 : 1
    test.each(REFUSALS)("$name is shown in the page's words", async ({ path, label, value, action, told: text }) => {
      await speak(page, language)
      await page.goto(`${ui.url}${path}`)
      const form = page.getByRole('dialog')
      await form.getByRole('textbox', { name: label[at] ?? '', exact: true }).fill(value)
      await form.getByRole('button', { name: action[at] ?? '' }).click()
      const alert = form.getByRole('alert')
      await alert.waitFor()
      expect(await alert.innerText()).toBe(text[at])
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: language === 'en' ? 'Discard' : 'Verwerfen' }).click()
      await form.waitFor({ state: 'hidden' })
    })
  })
})

describe('single sign-on', () => {
  const SETTINGS = '/api/admin/auth/oidc/settings'
  let provider: TestProvider
  beforeAll(async () => {
    provider = await startProvider(true, ui.url)
    provider.put({ sub: 'ann', email: 'ann@example.com', email_verified: true, name: 'Ann' })
    const settings = { ...CLIENT, discoverUrl: provider.issuer, autoCreate: true, enableSingleSignOut: true }
    await ui.call('POST', SETTINGS, { ...settings, enabled: true })
  })
  afterAll(async () => {
    await ui.call('POST', SETTINGS, { enabled: false, clientId: '', secret: '' })
    await provider.close()
  })

  test('has a button to the provider that returns to the requested page; the logout ends both sessions', async () => {
    const { page: own, complaints } = await openPage(browser)
    await own.goto(`${ui.url}/segments`)
    await own.getByRole('link', { name: 'Log in with OpenID Connect' }).click()
    await own.getByRole('heading', { name: 'Segments', level: 1 }).waitFor()
    expect(new URL(own.url()).origin).toBe(ui.url)
    await own.getByRole('button', { name: 'Account: Ann' }).click()
    await own.getByRole('menuitem', { name: 'Log out' }).click()
    // the provider asks for confirmation as well, and then redirects back
    await own.waitForURL(`${provider.issuer}/**`)
    await own.getByRole('button', { name: /yes/i }).click()
    await own.getByRole('link', { name: 'Log in with OpenID Connect' }).waitFor()
    expect(
      await own
        .context()
        .request.get(`${ui.url}/api/admin/user`)
        .then((reply) => reply.status()),
    ).toBe(401)
    // ignores errors of the provider's pages
    expect(complaints.filter((one) => one.includes(`(at ${ui.url}`))).toEqual([])
    await own.context().close()
  })

  test('continues after a session has ended, in another tab, and keeps the contents of the page', async () => {
    const { page: own, complaints } = await openPage(browser)
    await own.goto(`${ui.url}/segments`)
    await own.getByRole('link', { name: 'Log in with OpenID Connect' }).click()
    await own.getByRole('heading', { name: 'Segments', level: 1 }).waitFor()
    await own.context().clearCookies()
    // a background request of the page may notice the end of the session before the test can click a link
    await visit(own, `${ui.url}/environments`)
    const dialog = own.getByRole('dialog', { name: 'Your session has ended' })
    await dialog.getByRole('button', { name: 'I have logged in, continue' }).click()
    await dialog.getByText('You are not logged in yet.').waitFor()
    const [tab] = await Promise.all([
      own.context().waitForEvent('page'),
      dialog.getByRole('link', { name: 'Log in with OpenID Connect' }).click(),
    ])
    await tab.getByRole('heading', { name: 'Home', level: 1 }).waitFor()
    await dialog.getByRole('button', { name: 'I have logged in, continue' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await own.getByRole('heading', { name: 'Environments', level: 1 }).waitFor()
    expect(complaints).toEqual([])
    await own.context().close()
  })

  test('shows a refusal of the provider on a page that leads back', async () => {
    const { page: own } = await openPage(browser)
    provider.put({ sub: 'eve', email: 'eve@example.com', email_verified: false })
    await own.goto(`${ui.url}/login`)
    await own.getByRole('link', { name: 'Log in with OpenID Connect' }).click()
    await own.waitForURL(`${ui.url}/auth/oidc/callback**`)
    await own.getByRole('link', { name: 'Use a password' }).click()
    await own.getByRole('button', { name: 'Log in' }).waitFor()
    await own.context().close()
  })
})
