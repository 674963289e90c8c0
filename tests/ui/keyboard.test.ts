import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { getBucket, ROLLOUT_SEED } from '@burgee/engine/rules/hash'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withBrowser } from '../support/browser-hooks.ts'
import { type Complaints, openPage, told } from './support/ui-page.ts'
import { ADMIN, FLAGS, startUi, type UiServer } from './support/ui-server.ts'

/** The official SDK's build for pages without a bundler. */
const SDK = readFileSync(
  join(dirname(createRequire(import.meta.url).resolve('unleash-proxy-client')), 'main.min.js'),
  'utf8',
)
const USER = '42'
const MOST_STEPS = 80
const FLAG = flagFor(USER)

/** Returns the name of a flag whose 50 % rollout includes a user. */
function flagFor(userId: string): string {
  for (let index = 1; ; index += 1) {
    if (getBucket(userId, `typed-${index}`, 100, ROLLOUT_SEED) <= 50) return `typed-${index}`
  }
}

let ui: UiServer
let browser: Browser

withBrowser(startUi, (...started) => {
  ;[browser, ui] = started
})

/** Everything from the first login to an undo, without a mouse. Each part starts where the previous one ended. */
describe('an operator with a keyboard alone', () => {
  let page: Page
  let complaints: Complaints

  beforeAll(async () => {
    ;({ page, complaints } = await openPage(browser))
    await page.goto(`${ui.url}/projects/default`)
  })
  afterAll(async () => {
    expect(complaints).toEqual([])
    await page.close()
  })

  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key)
  }

  /** Returns role and name of the focused element, like a screen reader. */
  const focused = (): Promise<string> =>
    page.evaluate(() => {
      const at = document.activeElement
      if (!(at instanceof HTMLElement)) return ''
      const labels = at instanceof HTMLInputElement || at instanceof HTMLSelectElement ? at.labels : null
      const by = at.getAttribute('aria-labelledby')
      const name = [
        at.getAttribute('aria-label'),
        by === null ? '' : document.getElementById(by)?.textContent,
        labels?.[0]?.textContent,
        at.textContent,
      ].find((text) => text)
      return `${at.getAttribute('role') ?? at.tagName.toLowerCase()} ${name ?? ''}`.trim()
    })

  /** Presses the tab key until a matching element has the focus. */
  async function tabTo(wanted: RegExp, key = 'Tab'): Promise<void> {
    const seen: string[] = []
    for (let step = 0; step < MOST_STEPS; step += 1) {
      const now = await focused()
      if (wanted.test(now)) return
      seen.push(now)
      await press(key)
    }
    throw new Error(`${wanted} cannot be reached by ${key}; passed by ${seen.join(' | ')}`)
  }

  test('logs in', async () => {
    await page.getByLabel('Username or e-mail').and(page.locator(':focus')).waitFor()
    await page.keyboard.type(ADMIN.username)
    await press('Tab')
    await page.keyboard.type(ADMIN.password)
    await press('Enter')
    await page.getByRole('heading', { name: 'Flags', level: 1 }).waitFor()
  })

  test('creates a flag', async () => {
    await press('c')
    await page.getByRole('dialog', { name: 'Create a flag' }).waitFor()
    await page.getByLabel('Name').and(page.locator(':focus')).waitFor()
    await page.keyboard.type(FLAG)
    await press('Enter')
    await page.getByRole('heading', { name: FLAG, level: 1 }).waitFor()
  })

  test('adds a rollout of 50 % with a constraint and two variants', async () => {
    await tabTo(/Add strategy in production/)
    await press('Enter')
    const editor = page.getByRole('dialog', { name: 'New strategy in production' })
    await editor.getByText('All users', { exact: true }).first().waitFor()
    await tabTo(/^slider Rollout/)
    await press('Home')
    for (let step = 0; step < 50; step += 1) await press('ArrowRight')
    await tabTo(/^button Add constraint/)
    await press('Enter')
    // the new constraint has the focus; lists open with the arrow key, not on focus, and cover nothing
    await editor.getByLabel('Context field').and(page.locator(':focus')).waitFor()
    await page.keyboard.type('country')
    await press('Escape', 'Tab')
    expect(await page.getByRole('option').count()).toBe(0)
    await tabTo(/Values/)
    await page.keyboard.type('DE')
    await press('Enter')
    await page.keyboard.type('AT')
    await press('Enter')
    for (const name of ['a', 'b']) {
      await tabTo(/^button Add variant/)
      await press('Enter')
      // the new variant has the focus, with its name selected or ready to be typed
      await page.locator(':focus').and(editor.getByRole('textbox')).waitFor()
      expect(await page.locator(':focus').inputValue()).toBe(name)
    }
    await editor.getByText('50% of users where country is DE or AT, split between a (50%) and b (50%)').waitFor()
    await tabTo(/^button Save/)
    await press('Enter')
    await editor.waitFor({ state: 'hidden' })
    await page.getByRole('region', { name: 'production' }).getByText('country is DE or AT').waitFor()
  })

  test('turns it on in production after a question', async () => {
    await page.getByRole('heading', { name: FLAG, level: 1 }).waitFor()
    await tabTo(new RegExp(`^switch ${FLAG} in production`))
    await press('Space')
    const question = page.getByRole('dialog', {
      name: `Turn ${FLAG} on for 50% of users where country is DE or AT in production?`,
    })
    await question.waitFor()
    await press('Escape')
    await question.waitFor({ state: 'hidden' })
    const toggle = page.getByRole('switch', { name: `${FLAG} in production` })
    expect(await toggle.isChecked()).toBe(false)
    await toggle.and(page.locator(':focus')).waitFor()
    await press('Space')
    await question.getByRole('button', { name: 'Turn on' }).and(page.locator(':focus')).waitFor()
    await press('Enter')
    await told(page, `${FLAG} is on in production`)
    expect(await toggle.isChecked()).toBe(true)
  })

  test('sees in the playground what user 42 gets', async () => {
    await page.goto(`${ui.url}/playground?envs=production&userId=${USER}&props=country%3DDE&flag=${FLAG}`)
    const bucket = getBucket(USER, FLAG, 100, ROLLOUT_SEED)
    await page
      .getByText(new RegExp(`bucket ${bucket}\\b`))
      .first()
      .waitFor()
  })

  test('has it seen by the official client in another page', async () => {
    const token = { tokenName: 'page', type: 'frontend', environment: 'production', projects: ['*'] }
    const { secret } = await ui.call<{ secret: string }>('POST', '/api/admin/api-tokens', token)
    const { page: other } = await openPage(browser)
    // a separate page, because the CSP of the server's pages forbids scripts to connect elsewhere
    const shop = createServer((_request, response) => response.end('<!doctype html><title>Shop</title>'))
    await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve))
    await other.goto(`http://127.0.0.1:${(shop.address() as AddressInfo).port}/`)
    await other.evaluate(SDK)
    const isOn = await other.evaluate(
      async ({ url, secret, userId, flag }) => {
        const { unleash } = globalThis as unknown as { unleash: typeof import('unleash-proxy-client') }
        const context = { userId, properties: { country: 'AT' } }
        const client = new unleash.UnleashClient({ url, clientKey: secret, appName: 'page', context })
        await client.start()
        client.stop()
        return client.isEnabled(flag)
      },
      { url: `${ui.url}/api/frontend`, secret, userId: USER, flag: FLAG },
    )
    expect(isOn).toBe(true)
    await other.close()
    shop.close()
  })

  test('sees who did what, and undoes the switch', async () => {
    await page.goto(`${ui.url}/projects/default/features/${FLAG}?tab=history`)
    const list = page.getByRole('list', { name: 'Events, newest first' })
    await list.getByText(/admin turned on/).waitFor()
    expect(await list.locator('li[data-type]').filter({ hasText: 'admin' }).count()).toBe(3)
    await tabTo(/^tab History/)
    for (const _tab of ['Comments', 'Environments']) await press('ArrowLeft')
    await tabTo(new RegExp(`^switch ${FLAG} in production`))
    await press('Space')
    await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).and(page.locator(':focus')).waitFor()
    await press('Enter')
    const note = page.getByRole('alert').filter({ hasText: `${FLAG} is off in production` })
    await note.waitFor()
    await tabTo(/^button Undo/, 'Shift+Tab')
    await press('Enter')
    await told(page, `${FLAG} is on in production`)
    const flag = await ui.call<{ environments: { name: string; enabled: boolean }[] }>('GET', `${FLAGS}/${FLAG}`)
    expect(flag.environments.find(({ name }) => name === 'production')?.enabled).toBe(true)
  })
})
