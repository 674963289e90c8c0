import type { Browser, Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { withBrowser } from '../../support/browser-hooks.ts'
import { type Complaints, logIn, openPage, speak, told } from '../support/ui-page.ts'
import { ADMIN, FLAGS, startUi, type UiServer } from '../support/ui-server.ts'
import { visit } from '../support/visit.ts'

const FLAG = `${FLAGS}/checkout`
const PAGE = '/projects/default/features/checkout'

let ui: UiServer
let browser: Browser
let page: Page
let complaints: Complaints

withBrowser(startUi, async (...started) => {
  ;[browser, ui] = started
  const { id } = await ui.call<{ id: number }>('POST', '/api/admin/segments', { name: 'staff', constraints: [] })
  await ui.call('POST', FLAGS, { name: 'checkout', description: 'Pay by card' })
  await ui.call('POST', `${FLAG}/environments/development/strategies`, {
    name: 'flexibleRollout',
    parameters: { rollout: '25' },
    segments: [id],
  })
  await ui.call('POST', `${FLAG}/environments/development/on`)
  await ui.call('PUT', FLAG, { description: 'Pay by card or invoice' })
  const constraints = [{ contextName: 'userId', operator: 'IN', values: ['7'] }]
  await ui.call('PUT', `/api/admin/segments/${id}`, { name: 'staff', constraints })
  await ui.call('POST', `${FLAG}/environments/development/off`)
  await ui.call('POST', FLAGS, { name: 'gone' })
  await ui.call('DELETE', `${FLAGS}/gone`)
  await ui.call('DELETE', '/api/admin/archive/gone')
  ;({ page, complaints } = await openPage(browser))
  await logIn(page, ui.url, ADMIN)
})
beforeEach(() => visit(page, `${ui.url}${PAGE}?tab=history`))

const changes = () => page.getByRole('list', { name: 'Changes' })

test('an event leads to the flag as it was, and shows what has changed since', async () => {
  await page.getByRole('button', { name: /^Details: .* turned on checkout/ }).click()
  const then = page.getByRole('link', { name: /^View at this point: checkout/ })
  // the browser would open a new tab; prevented here because the browser driver loses such tabs
  const isLeft = page.evaluate(
    () =>
      new Promise<boolean>((resolve) => {
        const looks = (event: MouseEvent) => {
          resolve(!event.defaultPrevented)
          event.preventDefault()
        }
        addEventListener('click', looks, { once: true })
      }),
  )
  const address = await then.getAttribute('href')
  await then.click({ modifiers: ['ControlOrMeta'] })
  expect(await isLeft).toBe(true)
  const tab = await page.context().newPage()
  await tab.goto(new URL(address ?? '', ui.url).href)
  await tab.getByText('Read-only view of the past').waitFor()
  await tab.close()
  await then.click()
  await page.getByText('Read-only view of the past').waitFor()
  const development = page.getByRole('region', { name: 'development' })
  await development.getByText('On', { exact: true }).waitFor()
  await development.getByText(/25% of users where segment is staff/).waitFor()
  expect(await development.getByRole('button').allInnerTexts()).toEqual(['Restore'])
  await changes().getByText('Description changed').waitFor()
  expect(await changes().locator('del').first().innerText()).toBe('Pay by card')
  expect(await changes().locator('ins').first().innerText()).toBe('Pay by card or invoice')
  await changes().getByText('Turned off').waitFor()
  await changes().getByText('Segment staff changed').waitFor()
  expect(new URL(page.url()).searchParams.get('event')).toMatch(/^\d+$/)
  await page.reload()
  await changes().getByText('Turned off').waitFor()
  await page.getByRole('button', { name: 'Back to now' }).click()
  await page.getByRole('list', { name: 'Events, newest first' }).waitFor()
  expect(complaints).toEqual([])
})

test('an environment is restored after a confirmation that names whom that lets in', async () => {
  const { events } = await ui.call<{ events: { id: number; type: string }[] }>('GET', '/api/admin/events/checkout')
  const on = events.find(({ type }) => type === 'feature-environment-enabled')?.id
  await visit(page, `${ui.url}${PAGE}?tab=history&event=${on}`)
  await page.getByRole('button', { name: 'Restore development to this state' }).click()
  const dialog = page.getByRole('dialog', { name: 'Restore checkout' })
  await dialog.getByText('The flag is off in development and will be turned on.').waitFor()
  await dialog.getByText('Turned on', { exact: true }).waitFor()
  await dialog.getByRole('button', { name: 'Restore' }).click()
  await told(page, 'Restored checkout in development')
  const { environments } = await ui.call<{ environments: { name: string; enabled: boolean }[] }>('GET', FLAG)
  expect(environments.find(({ name }) => name === 'development')?.enabled).toBe(true)
  await page.getByRole('button', { name: 'Restore development to this state' }).click()
  await dialog.getByRole('checkbox', { name: 'Description, type' }).waitFor()
  // the preview of the first restore is shown until the new one has loaded
  await expect.poll(() => dialog.getByRole('checkbox').count()).toBe(1)
  await page.keyboard.press('Escape')
  await ui.call('POST', `${FLAG}/environments/development/off`)
  // needs confirmation because it affects real users
  const production = `${FLAG}/environments/production/strategies`
  await ui.call('POST', production, { name: 'default' })
  await visit(page, `${ui.url}${PAGE}?tab=history&event=${on}`)
  await page.getByRole('button', { name: 'Restore production to this state' }).click()
  const question = page.getByRole('dialog', { name: 'Restore checkout in production?' })
  for (const [answer, left] of [
    ['Cancel', 1],
    ['Restore', 0],
  ] as const) {
    await dialog.getByRole('button', { name: 'Restore' }).click()
    await question.getByRole('button', { name: answer }).click()
    if (left === 0) await told(page, 'Restored checkout in production')
    expect(await ui.call<unknown[]>('GET', production)).toHaveLength(left)
  }
  expect(complaints).toEqual([])
})

test('the details of the flag are brought back, and nothing else', async () => {
  const { events } = await ui.call<{ events: { id: number; type: string }[] }>('GET', '/api/admin/events/checkout')
  const made = events.find(({ type }) => type === 'feature-created')?.id
  await ui.call('POST', `${FLAG}/environments/development/on`)
  await visit(page, `${ui.url}${PAGE}?tab=history&event=${made}`)
  const restore = page.getByRole('button', { name: 'Restore details' })
  const dialog = page.getByRole('dialog', { name: 'Restore checkout' })
  await restore.click()
  await dialog.getByText('Description changed').waitFor()
  expect(await dialog.locator('ins').innerText()).toBe('Pay by card')
  await dialog.getByRole('button', { name: 'Restore' }).click()
  await told(page, 'Restored the details of checkout')
  const flag = await ui.call<{ description: string; environments: { name: string; enabled: boolean }[] }>('GET', FLAG)
  expect(flag.description).toBe('Pay by card')
  expect(flag.environments.find(({ name }) => name === 'development')?.enabled).toBe(true)
  await restore.click()
  expect(await dialog.getByRole('checkbox', { name: 'Description, type' }).count()).toBe(0)
  await page.keyboard.press('Escape')
  expect(complaints).toEqual([])
})

test('a time is chosen, also to compare with', async () => {
  const time = page.getByLabel('View the flag at a date')
  await time.fill('2020-01-31T12:00')
  await page.getByRole('button', { name: 'Show' }).click()
  await page.getByText('The flag did not exist at that time.').waitFor()
  await changes().getByText('Flag created').waitFor()
  await page.getByText('Another time').click()
  const other = page.getByLabel('Compared with').and(page.locator('input[type=datetime-local]'))
  await other.fill('2020-02-01T12:00')
  await page.getByRole('button', { name: 'Show' }).click()
  await page.getByText('No changes.').waitFor()
  expect(new URL(page.url()).searchParams.get('toAt')).toContain('2020-02-01')
})

test('the log leads to flags that are gone', async () => {
  await visit(page, `${ui.url}/events?flag=gone`)
  await page.getByRole('button', { name: /^Details: .* archived flag gone/ }).click()
  await page.getByRole('link', { name: /^View at this point: gone/ }).click()
  await page.getByText('Archived', { exact: true }).waitFor()
  await changes().getByText('Flag deleted').waitFor()
})

test('unknown history is explained with a link to the known part; in German as well', async () => {
  await page.route('**/history?*', async (route) => {
    if (!route.request().url().includes('event=1&') && !route.request().url().endsWith('event=1'))
      return route.continue()
    const reply = await route.fetch()
    const json = await reply.json()
    const knownFrom = { eventId: 4, at: '2030-01-31T12:00:00.000Z', why: 'imported' }
    await route.fulfill({
      json: { ...json, moment: { ...json.moment, isKnown: false, flag: null, knownFrom }, changes: null },
    })
  })
  await visit(page, `${ui.url}${PAGE}?tab=history&event=1`)
  await page.getByText('was imported without its earlier history').waitFor()
  await page.getByText('they cannot be compared').waitFor()
  await speak(page, 'de')
  await page.getByText('Der Verlauf beginnt am').waitFor()
  await page.getByRole('button', { name: 'Ältesten bekannten Zustand anzeigen' }).click()
  await expect.poll(() => new URL(page.url()).searchParams.get('event')).toBe('4')
})
