import type { Browser, Page } from 'playwright-core'
import { InMemStorageProvider, Unleash } from 'unleash-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withBrowser } from '../../support/browser-hooks.ts'
import { ignoreLateErrors } from '../../support/sdks.ts'
import { type Complaints, logIn, openPage, speak } from '../support/ui-page.ts'
import { ADMIN, FLAGS, startUi, type UiServer, VIEWER } from '../support/ui-server.ts'
import { visit } from '../support/visit.ts'

let ui: UiServer
let browser: Browser

withBrowser(startUi, async (...started) => {
  ;[browser, ui] = started
  await ui.call('POST', FLAGS, { name: 'checkout' })
  await ui.call('POST', `${FLAGS}/checkout/environments/development/on`)
  await ui.call('POST', '/api/admin/user-admin', { ...VIEWER, rootRole: 3 })
})

/** Returns the code displayed on the page. */
const codeOf = (page: Page, label: string) => page.getByRole('group', { name: label, exact: true }).innerText()

describe('a user who may create tokens', () => {
  let page: Page
  let complaints: Complaints

  beforeAll(async () => {
    ;({ page, complaints } = await openPage(browser))
    await logIn(page, ui.url, ADMIN)
  })
  afterAll(() => page.close())

  test('gets from the menu to an official SDK that has come, and the first flag it counts', async () => {
    await page.getByRole('link', { name: 'Connect an SDK' }).click()
    await page.getByRole('heading', { name: 'Connect an SDK', level: 1 }).waitFor()
    await page.getByText('Node', { exact: true }).click()
    await page.getByText('This page waits for the first request').waitFor()
    await page.getByLabel('Application name').fill('till')
    await page.getByRole('button', { name: 'Create token' }).click()
    await page.getByText('Token created and added').waitFor()
    await page.getByText('Waiting for the first request').waitFor()
    const code = await codeOf(page, 'Node')
    expect(code).toContain("isEnabled('checkout'")
    const [url] = /http[^']+/.exec(code) ?? []
    const [, secret = ''] = /Authorization: '([^']+)'/.exec(code) ?? []
    expect([url, /appName: '([^']+)'/.exec(code)?.[1]]).toEqual([`${ui.url}/api`, 'till'])
    const sdk = connect(`${url}`, secret)
    try {
      await page.getByText('till is connected').waitFor()
      await page.getByText(/unleash-node-sdk:/).waitFor()
      await page.getByText('No evaluations reported yet').waitFor()
      sdk.isEnabled('checkout')
      sdk.isEnabled('chekout')
      await sdk.flushMetrics()
      await page.getByText('First flag seen: checkout').waitFor()
      await page.getByText('It uses “chekout”, which does not exist.').waitFor()
    } finally {
      sdk.destroy()
    }
    await page.getByRole('link', { name: 'Open flag' }).click()
    await page.getByRole('heading', { name: 'checkout', level: 1 }).waitFor()
    expect(complaints).toEqual([])
  })

  test('sees whether a token is of another kind, an admin token or unknown', async () => {
    const make = async (type: string) => {
      const body = { tokenName: type, type, environment: type === 'admin' ? '*' : 'development', projects: ['*'] }
      return (await ui.call<{ secret: string }>('POST', '/api/admin/api-tokens', body)).secret
    }
    await visit(page, `${ui.url}/connect?sdk=react`)
    for (const [secret, said] of [
      [await make('client'), 'never put it into a page or an app'],
      [await make('admin'), 'This is an admin token'],
      ['default:development.none', 'Token not found'],
    ] as const) {
      await page.getByRole('button', { name: 'Paste a token' }).click()
      await page.getByLabel('Token', { exact: true }).fill(secret)
      await page.getByRole('button', { name: 'Use token' }).click()
      await page.getByText(said).waitFor()
      await page.getByRole('button', { name: 'Use another token' }).click()
    }
  })

  test('reads sample code with the newest flag that is not stale, and chooses another one', async () => {
    for (const name of ['banner', 'recommendations', 'old']) await ui.call('POST', FLAGS, { name })
    await ui.call('PATCH', `${FLAGS}/old`, [{ op: 'replace', path: '/stale', value: true }])
    await visit(page, `${ui.url}/connect?sdk=react`)
    const field = page.getByRole('combobox', { name: 'Flag in the code' })
    await expect.poll(() => field.inputValue()).toBe('recommendations')
    await field.fill('chec')
    await page.getByRole('option', { name: 'checkout' }).click()
    expect(new URL(page.url()).searchParams.get('flag')).toBe('checkout')
    expect(await codeOf(page, 'React')).toContain("useFlag('checkout')")
    await ui.call('POST', '/api/admin/projects', { id: 'empty', name: 'Empty' })
    await visit(page, `${ui.url}/connect?sdk=react&project=empty`)
    await page.getByText('The project has no flags yet').waitFor()
    await visit(page, `${ui.url}/projects/default/features/banner?tab=code`)
    await page.getByText('Use this flag').waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Connect an SDK' }).click()
    await expect.poll(() => field.inputValue()).toBe('banner')
  })

  test('finds what to look at where nothing comes, and the same code on the page of a flag', async () => {
    await page.clock.install()
    await visit(page, `${ui.url}/connect?sdk=react&env=production`)
    await page.getByRole('button', { name: 'Create token' }).click()
    await page.getByText('Waiting for the first request').waitFor()
    await page.clock.fastForward(31_000)
    await page.getByText('Nothing yet? Check:').waitFor()
    await page.getByText('report a CORS error').waitFor()
    await visit(page, `${ui.url}/projects/default/features/checkout?tab=code`)
    expect(await codeOf(page, 'Node')).toContain("isEnabled('checkout'")
    expect(await codeOf(page, 'TypeScript')).toContain('export function isCheckoutOn')
    await page.getByRole('combobox', { name: 'SDK' }).click()
    await page.getByRole('option', { name: 'Rust' }).click()
    expect(await codeOf(page, 'Rust')).toContain('feature_name("checkout")')
    // there is no hint if the rules use no context fields
    expect(await page.getByText('Its rules use').count()).toBe(0)
    const strategies = '/api/admin/projects/default/features/checkout/environments/development/strategies'
    const constraints = [{ contextName: 'country', operator: 'IN', values: ['DE'] }]
    const parameters = { rollout: '20', stickiness: 'default', groupId: 'checkout' }
    await ui.call('POST', strategies, { name: 'flexibleRollout', parameters, constraints })
    await page.reload()
    await page.getByText('Its rules use country, userId.').waitFor()
    expect(JSON.parse(await codeOf(page, 'Context'))).toEqual({ userId: '…', properties: { country: '…' } })
    await page.clock.resume()
  })

  test('reads it in German', async () => {
    await visit(page, `${ui.url}/connect?sdk=go`)
    await speak(page, 'de')
    await page.getByRole('heading', { name: 'SDK verbinden', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Token erstellen' }).waitFor()
  })
})

test('a user who may not create tokens sees a note, and pastes an existing one', async () => {
  await ui.call('POST', '/api/admin/projects', { id: 'tills', name: 'Tills' })
  await ui.call('POST', '/api/admin/projects/tills/features', { name: 'aisle' })
  const { page, complaints } = await openPage(browser)
  await logIn(page, ui.url, VIEWER)
  const body = { tokenName: 'given', type: 'client', environment: 'development', projects: ['*'] }
  const { secret } = await ui.call<{ secret: string }>('POST', '/api/admin/api-tokens', body)
  await visit(page, `${ui.url}/connect?sdk=node`)
  await page.getByText('You don’t have permission to create server tokens in this project').waitFor()
  expect(await page.getByRole('button', { name: 'Create token' }).count()).toBe(0)
  await page.getByLabel('Token', { exact: true }).fill(secret)
  await page.getByRole('button', { name: 'Use token' }).click()
  await page.getByText('Waiting for the first request').waitFor()
  const sdk = connect(`${ui.url}/api`, secret, 'scanner')
  try {
    await page.getByText('scanner is connected').waitFor()
    sdk.isEnabled('aisle')
    await sdk.flushMetrics()
    await page.getByText('First flag seen: aisle').waitFor()
  } finally {
    sdk.destroy()
  }
  // the token covers all projects, so the link leads to the flag's project, not to the page's project
  await page.getByRole('link', { name: 'Open flag' }).click()
  await page.waitForURL(/projects\/tills\/features\/aisle$/)
  expect(complaints).toEqual([])
  await page.close()
})

function connect(url: string, secret: string, appName = 'till'): Unleash {
  const customHeaders = { Authorization: secret }
  const sdk = ignoreLateErrors(
    new Unleash({ url, appName, customHeaders, storageProvider: new InMemStorageProvider() }),
  )
  sdk.on('error', () => undefined)
  return sdk
}

test('a token is for no other environment where the environments come late', async () => {
  await ui.call('POST', '/api/admin/environments', { name: 'aaa-live', type: 'production', sortOrder: 1 })
  await ui.call('POST', '/api/admin/projects', { id: 'quay', name: 'Quay', environments: ['aaa-live', 'development'] })
  const { page, complaints } = await openPage(browser)
  await logIn(page, ui.url, ADMIN)
  await page.route('**/api/admin/environments', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1500))
    await route.continue()
  })
  await page.goto(`${ui.url}/connect?sdk=node&project=quay`)
  await page.getByRole('button', { name: 'Create token' }).click()
  await page.getByText('Token created and added').waitFor()
  await page.goto(`${ui.url}/tokens`)
  await page.getByRole('button', { name: 'Create token' }).first().click()
  await page.getByRole('dialog').getByLabel('Name').fill('pressed early')
  await page.getByRole('dialog').getByRole('button', { name: 'Create token' }).click()
  await page.getByRole('dialog').getByRole('group').first().waitFor()
  const { tokens } = await ui.call<{ tokens: { tokenName: string; environment: string }[] }>(
    'GET',
    '/api/admin/api-tokens',
  )
  const of = (name: string) => tokens.filter(({ tokenName }) => tokenName.includes(name)).map((one) => one.environment)
  expect(of('pressed early')).toEqual(['aaa-live'])
  expect(of('Node')).not.toContain('aaa-live')
  expect(complaints).toEqual([])
  await page.close()
})
