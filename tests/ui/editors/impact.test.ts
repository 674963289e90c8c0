import type { Browser, Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { withBrowser } from '../../support/browser-hooks.ts'
import { type Complaints, flip, logIn, openPage, speak, told } from '../support/ui-page.ts'
import { ADMIN, FLAGS, startUi, type UiServer } from '../support/ui-server.ts'

/** Impact of an edit, shown next to Save: in general, and for sampled front ends, in one of two environments. */
const EDITOR = { username: 'other', password: 'yet-another-horse-battery' }
const SECRETS = { development: 'default:development.front-end', production: 'default:production.front-end' }
const USERS = 40

let ui: UiServer
let page: Page
let theirs: Page
let complaints: Complaints

const start = () => startUi({ INIT_FRONTEND_API_TOKENS: Object.values(SECRETS).join(',') })
withBrowser(start, async (browser: Browser, started) => {
  ui = started
  await ui.call('POST', '/api/admin/user-admin', { ...EDITOR, rootRole: 2 })
  await ui.call('POST', FLAGS, { name: 'checkout' })
  for (const environment of Object.keys(SECRETS)) {
    const there = `${FLAGS}/checkout/environments/${environment}`
    const parameters = { rollout: '25', stickiness: 'default', groupId: 'checkout' }
    await ui.call('POST', `${there}/strategies`, { name: 'flexibleRollout', parameters })
    await ui.call('POST', `${there}/on`)
  }
  const opened = await openPage(browser)
  page = opened.page
  complaints = opened.complaints
  theirs = (await openPage(browser)).page
  await logIn(page, ui.url, ADMIN)
  await logIn(theirs, ui.url, EDITOR)
})

/** Simulates front ends that request their flags. Returns the number of front ends that got the flag. */
async function evaluate(environment: keyof typeof SECRETS): Promise<number> {
  const answers = Array.from({ length: USERS }, async (_none, user) => {
    const headers = { authorization: SECRETS[environment] }
    const reply = await fetch(`${ui.url}/api/frontend?userId=user-${user}`, { headers })
    return ((await reply.json()) as { toggles: { name: string }[] }).toggles.length
  })
  return (await Promise.all(answers)).reduce((sum, one) => sum + one, 0)
}

/** Opens the editor of the only strategy on a newly loaded page. */
async function edit(on: Page, environment: string): Promise<{ editor: Locator; line: Locator; slider: Locator }> {
  await on.goto(`${ui.url}/projects/default/features/checkout`)
  const column = on.getByRole('region', { name: environment })
  await column.getByRole('button', { name: 'Edit', exact: true }).click()
  const editor = on.getByRole('dialog', { name: `Strategy in ${environment}` })
  return { editor, line: editor.getByRole('region', { name: 'What this changes' }), slider: editor.getByRole('slider') }
}

const MORE = '25% → 100%: adds 75%; no one loses it.'
const OFFER = 'Start impact preview for development'

describe('the editor of a strategy', () => {
  test('shows the effect on all users during an edit, without a sample', async () => {
    const { editor, line, slider } = await edit(page, 'development')
    await line.getByText('No change in who gets it.').waitFor()
    await slider.press('End')
    await line.getByText(MORE).waitFor()
    await slider.press('Home')
    await line.getByText('25% → 0%: removes 25%; no one new gets it.').waitFor()
    await editor.getByRole('button', { name: 'Add constraint' }).click()
    // a constraint without a value cannot be saved, so no impact is shown
    await line.getByText('25% → 0%').waitFor({ state: 'hidden' })
    await line.getByText(/Contexts stay in memory, encrypted/).waitFor()
    await line.getByRole('button', { name: OFFER }).waitFor()
  })

  test('offers the sample only to users who can switch it on', async () => {
    const { line, slider } = await edit(theirs, 'development')
    await slider.press('End')
    await line.getByText(MORE).waitFor()
    expect(await line.getByRole('button').count()).toBe(0)
  })

  test('shows how many recent evaluations would change, once an administrator enables sampling in place', async () => {
    const first = await edit(page, 'development')
    await first.slider.press('End')
    await first.line.getByRole('button', { name: OFFER }).click()
    await first.line.getByText('No evaluations of this flag sampled yet.').waitFor()
    await first.line.getByText(MORE).waitFor()
    const [on] = [await evaluate('development'), await evaluate('production')]
    expect(on).toBeGreaterThan(4)
    const { editor, line, slider } = await edit(page, 'development')
    await line.getByText(`None of the last ${USERS} evaluations would change.`).waitFor()
    await slider.press('End')
    const off = USERS - on
    await line.getByText(`${off} of the last ${USERS} evaluations would change: ${off} from off to on.`).waitFor()
    await line.getByText(MORE).waitFor()
    await slider.press('Home')
    await line.getByText(`${on} of the last ${USERS} evaluations would change: ${on} from on to off.`).waitFor()
    await line.getByText(/^Frontend evaluations seen by this server node since/).waitFor()
    await editor.getByRole('button', { name: 'Save' }).click()
    await told(page, 'Strategy saved')
    await page.goto(`${ui.url}/environments?edit=development`)
    const form = page.getByRole('dialog', { name: 'Edit environment' })
    await form.getByText(/never written to disk or a log/).waitFor()
    await form.getByText(`Contexts in memory of this server node: ${USERS}.`).waitFor()
    expect(await form.getByRole('switch', { name: 'Impact preview for recent traffic' }).isChecked()).toBe(true)
  })

  test('shows the same to a user who can only edit, and nothing of another environment', async () => {
    const { line, slider } = await edit(theirs, 'development')
    await slider.press('End')
    await line.getByText(`${USERS} of the last ${USERS} evaluations would change: ${USERS} from off to on.`).waitFor()
    const other = await edit(theirs, 'production')
    await other.slider.press('End')
    await other.line.getByText(MORE).waitFor()
    expect(await other.line.getByText(/evaluations/).count()).toBe(0)
  })

  test('shows it in German', async () => {
    await speak(page, 'de')
    await page.goto(`${ui.url}/projects/default/features/checkout?env=development&strategy=new`)
    const line = page.getByRole('region', { name: 'Auswirkung' })
    await line
      .getByText(`${USERS} der letzten ${USERS} Auswertungen würden sich ändern: ${USERS} von aus auf an.`)
      .waitFor()
    await line.getByText('Alle Benutzer erhalten es.').waitFor()
  })
})

test('the dialog before going live offers the same in place', async () => {
  await ui.call('POST', FLAGS, { name: 'banner' })
  await page.goto(`${ui.url}/projects/default/features/banner?env=production`)
  await flip(page.getByRole('region', { name: 'production' }).getByRole('switch').first())
  const dialog = page.getByRole('dialog', { name: /^Turn banner on/ })
  await dialog.getByRole('button', { name: 'Start impact preview for production' }).click()
  await dialog.getByText('No evaluations of this flag sampled yet.').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
})

test('the editor of variants shows who would get another one', async () => {
  const strategies = `${FLAGS}/checkout/environments/development/strategies`
  await ui.call('POST', strategies, { name: 'default' })
  await page.goto(`${ui.url}/projects/default/features/checkout?env=development&variants=true`)
  const line = page.getByRole('region', { name: 'What this changes' })
  await line.getByText(`None of the last ${USERS} evaluations would change.`).waitFor()
  const editor = page.getByRole('dialog', { name: 'Variants: development' })
  await editor.getByRole('button', { name: 'Add variant' }).click()
  await editor.getByLabel('Name').fill('blue')
  await line.getByText(`${USERS} of the last ${USERS} evaluations would change: ${USERS} to another variant.`).waitFor()
  await line.getByText('No change in who gets it, but users may get another variant.').waitFor()
})

test('no page complained', () => {
  expect(complaints).toEqual([])
})
