import { writeFileSync } from 'node:fs'
import type { ReleasePlan } from '@burgee/protocol/administration/release-plan'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withBrowser } from '../../support/browser-hooks.ts'
import { until } from '../../support/wait.ts'
import { untilFaded, violationsOf } from '../support/axe.ts'
import { type Complaints, logIn, openPage, told } from '../support/ui-page.ts'
import { ADMIN, FLAGS, startUi, type UiServer } from '../support/ui-server.ts'
import { visitAfresh } from '../support/visit.ts'

/**
 * A guarded release as a new user performs it: template, plan on a flag, metric, safeguard, trip, step back. Only
 * visible names are used to get from one step to the next.
 */
const FLAG = '/projects/default/features/new-checkout'
const PLANS = `${FLAGS}/new-checkout/environments/development/release-plans`
let ui: UiServer
let browser: Browser
let page: Page
let complaints: Complaints
let client = ''

withBrowser(startUi, async (...started) => {
  ;[browser, ui] = started
  await ui.call('POST', FLAGS, { name: 'new-checkout' })
  const token = { tokenName: 'shop', type: 'client', environment: 'development', projects: ['*'] }
  client = (await ui.call<{ secret: string }>('POST', '/api/admin/api-tokens', token)).secret
})

beforeAll(async () => {
  ;({ page, complaints } = await openPage(browser))
  await logIn(page, ui.url, ADMIN)
})
afterAll(async () => {
  expect(complaints).toEqual([])
  await page.close()
})

/** Reports errors of an application, as an SDK does. */
async function report(value: number): Promise<void> {
  const labels = { appName: 'shop', environment: 'development' }
  const impactMetrics = [{ name: 'errors', help: 'Failed requests', type: 'counter', samples: [{ labels, value }] }]
  const reply = await fetch(`${ui.url}/api/client/metrics`, {
    method: 'POST',
    headers: { authorization: client, 'content-type': 'application/json' },
    body: JSON.stringify({ appName: 'shop', instanceId: 'one', bucket: null, impactMetrics }),
  })
  expect(reply.status).toBe(202)
}

const button = (name: string | RegExp) => page.getByRole('button', { name, exact: typeof name === 'string' })
const dialog = () => page.getByRole('dialog').last()
const plan = (): Locator => page.getByRole('region', { name: 'Release plan Careful' })
const readPlan = async (): Promise<ReleasePlan | undefined> => (await ui.call<ReleasePlan[]>('GET', PLANS))[0]

/** Expects no axe violations in the light theme, the dark theme and a narrow window; saves screenshots if requested. */
async function look(name: string): Promise<void> {
  const folder = process.env.PICTURES
  for (const [theme, width, height] of [
    ['light', 1280, 900],
    ['dark', 1280, 900],
    ['light', 390, 844],
  ] as const) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' })
    await page.setViewportSize({ width, height })
    await untilFaded(page)
    if (folder !== undefined) writeFileSync(`${folder}/${name}-${theme}-${width}.png`, await page.screenshot())
    expect(await violationsOf(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await page.setViewportSize({ width: 1280, height: 900 })
}

describe('a guarded release', () => {
  test('begins with a template, found through the palette', async () => {
    await button(/^Find anything/).click()
    await page.keyboard.type('milestones')
    await page.getByRole('option', { name: /Release templates/ }).click()
    await page.getByRole('heading', { name: 'Release templates', level: 1 }).waitFor()
    await look('templates-empty')
    await button('Create template').first().click()
    await dialog().getByRole('button', { name: 'Save' }).click()
    const name = dialog().getByRole('textbox', { name: 'Name', exact: true })
    expect(await name.evaluate((field) => field.matches(':focus:invalid'))).toBe(true)
    await name.fill('Careful')
    await button('Edit strategy 1 of milestone 1').click()
    await dialog().getByText('25', { exact: true }).click()
    await dialog().getByRole('textbox', { name: 'Name of milestone 1' }).fill('25%')
    await button('Edit strategy 1 of milestone 1').click()
    await dialog().getByText('25% of users').waitFor()
    await look('template')
    await dialog().getByRole('button', { name: 'Save' }).click()
    await told(page, 'Saved template Careful')
    await page
      .getByRole('row', { name: /Careful/ })
      .getByText('50%')
      .waitFor()
    await look('templates')
  })

  test('shows what each milestone changes before the plan is saved', async () => {
    await visitAfresh(page, `${ui.url}${FLAG}`)
    await button('Start release plan in development').click()
    await dialog().getByText('25% → 50%: adds 25%; no one loses it.').waitFor()
    await look('start-plan')
    await dialog().getByRole('button', { name: 'Start release plan' }).click()
    await told(page, 'Release plan started')
    await plan().getByText('1 of 3').waitFor()
    await plan().getByText('Waits until the flag is on').first().waitFor()
    await ui.call('POST', `${FLAGS}/new-checkout/environments/development/on`)
    await plan().getByText('Running').waitFor()
    await plan().getByText('in 24 hours').waitFor()
    await look('plan')
  })

  test('goes on, is paused, and each step can be undone', async () => {
    await plan().getByRole('button', { name: 'Pause' }).click()
    await told(page, 'Release plan paused')
    await plan().getByText('Paused', { exact: true }).waitFor()
    const message = page.getByRole('alert').filter({ hasText: 'Release plan paused' })
    await message.getByRole('button', { name: 'Undo' }).click()
    await told(page, 'Change undone')
    await plan().getByText('Running').waitFor()
    await plan().getByRole('button', { name: 'Start 50%' }).click()
    await told(page, 'Milestone 50% started')
    await plan().getByText('2 of 3').waitFor()
    await plan().getByText('50% of users').waitFor()
  })

  test('has a metric as soon as an application reports one', async () => {
    await report(0)
    await report(3)
    await until(async () => {
      const { metrics } = await ui.call<{ metrics: unknown[] }>('GET', '/api/admin/impact-metrics/metrics')
      return metrics.length > 0
    })
    await page.getByRole('link', { name: 'Insights' }).click()
    await page.getByRole('tab', { name: 'Metrics' }).click()
    await page.getByText('Failed requests').waitFor()
    await page.getByRole('slider', { name: 'errors in development' }).waitFor()
    await look('metrics')
  })

  test('gets a safeguard', async () => {
    await visitAfresh(page, `${ui.url}${FLAG}`)
    await plan().getByRole('button', { name: 'Add safeguard' }).click()
    await dialog().getByRole('combobox', { name: 'Metric' }).fill('errors')
    await dialog().getByRole('textbox', { name: 'Threshold' }).fill('10')
    await dialog().getByRole('combobox', { name: 'Then' }).selectOption({ label: 'Pause the plan' })
    await dialog().getByText('If errors > 10 in the last hour: Pause the plan.').waitFor()
    await look('safeguard')
    await dialog().getByRole('button', { name: 'Save' }).click()
    await told(page, 'Safeguard saved')
    await plan().getByText('errors > 10').waitFor()
    await look('safeguard-chip')
  })

  test('pauses when the safeguard trips, and shows the observed value', async () => {
    await report(40)
    await until(async () => (await readPlan())?.safeguards[0]?.status === 'tripped', 150_000)
    const notice = page.getByRole('alert').filter({ hasText: 'Safeguard tripped: errors > 10' })
    await notice.getByText('Nothing resumes automatically.').waitFor()
    await notice.getByText(/Observed 4\d, threshold 10/).waitFor()
    await look('tripped')
    await visitAfresh(page, `${ui.url}/projects/default`)
    await page.getByText('2 of 3, paused: errors > 10').waitFor()
    await look('list')
  }, 180_000)

  test('steps back, and stays paused until a person resumes it', async () => {
    await visitAfresh(page, `${ui.url}${FLAG}`)
    await plan().getByRole('button', { name: 'Back to 25%' }).click()
    await told(page, 'Milestone 25% started')
    await plan().getByText('1 of 3').waitFor()
    await plan().getByText('Paused', { exact: true }).waitFor()
    await plan().getByRole('button', { name: 'Resume' }).click()
    await dialog().getByRole('button', { name: 'Resume' }).click()
    await told(page, 'Release plan resumed')
    expect((await readPlan())?.safeguards[0]?.trip).toBeNull()
  })

  test('ends with the plan', async () => {
    await plan()
      .getByRole('button', { name: /^More: release plan/ })
      .click()
    await page.getByRole('menuitem', { name: 'Remove release plan' }).click()
    await dialog().getByRole('button', { name: 'Remove release plan' }).click()
    await told(page, 'Release plan removed')
    expect(await readPlan()).toBeUndefined()
  })
})
