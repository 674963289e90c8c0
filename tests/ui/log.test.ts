import { readFile } from 'node:fs/promises'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withBrowser } from '../support/browser-hooks.ts'
import { type Complaints, logIn, openPage, speak, told } from './support/ui-page.ts'
import { ADMIN, FLAGS, startUi, type UiServer, VIEWER } from './support/ui-server.ts'
import { visit } from './support/visit.ts'

let ui: UiServer
let browser: Browser

withBrowser(startUi, async (...started) => {
  ;[browser, ui] = started
  for (const name of ['first', 'second', 'third']) await ui.call('POST', FLAGS, { name })
  for (let tag = 0; tag < 20; tag++) {
    await ui.call('POST', '/api/admin/features/third/tags', { type: 'simple', value: `tag ${tag}` })
  }
  await ui.call('POST', '/api/admin/user-admin', { ...VIEWER, rootRole: 3 })
})

const turnOn = (flag: string, environment = 'development') =>
  ui.call('POST', `${FLAGS}/${flag}/environments/${environment}/on`)

describe('the event log', () => {
  let page: Page
  let complaints: Complaints
  const asked: URL[] = []

  beforeAll(async () => {
    ;({ page, complaints } = await openPage(browser))
    page.on('request', (request) => {
      if (request.url().includes('/search/events')) asked.push(new URL(request.url()))
    })
    await logIn(page, ui.url, ADMIN)
    await visit(page, `${ui.url}/events`)
    await rows().first().waitFor()
  })
  afterAll(() => page.close())

  const list = () => page.getByRole('list', { name: 'Events, newest first' })
  const rows = (type?: string) => list().locator(type === undefined ? 'li[data-type]' : `li[data-type="${type}"]`)
  const row = (text: string | RegExp) => rows().filter({ hasText: text })
  const undo = (of: Locator, what = '') => of.getByRole('button', { name: new RegExp(`^Revert: ${what}`) }).click()

  test('shows what happens while one looks, without a reload', async () => {
    await turnOn('first')
    await row(/^A?admin turned on first in development/).waitFor()
    const types = await rows().evaluateAll((all) => all.map((one) => one.getAttribute('data-type')))
    expect(types.slice(0, 2)).toEqual(['feature-environment-enabled', 'feature-strategy-add'])
    expect(new Set(types.slice(0, 3)).size).toBe(3)
  })

  test('requests only newer events', async () => {
    const polls = asked.filter((url) => url.searchParams.has('afterId'))
    expect(polls.length).toBeGreaterThan(0)
    expect(asked.length - polls.length).toBe(1)
  })

  test('does not move while it is read: new events wait until they are requested', async () => {
    const main = page.getByRole('main')
    await main.evaluate((box) => box.scrollTo(0, 600))
    const middle = rows().nth(10)
    const before = await middle.boundingBox()
    await turnOn('second')
    const button = page.getByRole('button', { name: 'Show 2 new events' })
    await button.waitFor()
    expect((await middle.boundingBox())?.y).toBe(before?.y)
    expect(await row('second').filter({ hasText: 'turned on' }).count()).toBe(0)
    await button.click()
    await row('second').filter({ hasText: 'turned on' }).waitFor()
    expect(await main.evaluate((box) => box.scrollTop)).toBe(0)
  })

  test('filters by what, flag, environment and text, all in the address', async () => {
    expect(await page.getByRole('combobox', { name: 'Event' }).count()).toBe(0)
    await page.getByRole('button', { name: 'More filters', exact: true }).press('Enter')
    await page.getByRole('combobox', { name: 'Event' }).fill('turned on')
    await page.getByRole('option', { name: 'Flag turned on' }).click()
    await page.getByText('2 events').waitFor()
    await page.getByLabel('Flag', { exact: true }).fill('second')
    await page.getByText('1 event', { exact: true }).waitFor()
    expect(new URL(page.url()).search).toBe('?type=feature-environment-enabled&flag=second')
    await page.getByRole('button', { name: 'More filters (2)', expanded: true }).waitFor()
    await page.getByRole('combobox', { name: 'Environment' }).click()
    await page.getByRole('option', { name: 'production' }).click()
    await page.getByText('No matching events').waitFor()
    await page.goBack()
    await page.getByText('1 event', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByText(/\d\d events/).waitFor()
    expect(await page.getByLabel('Flag', { exact: true }).inputValue()).toBe('')
    await page.getByLabel('Search').fill('SECON')
    await page.getByText('3 events').waitFor()
  })

  test('filters by local day and by actor', async () => {
    const day = (offset: number): string => new Date(Date.now() + offset * 86_400_000).toLocaleDateString('en-CA')
    await visit(page, `${ui.url}/events?from=${day(1)}`)
    await page.getByText('No matching events').waitFor()
    await visit(page, `${ui.url}/events?from=${day(-1)}&to=${day(1)}&by=nobody`)
    await page.getByText('No matching events').waitFor()
    await visit(page, `${ui.url}/events?from=${day(-1)}&to=${day(1)}&type=feature-created`)
    await page.getByText('3 events').waitFor()
  })

  test('exports the filtered events, and says that the text does not count', async () => {
    await visit(page, `${ui.url}/events?flag=third&type=feature-created&q=nothing`)
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByText('The export ignores the text in the search field').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'As JSON Lines' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('events.jsonl')
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ type: 'feature-created', featureName: 'third' }])
    await page.getByRole('button', { name: 'Export' }).click()
    const address = await page.getByRole('menuitem', { name: 'As CSV' }).getAttribute('href')
    expect(address).toBe('/api/admin/event-export?format=csv&type=IS%3Afeature-created&feature=IS%3Athird')
    await page.keyboard.press('Escape')
  })

  test('a filtered log is live too, for what fits', async () => {
    await visit(page, `${ui.url}/events?flag=third&type=feature-environment-enabled`)
    await page.getByText('No matching events').waitFor()
    await turnOn('first', 'production')
    await turnOn('third')
    await row('turned on third').waitFor()
    expect(await rows().count()).toBe(1)
  })

  test.each([
    {
      language: 'en',
      details: /^Details: admin turned on third in development$/,
      address: /^from (127\.0\.0\.1|::1)$/,
    },
    {
      language: 'de',
      details: /^Details: admin hat third in development eingeschaltet$/,
      address: /^von (127\.0\.0\.1|::1)$/,
    },
  ] as const)('shows administrators from which address a change came, in $language', async (words) => {
    await visit(page, `${ui.url}/events?flag=third&type=feature-environment-enabled`)
    await speak(page, words.language)
    expect(await page.getByText(words.address).count()).toBe(0)
    await page.getByRole('button', { name: words.details }).click()
    const panel = page.getByRole('dialog')
    await panel.getByText(words.address).waitFor()
    await panel.getByText('feature-environment-enabled', { exact: true }).waitFor()
  })

  test('takes a switch back, after a question', async () => {
    await visit(page, `${ui.url}/events?flag=third`)
    await undo(row('turned on third'), 'Flag turned on, third in development')
    const question = page.getByRole('dialog', { name: 'Revert this change?' })
    await question.getByRole('button', { name: 'Revert' }).click()
    await told(page, 'Reverted: Flag turned on')
    await row('turned off third').waitFor()
    const { environments } = await ui.call<{ environments: { name: string; enabled: boolean }[] }>(
      'GET',
      `${FLAGS}/third`,
    )
    expect(environments.find(({ name }) => name === 'development')?.enabled).toBe(false)
  })

  test('restores an older strategy, and warns that later changes are lost', async () => {
    const strategies = `${FLAGS}/first/environments/production/strategies`
    const [{ id }] = await ui.call<[{ id: string }]>('GET', strategies)
    const put = (rollout: string) =>
      ui.call('PUT', `${strategies}/${id}`, {
        name: 'flexibleRollout',
        parameters: { rollout, stickiness: 'userId', groupId: 'first' },
      })
    for (const rollout of ['10', '20', '30']) await put(rollout)
    await visit(page, `${ui.url}/events?flag=first&type=feature-strategy-update`)
    await page.getByText('3 events').waitFor()
    await undo(rows().nth(1))
    const question = page.getByRole('dialog', { name: 'Revert this change?' })
    await question.getByText('It has been changed once since then').waitFor()
    await question.getByText('This is production: changes go live for real users.').waitFor()
    await question.getByRole('button', { name: 'Revert' }).click()
    await told(page, 'Reverted: Strategy changed')
    const [after] = await ui.call<[{ parameters: { rollout: string } }]>('GET', strategies)
    expect(after.parameters.rollout).toBe('10')
  })

  test('says how a rollout changed, and describes it in the panel without raw names', async () => {
    await visit(page, `${ui.url}/events?flag=first&type=feature-strategy-update`)
    await row(/lowered first in production from 30% to 10%/).waitFor()
    await page
      .getByRole('button', { name: /lowered first in production from 30% to 10%/ })
      .first()
      .click()
    const panel = page.getByRole('dialog', { name: 'Strategy changed' })
    await panel.getByText('All fields').click()
    await panel.getByRole('row', { name: 'Rollout (%) 30 10' }).waitFor()
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'hidden' })
  })

  test('folds events of one kind by one author, and finds events by person', async () => {
    await visit(page, `${ui.url}/events?flag=third&type=feature-tagged`)
    const run = page.getByRole('button', { name: /^Show single events: admin added 20 tags to third$/ })
    await run.waitFor()
    expect(await rows().count()).toBe(0)
    await run.click()
    expect(await rows('feature-tagged').count()).toBe(20)
    await page.getByRole('combobox', { name: 'Person' }).click()
    await page.getByRole('option', { name: 'admin' }).click()
    await page.getByText('20 events').waitFor()
    expect(new URL(page.url()).searchParams.get('by')).toBe('admin')
  })

  test('has rows of 44 px below the name of the day, with undo on hover and focus', async () => {
    await visit(page, `${ui.url}/events?flag=third&type=feature-environment-disabled`)
    await page.getByRole('heading', { name: 'Today', level: 2 }).waitFor()
    const one = rows().first()
    expect((await one.boundingBox())?.height).toBeLessThanOrEqual(45)
    const revert = one.getByRole('button', { name: /^Revert/ })
    const opacity = () => revert.evaluate((node) => getComputedStyle(node).opacity)
    await page.mouse.move(0, 0)
    await expect.poll(opacity).toBe('0')
    await one.hover()
    await expect.poll(opacity).toBe('1')
    await page.mouse.move(0, 0)
    await revert.focus()
    await expect.poll(opacity).toBe('1')
  })

  const DEVELOPMENT = `${FLAGS}/third/environments/development`
  const variant = (name: string) => ({ name, weight: 1000, weightType: 'variable', stickiness: 'default' })

  test.each([
    {
      type: 'feature-metadata-updated',
      change: () => ui.call('PATCH', `${FLAGS}/third`, [{ op: 'replace', path: '/description', value: 'new' }]),
      read: async () => (await ui.call<{ description: string | null }>('GET', `${FLAGS}/third`)).description ?? '',
    },
    {
      type: 'feature-untagged',
      change: () => ui.call('DELETE', '/api/admin/features/third/tags/simple/tag%205'),
      read: async () => {
        const { tags } = await ui.call<{ tags: { value: string }[] }>('GET', '/api/admin/features/third/tags')
        return tags.map(({ value }) => value).sort()
      },
    },
    {
      type: 'feature-environment-variants-updated',
      change: () => ui.call('PUT', `${DEVELOPMENT}/variants`, [variant('blue')]),
      read: () => ui.call('GET', `${DEVELOPMENT}/variants`),
    },
    {
      type: 'feature-strategy-remove',
      change: async () => {
        const [{ id }] = await ui.call<[{ id: string }]>('GET', `${DEVELOPMENT}/strategies`)
        await ui.call('DELETE', `${DEVELOPMENT}/strategies/${id}`)
      },
      read: async () => {
        const found = await ui.call<{ id: string; name: string; parameters: unknown }[]>(
          'GET',
          `${DEVELOPMENT}/strategies`,
        )
        return found.map(({ name, parameters }) => ({ name, parameters }))
      },
    },
    {
      type: 'context-field-updated',
      change: () =>
        ui.call('PUT', '/api/admin/context/appName', { description: 'x', legalValues: [{ value: 'shop' }] }),
      read: () => ui.call('GET', '/api/admin/context/appName'),
    },
    {
      type: 'strategy-deprecated',
      change: () => ui.call('POST', '/api/admin/strategies/default/deprecate'),
      read: () => ui.call('GET', '/api/admin/strategies/default'),
    },
    {
      type: 'tag-type-updated',
      change: () => ui.call('PUT', '/api/admin/tag-types/simple', { description: 'other' }),
      read: () => ui.call('GET', '/api/admin/tag-types/simple'),
    },
  ])('takes back: $type', async ({ type, change, read }) => {
    const before = await read()
    await change()
    expect(await read()).not.toEqual(before)
    await visit(page, `${ui.url}/events?type=${type}`)
    await undo(rows(type).first())
    await page.getByRole('dialog', { name: 'Revert this change?' }).getByRole('button', { name: 'Revert' }).click()
    await told(page, 'Reverted:')
    expect(await read()).toEqual(before)
  })

  test('follows a flag that was moved in the meantime, and moves it back', async () => {
    await ui.call('POST', '/api/admin/projects', { id: 'other', name: 'Other' })
    await ui.call('PATCH', `${FLAGS}/third`, [{ op: 'replace', path: '/stale', value: true }])
    await ui.call('POST', `${FLAGS}/third/changeProject`, { newProjectId: 'other' })
    const moved = () => ui.call<{ stale: boolean }>('GET', '/api/admin/projects/other/features/third')
    const takeBack = async (type: string, what: string) => {
      await visit(page, `${ui.url}/events?type=${type}`)
      await undo(rows(type).first(), what)
      await page.getByRole('dialog', { name: 'Revert this change?' }).getByRole('button', { name: 'Revert' }).click()
      await told(page, 'Reverted:')
    }
    expect(await moved()).toMatchObject({ stale: true })
    await takeBack('feature-stale-on', 'Flag marked as stale, third')
    expect(await moved()).toMatchObject({ stale: false })
    await takeBack('feature-project-change', 'Flag moved to another project, third')
    expect(await ui.call('GET', `${FLAGS}/third`)).toMatchObject({ project: 'default' })
    expect(complaints).toEqual([])
  })

  test('brings an archived flag and a removed segment back', async () => {
    await ui.call('DELETE', `${FLAGS}/second`)
    const { id } = await ui.call<{ id: number }>('POST', '/api/admin/segments', { name: 'gone', constraints: [] })
    await ui.call('DELETE', `/api/admin/segments/${id}`)
    await page.goto(`${ui.url}/events`)
    for (const what of ['Flag archived, second', 'Segment deleted, gone']) {
      await page.getByRole('button', { name: `Revert: ${what}` }).click()
      await page.getByRole('dialog', { name: 'Revert this change?' }).getByRole('button', { name: 'Revert' }).click()
      await told(page, `Reverted: ${what.split(',')[0]}`)
    }
    expect(await ui.call<{ archived: boolean }>('GET', `${FLAGS}/second`)).toMatchObject({ archived: false })
    const { segments } = await ui.call<{ segments: { name: string }[] }>('GET', '/api/admin/segments')
    expect(segments).toMatchObject([{ name: 'gone' }])
    expect(complaints).toEqual([])
  })
})

test('a viewer reads the log and is offered neither an export nor a way back', async () => {
  const { page, complaints } = await openPage(browser)
  await logIn(page, ui.url, VIEWER)
  await visit(page, `${ui.url}/events`)
  await page
    .getByRole('button', { name: /^Details: .* added a strategy/ })
    .first()
    .click()
  const panel = page.getByRole('dialog', { name: 'Strategy added' })
  await panel.getByRole('link', { name: /^View at this point/ }).waitFor()
  await panel.getByText('All fields').click()
  await panel.getByRole('group', { name: 'Changes' }).waitFor()
  expect(await page.getByRole('button', { name: /^Revert/ }).count()).toBe(0)
  expect(await page.getByText(/^from /).count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Export', includeHidden: true }).count()).toBe(0)
  expect(complaints).toEqual([])
  await page.close()
})
