import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withBrowser } from '../../support/browser-hooks.ts'
import { type Complaints, logIn, openPage, told } from '../support/ui-page.ts'
import { ADMIN, FLAGS, startUi, type UiServer } from '../support/ui-server.ts'
import { visit } from '../support/visit.ts'

interface State {
  readonly enabled: boolean
  readonly strategies: readonly { readonly parameters: { readonly rollout: string } }[]
}

let ui: UiServer
let browser: Browser
let page: Page
let complaints: Complaints

const share = (rollout: string) => ({ name: 'flexibleRollout', parameters: { rollout } })
const place = (flag: string, environment: string) => `${FLAGS}/${flag}/environments/${environment}`
const rollouts = async (flag: string): Promise<string[]> =>
  (await ui.call<State>('GET', place(flag, 'production'))).strategies.map(({ parameters }) => parameters.rollout)

withBrowser(startUi, async (...started) => {
  ;[browser, ui] = started
  for (const name of ['checkout', 'search', 'same']) await ui.call('POST', FLAGS, { name })
  for (const name of ['checkout', 'search']) {
    await ui.call('POST', `${place(name, 'development')}/strategies`, share('50'))
    await ui.call('POST', `${place(name, 'development')}/on`)
  }
  await ui.call('POST', `${place('checkout', 'production')}/strategies`, share('25'))
  await ui.call('POST', `${place('checkout', 'production')}/on`)
})
beforeAll(async () => {
  ;({ page, complaints } = await openPage(browser))
  await logIn(page, ui.url, ADMIN)
})
afterAll(() => expect(complaints).toEqual([]))

const panel = (name: string) => page.getByRole('dialog', { name })
const confirm = (action: string) =>
  page.getByRole('dialog', { name: /\?$/ }).getByRole('button', { name: action }).click()
const row = (flag: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('link', { name: flag, exact: true }) })

describe('two environments', () => {
  test('compare as a matrix that marks only what differs, with sentences behind a disclosure', async () => {
    await page.getByRole('link', { name: 'Compare' }).click()
    await page.getByRole('heading', { name: 'Compare environments', level: 1 }).waitFor()
    await page.getByText('2 flags differ, 1 is the same').waitFor()
    const marked = (flag: string) => row(flag).locator('[data-differs]').allInnerTexts()
    expect(await marked('checkout')).toEqual(['50%', '25%'])
    expect(await marked('search')).toEqual(['On', '50%', 'Off', 'No strategies'])
    expect((await row('checkout').boundingBox())?.height).toBeLessThanOrEqual(46)
    expect(await row('checkout').getByText('50% of users').count()).toBe(0)
    await row('checkout').getByRole('button', { name: 'Details of checkout: Strategies', expanded: false }).click()
    await row('checkout').getByText('1. 50% of users').waitFor()
    await row('checkout').getByText('1. 25% of users').waitFor()
    await row('search').getByRole('button', { name: 'Details of search: On or off, Strategies' }).waitFor()
    expect(await row('same').count()).toBe(0)
    await page.getByRole('checkbox', { name: 'Only differences' }).click()
    await row('same').getByText('The same').waitFor()
    expect(page.url()).toContain('equal=true')
    await page.getByRole('button', { name: 'Swap the environments' }).click()
    await page.waitForURL(/from=production&to=development/)
    await expect.poll(() => marked('search')).toEqual(['Off', 'No strategies', 'On', '50%'])
  })

  test('become equal in one step that shows what it opens, and back', async () => {
    await visit(page, `${ui.url}/projects/default/compare`)
    await page.getByRole('button', { name: 'Select all that differ' }).click()
    await page.getByRole('toolbar', { name: '2 selected' }).waitFor()
    await page.getByRole('button', { name: 'Promote to production' }).click()
    const promote = panel('Promote 2 flags to production')
    await promote.getByText('On in production, so changes take effect immediately: checkout.').waitFor()
    await promote.getByText('Off in production, and stays off: search.').waitFor()
    await promote.getByRole('button', { name: 'Change 2 flags in production' }).click()
    expect(await rollouts('checkout')).toEqual(['25'])
    await confirm('Change 2 flags in production')
    await told(page, 'Changed 2 flags in production')
    expect(await rollouts('checkout')).toEqual(['50'])
    expect(await ui.call('GET', place('search', 'production'))).toMatchObject({ enabled: false })
    await page.getByText('1 flag differs, 2 are the same').waitFor()
    await page.getByRole('alert').getByRole('button', { name: 'Undo' }).click()
    await told(page, 'Change undone')
    expect([await rollouts('checkout'), await rollouts('search')]).toEqual([['25'], []])
    await page.getByText('2 flags differ, 1 is the same').waitFor()
  })

  test('never become equal unseen: a flag that changed is named and shown as it is now', async () => {
    await visit(page, `${ui.url}/projects/default/compare?flags=search`)
    await page.getByText('Only 1 flag').waitFor()
    await page.getByRole('checkbox', { name: 'Select search' }).click()
    await page.getByRole('button', { name: 'Promote to production' }).click()
    const promote = panel('Promote 1 flag to production')
    await promote.getByRole('checkbox', { name: 'On or off' }).click()
    await promote.getByText('Turned on in production: search.').waitFor()
    await ui.call('POST', `${place('search', 'development')}/strategies`, share('75'))
    await promote.getByRole('button', { name: 'Change 1 flag in production' }).click()
    await confirm('Change 1 flag in production')
    await promote
      .getByText(
        'No changes made: these flags have changed since the preview: search. The preview now shows their current state.',
      )
      .waitFor()
    await promote.getByText('2. 75% of users').waitFor()
    expect(await rollouts('search')).toEqual([])
    await promote.getByRole('button', { name: 'Change 1 flag in production' }).click()
    await confirm('Change 1 flag in production')
    await told(page, 'Changed 1 flag in production')
    expect(await ui.call('GET', place('search', 'production'))).toMatchObject({ enabled: true })
    expect(await rollouts('search')).toEqual(['50', '75'])
    await page.getByRole('heading', { name: 'No differences' }).waitFor()
  })
})

describe('strategies of a flag', () => {
  test('can be copied from another environment', async () => {
    await visit(page, `${ui.url}/projects/default/features/checkout`)
    // this also works if the page has not yet loaded the list of environments
    await page.getByRole('button', { name: 'Copy strategies from … to production' }).click()
    await panel('Copy strategies of checkout to production')
      .getByRole('button', { name: 'Change 1 flag in production' })
      .click()
    await page.getByRole('dialog', { name: /\?$/ }).getByRole('button', { name: 'Cancel' }).click()
    expect(await rollouts('checkout')).toEqual(['25'])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Copy strategies from … to development' }).click()
    const copy = panel('Copy strategies of checkout to development')
    await copy.getByText('production → development').waitFor()
    await copy.getByText('1. 25% of users').waitFor()
    await copy.getByRole('button', { name: 'Change 1 flag in development' }).click()
    await told(page, 'Changed 1 flag in development')
    const { strategies } = await ui.call<State>('GET', place('checkout', 'development'))
    expect(strategies).toMatchObject([{ parameters: { rollout: '25' } }])
    await page.getByRole('region', { name: 'development' }).getByText('25% of users').waitFor()
    await page.getByRole('link', { name: 'Compare environments' }).click()
    await row('checkout').getByText('The same').waitFor()
  })

  test('go into a draft where changes are approved first', async () => {
    const path = '/api/admin/projects/default/environments/production/change-requests/config'
    await ui.call('PUT', path, { changeRequestsEnabled: true })
    await ui.call('POST', `${place('checkout', 'development')}/strategies`, share('10'))
    await visit(page, `${ui.url}/projects/default/features/checkout`)
    await page.getByRole('region', { name: 'production' }).getByText('Needs approval').first().waitFor()
    await page.getByRole('button', { name: 'Copy strategies from … to production' }).click()
    const copy = panel('Copy strategies of checkout to production')
    await copy.getByText('Saving adds this to your draft').waitFor()
    await copy.getByText('On in production, so changes take effect when the change request is applied').waitFor()
    expect(await copy.getByText('immediately').count()).toBe(0)
    await copy.getByText('2. 10% of users').waitFor()
    await copy.getByRole('button', { name: 'Add to draft' }).click()
    await told(page, 'Added to your draft for production')
    expect(await rollouts('checkout')).toEqual(['25'])
    await page.getByText('1 unsent change for production').waitFor()
  })

  test('compare for the selected flags, on a phone too', async () => {
    await visit(page, `${ui.url}/projects/default`)
    await page.getByRole('checkbox', { name: 'Select checkout' }).click()
    await page.getByRole('toolbar').getByRole('button', { name: 'Compare' }).click()
    await page.getByText('Only 1 flag').waitFor()
    await row('checkout').getByRole('button', { name: 'Details of checkout: Strategies' }).click()
    await row('checkout').getByText('2. 10% of users').waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await page.getByRole('button', { name: 'Compare all flags' }).click()
    await page.getByText('1 flag differs, 2 are the same').waitFor()
  })
})
