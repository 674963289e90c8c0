import { randomUUID } from 'node:crypto'
import type { Browser, Page } from 'playwright-core'
import { InMemStorageProvider, Unleash } from 'unleash-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withBrowser } from '../../support/browser-hooks.ts'
import { ignoreLateErrors } from '../../support/sdks.ts'
import { untilFaded, violationsOf } from '../support/axe.ts'
import { type Complaints, flip, logIn, openPage } from '../support/ui-page.ts'
import { ADMIN, FLAGS, startUi, type UiServer } from '../support/ui-server.ts'
import { visit } from '../support/visit.ts'

const PRODUCTION = `${FLAGS}/checkout/environments/production`
const PATH = '/projects/default/features/checkout?env=production'

let ui: UiServer
let browser: Browser
let secret: string
let sdk: Unleash
let worker: Poller

withBrowser(startUi, async (...started) => {
  ;[browser, ui] = started
  await ui.call('POST', FLAGS, { name: 'checkout' })
  await ui.call('POST', `${PRODUCTION}/strategies`, { name: 'default' })
  const token = { tokenName: 'shop', type: 'client', environment: 'production', projects: ['*'] }
  ;({ secret } = await ui.call<{ secret: string }>('POST', '/api/admin/api-tokens', token))
  worker = new Poller()
  sdk = await connect()
})
afterAll(() => sdk.destroy())

/** Starts the official SDK, which polls twice a second. */
async function connect(): Promise<Unleash> {
  const started = ignoreLateErrors(
    new Unleash({
      appName: 'shop',
      url: `${ui.url}/api`,
      customHeaders: { Authorization: secret },
      refreshInterval: 500,
      disableMetrics: true,
      storageProvider: new InMemStorageProvider(),
    }),
  )
  await new Promise((resolve) => started.once('synchronized', resolve))
  return started
}

/** Process of an application that polls only on request of the test. */
class Poller {
  readonly #id = randomUUID()
  #tag = ''

  async poll(): Promise<void> {
    const reply = await fetch(`${ui.url}/api/client/features`, {
      headers: {
        authorization: secret,
        'unleash-connection-id': this.#id,
        'unleash-appname': 'billing-worker',
        'unleash-sdk': 'unleash-node-sdk:6.12.1',
        'unleash-interval': '600000',
        ...(this.#tag === '' ? {} : { 'if-none-match': this.#tag }),
      },
    })
    await reply.text()
    this.#tag = reply.headers.get('etag') ?? this.#tag
  }
}

describe('the receipt beside a switch', () => {
  let page: Page
  let complaints: Complaints

  beforeAll(async () => {
    ;({ page, complaints } = await openPage(browser))
    await logIn(page, ui.url, ADMIN)
    await worker.poll()
    await worker.poll()
    await visit(page, `${ui.url}${PATH}`)
  })
  afterAll(() => page.close())

  const getChip = () => page.getByRole('button', { name: /^In effect in \d+ of \d+ processes in production/ })

  test('shows in how many processes a change is in effect, from the switch on', async () => {
    await flip(page.getByRole('switch', { name: 'checkout in production' }))
    await page.getByRole('dialog').getByRole('button', { name: 'Turn on' }).click()
    await page.getByRole('button', { name: /^In effect in 1 of 2 processes in production/ }).waitFor()
    expect(await getChip().innerText()).toBe('1 of 2 processes')
    expect(await getChip().getAttribute('data-state')).toBe('waiting')
  })

  test('lists the process that waits for the change', async () => {
    await getChip().click()
    const panel = page.getByRole('dialog', { name: 'checkout in production: where the last change is in effect' })
    await panel.getByText('In effect in 1 of 2 processes').waitFor()
    const row = panel.getByRole('row').filter({ hasText: 'billing-worker' })
    await row.getByText('waiting').waitFor()
    expect(await panel.getByRole('row').count()).toBe(2)
    await untilFaded(page)
    expect(await violationsOf(page)).toEqual([])
  })

  test('counts the process after its next polls', async () => {
    await worker.poll()
    await worker.poll()
    await page.getByRole('dialog').getByText('In effect in 2 of 2 processes').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^In effect in 2 of 2 processes in production/ }).waitFor()
    expect(await getChip().getAttribute('data-state')).toBe('complete')
    expect(complaints).toEqual([])
  })
})
