import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { withBrowser } from '../../support/browser-hooks.ts'
import { violationsOf } from '../support/axe.ts'
import { type Complaints, logIn, openPage } from '../support/ui-page.ts'
import { ADMIN, FLAGS, startUi, type UiServer } from '../support/ui-server.ts'
import { visitAfresh } from '../support/visit.ts'

/** Panel of the flag page that evaluates the flag for a person. */
let ui: UiServer
let page: Page
let complaints: Complaints

const panel = () => page.getByRole('complementary', { name: 'Test' })
const results = () => panel().getByRole('region', { name: 'Results' }).getByRole('region')

withBrowser(startUi, async (browser, started) => {
  ui = started
  await ui.call('POST', '/api/admin/context', {
    name: 'country',
    legalValues: [{ value: 'DE' }, { value: 'AT' }],
  })
  const constraints = [{ contextName: 'plan', operator: 'IN', values: ['pro'] }]
  const segment = await ui.call<{ id: number }>('POST', '/api/admin/segments', { name: 'Pro', constraints })
  await ui.call('POST', FLAGS, { name: 'tested' })
  await ui.call('POST', FLAGS, { name: 'other' })
  await ui.call('POST', `${FLAGS}/tested/environments/development/strategies`, {
    name: 'flexibleRollout',
    parameters: { rollout: '25', stickiness: 'userId', groupId: 'tested' },
    constraints: [{ contextName: 'country', operator: 'IN', values: ['DE'] }],
    segments: [segment.id],
  })
  await ui.call('POST', `${FLAGS}/tested/environments/production/strategies`, { name: 'default' })
  for (const name of ['development', 'production']) await ui.call('POST', `${FLAGS}/tested/environments/${name}/on`)
  ;({ page, complaints } = await openPage(browser, { viewport: { width: 1440, height: 900 } }))
  await logIn(page, ui.url, ADMIN)
})
beforeEach(async () => {
  await visitAfresh(page, `${ui.url}/projects/default/features/tested`)
  await page.getByRole('button', { name: 'Test', exact: true }).click()
})

test('the fields that a flag reads are offered with their legal values, and nothing else', async () => {
  await panel().getByRole('combobox', { name: 'country' }).and(page.locator(':focus')).waitFor()
  const labels = await panel().locator('label').allInnerTexts()
  expect(labels).toEqual(['country', 'plan', 'userId'])
  await page.getByRole('option', { name: 'AT' }).click()
  expect(await panel().getByRole('combobox', { name: 'country' }).inputValue()).toBe('AT')
})

test('results follow while typing, production first, with every failed condition, each marked in its strategy', async () => {
  await results().first().getByText('On: ').waitFor()
  expect(await results().evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')))).toEqual([
    'Result in production',
    'Result in development',
  ])
  const asked = page.waitForRequest(
    (request) => /playground/.test(request.url()) && /"country":"AT"/.test(request.postData() ?? ''),
  )
  await panel().getByRole('combobox', { name: 'country' }).fill('AT')
  await panel().getByRole('combobox', { name: 'plan' }).fill('free')
  await panel().getByRole('combobox', { name: 'userId' }).fill('42')
  const body = (await asked).postDataJSON()
  expect(body).toMatchObject({ features: ['tested'], environments: ['production', 'development'] })
  const why = results().nth(1)
  await why
    .getByText(
      /country is DE: not met \(country is “AT”\); segment Pro does not match; userId “42”: bucket \d+ is above 25/,
    )
    .waitFor()
  const card = page.getByRole('region', { name: 'development', exact: true }).getByRole('list', { name: 'Strategies' })
  await card.locator('[data-failed]').nth(2).waitFor()
  expect(await card.locator('[data-failed]').allInnerTexts()).toEqual([
    expect.stringContaining('25% of users'),
    'country is DE',
    'segment is Pro',
  ])
  await panel().getByRole('combobox', { name: 'country' }).fill('DE')
  await card.locator('[data-failed]').filter({ hasText: 'country' }).waitFor({ state: 'detached' })
  await page.getByRole('option', { name: 'DE' }).click()
  await page.keyboard.press('Escape')
  await panel().waitFor({ state: 'detached' })
  await card.locator('[data-failed]').first().waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Test', exact: true }).and(page.locator(':focus')).waitFor()
  expect(complaints).toEqual([])
})

test('a person is saved for the next time, fills the fields, goes on to the playground, and can be removed', async () => {
  await panel().getByRole('combobox', { name: 'country' }).fill('DE')
  await panel().getByRole('combobox', { name: 'plan' }).fill('pro')
  await panel().getByRole('textbox', { name: 'Name of the person' }).fill('Anna, DE, pro')
  await panel().getByRole('button', { name: 'Save person' }).click()
  await page.reload()
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  await panel().getByRole('button', { name: 'Anna, DE, pro', exact: true }).click()
  expect(await panel().getByRole('combobox', { name: 'plan' }).inputValue()).toBe('pro')
  expect(await violationsOf(page)).toEqual([])
  await panel().getByRole('link', { name: 'Open in playground' }).click()
  await page.getByRole('heading', { name: 'Playground', level: 1 }).waitFor()
  const { searchParams } = new URL(page.url())
  expect(Object.fromEntries(searchParams)).toMatchObject({ q: 'tested', props: 'country=DE\nplan=pro' })
  await page.goBack()
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  await panel().getByRole('button', { name: 'Remove Anna, DE, pro' }).click()
  expect(await panel().getByRole('list', { name: 'Saved people' }).count()).toBe(0)
})

test.each([390, 768, 1440, 1920])('the panel fits at a width of %i', async (width) => {
  await page.setViewportSize({ width, height: 844 })
  const place = width <= 900 ? page.getByRole('dialog', { name: 'Test' }) : panel()
  await place.getByRole('combobox', { name: 'country' }).waitFor()
  const box = await place.boundingBox()
  if (width === 390) expect(box).toMatchObject({ x: 0, width: 390 })
  if (width > 900) {
    const strategies = await page.getByRole('region', { name: 'development', exact: true }).boundingBox()
    expect((strategies?.x ?? 0) + (strategies?.width ?? 0)).toBeLessThanOrEqual(box?.x ?? 0)
  }
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
  expect(await violationsOf(page)).toEqual([])
})
