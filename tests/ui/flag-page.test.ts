import type { Browser, Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { withBrowser } from '../support/browser-hooks.ts'
import { callAs } from '../support/call-as.ts'
import { until } from '../support/wait.ts'
import { violationsOf } from './support/axe.ts'
import { addFilter, beginSession, type Complaints, fromMenu, logIn, openPage, speak, told } from './support/ui-page.ts'
import { ADMIN, FLAGS, startUi, type UiServer, VIEWER } from './support/ui-server.ts'
import { visit } from './support/visit.ts'

/** Flags for the dependency tests. */
const DEPENDENT = ['leaf', 'stem', 'twig', 'branch', 'bough']
const DEVELOPMENT = `${FLAGS}/many-sided/environments/development`

let ui: UiServer
let browser: Browser
let page: Page
let complaints: Complaints

withBrowser(startUi, async (...started) => {
  ;[browser, ui] = started
  for (const name of ['many-sided', 'parent', 'other', 'forgotten', 'traveller', ...DEPENDENT])
    await ui.call('POST', FLAGS, { name })
  for (const title of ['one', 'two', 'three'])
    await ui.call('POST', `${DEVELOPMENT}/strategies`, { name: 'default', title })
  const variants = ['blue', 'green'].map((name) => ({ name, weight: 500 }))
  await ui.call('PUT', `${FLAGS}/parent/environments/development/variants`, variants)
  await ui.call('POST', '/api/admin/projects', { id: 'shop', name: 'Shop', environments: ['development'] })
  await ui.call('POST', '/api/admin/projects', { id: 'office', name: 'Office' })
  await ui.outlive('forgotten', 50)
  ;({ page, complaints } = await openPage(browser))
  await logIn(page, ui.url, ADMIN)
})
beforeEach(async () => {
  await visit(page, `${ui.url}/projects/default/features/many-sided`)
})

const undo = (message: string) =>
  page.getByRole('alert').filter({ hasText: message }).getByRole('button', { name: 'Undo' }).click()
const column = () => page.getByRole('region', { name: 'development' })
const cards = () => column().getByRole('list', { name: 'Strategies' }).locator('> li')

async function stored(): Promise<(string | null)[]> {
  const strategies = await ui.call<{ title: string | null }[]>('GET', `${DEVELOPMENT}/strategies`)
  return strategies.map(({ title }) => title)
}

test('production comes first at every width if there are two environments', async () => {
  const columns = page.getByRole('region').filter({ has: page.getByRole('switch') })
  await columns.getByRole('heading', { name: 'production' }).waitFor()
  for (const width of [390, 768, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    const boxes = await columns.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON() as DOMRect))
    expect(await columns.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual(['production', 'development'])
    const [first, second] = boxes
    expect(first !== undefined && second !== undefined && first.x + first.y < second.x + second.y, `${width}`).toBe(
      true,
    )
  }
})

test('production comes first if there are more than two environments, and one is shown at a time', async () => {
  await ui.call('POST', '/api/admin/projects', { id: 'wide', name: 'Wide' })
  for (const name of ['staging', 'canary', 'lab']) {
    await ui.call('POST', '/api/admin/environments', { name, type: 'test' })
    await ui.call('POST', '/api/admin/projects/wide/environments', { environment: name }).catch(() => undefined)
  }
  const broad = '/api/admin/projects/wide/features'
  await ui.call('POST', broad, { name: 'broad' })
  const segment = await ui.call<{ id: number }>('POST', '/api/admin/segments', { name: 'DACH', constraints: [] })
  const strategy = { name: 'flexibleRollout', parameters: { rollout: '25' }, segments: [segment.id] }
  await ui.call('POST', `${broad}/broad/environments/production/strategies`, strategy)
  await ui.call('POST', `${broad}/broad/environments/production/on`)
  await visit(page, `${ui.url}/projects/wide/features/broad`)
  const rail = page.getByRole('navigation', { name: 'Environments' })
  const chosen = page.getByRole('region').filter({ has: page.getByRole('switch') })
  await rail.getByRole('link', { name: /25% of DACH/ }).waitFor()
  const [first, ...others] = await rail.getByRole('listitem').allInnerTexts()
  expect(first?.split('\n')).toEqual(['production', 'On', '25% of DACH'])
  expect(others.map((text) => text.split('\n')[0])).toEqual(['development', 'staging', 'canary', 'lab'])
  expect(await chosen.count()).toBe(1)
  await chosen.getByRole('heading', { name: 'production' }).waitFor()
  await chosen.getByRole('img', { name: '25 of 100 buckets are in' }).waitFor()
  for (const width of [390, 768, 1440, 1920]) {
    await page.setViewportSize({ width, height: 900 })
    const tops = await Promise.all([rail, chosen].map(async (one) => (await one.boundingBox())?.y ?? Number.NaN))
    expect(tops[0] === tops[1], `side by side at ${width}`).toBe(width > 800)
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
  }
  await page.setViewportSize({ width: 1280, height: 800 })
  await rail.getByRole('link', { name: /^lab/ }).click()
  await chosen.getByRole('heading', { name: 'lab' }).waitFor()
  expect(new URL(page.url()).search).toBe('?env=lab')
  await chosen.getByRole('button', { name: 'Add strategy in lab' }).click()
  await page.getByRole('dialog', { name: 'New strategy in lab' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  expect(new URL(page.url()).search).toBe('?env=lab')
  expect(await violationsOf(page)).toEqual([])
  await page.evaluate(() => sessionStorage.clear())
})

test('the page never grows beyond the window, so that the header stays in sight', async () => {
  await cards().first().waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBe(0)
})

test.each(['development', 'production'])('%s has one colour on every page', async (name) => {
  const colours = await page
    .getByRole('region', { name })
    .evaluate((one) => ({ flag: getComputedStyle(one).borderTopColor, plain: getComputedStyle(one).borderLeftColor }))
  await visit(page, `${ui.url}/environments`)
  const chip = page.getByRole('rowheader', { name }).getByText(name)
  expect(await chip.evaluate((one) => getComputedStyle(one).borderTopColor)).toBe(colours.flag)
  await visit(page, `${ui.url}/projects/default`)
  const heading = page.getByRole('columnheader', { name })
  await expect.poll(() => heading.evaluate((one) => getComputedStyle(one).boxShadow)).toContain(colours.flag)
  expect(colours.flag).not.toBe(colours.plain)
})

test('strategies are moved by keys, and by dragging', async () => {
  await column().getByText('Moved to position').waitFor({ state: 'detached' })
  await cards()
    .filter({ hasText: 'one' })
    .getByRole('button', { name: /^Actions for / })
    .focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Move down' }).press('Enter')
  await column().getByText('Moved to position 2 of 3').waitFor({ state: 'attached' })
  await expect.poll(stored).toEqual(['two', 'one', 'three'])
  await expect
    .poll(() =>
      cards()
        .allInnerTexts()
        .then((texts) => texts.map((text) => text.split('\n')[1])),
    )
    .toEqual(['two', 'one', 'three'])
  await cards()
    .filter({ hasText: 'three' })
    .getByTitle(/drag to move/)
    .dragTo(cards().filter({ hasText: 'two' }))
  await expect.poll(stored).toEqual(['three', 'two', 'one'])
})

test('an order that is refused is put back', async () => {
  await page.route('**/set-sort-order', (route) =>
    route.fulfill({ status: 403, json: { name: 'NoAccessError', message: 'Not in this order.' } }),
  )
  await fromMenu(cards().filter({ hasText: 'two' }), 'Move up')
  await page.getByText('You don’t have permission to do this.').waitFor()
  await expect
    .poll(() =>
      cards()
        .allInnerTexts()
        .then((texts) => texts.map((text) => text.split('\n')[1])),
    )
    .toEqual(['three', 'two', 'one'])
  await page.unroute('**/set-sort-order')
})

test('each operator requests its operands, and shows what is wrong', async () => {
  await column().getByRole('button', { name: 'Add strategy in development' }).click()
  const editor = page.getByRole('dialog', { name: 'New strategy in development' })
  await editor.getByRole('button', { name: 'Add constraint' }).click()
  const constraint = editor.getByRole('group', { name: 'Constraint 1' })
  const save = editor.getByRole('button', { name: 'Save' })
  const operator = async (name: string): Promise<void> => {
    await constraint.getByRole('combobox', { name: 'Operator' }).click()
    await page.getByRole('option', { name, exact: true }).click()
  }
  await operator('is in the network')
  await constraint.getByRole('combobox', { name: 'Values' }).fill('10.0.0.0/8,300.1.1.1')
  await page.keyboard.press('Enter')
  await constraint.getByText('Not a network: 300.1.1.1').waitFor()
  await save.click()
  await editor.getByText('Fix the highlighted fields.').waitFor()
  await operator('is at least version')
  await constraint.getByLabel('Version').fill('2')
  await constraint.getByText('Three numbers, such as 2.3.0').waitFor()
  await constraint.getByLabel('Version').fill('2.0.0')
  await operator('is after')
  await save.click()
  await constraint.getByText('Constraint 1: value is missing').waitFor()
  expect(await constraint.getByLabel('Date and time').evaluate((one) => one === document.activeElement)).toBe(true)
  await constraint.getByLabel('Date and time').fill('2030-01-31T12:00')
  await operator('≥')
  await constraint.getByLabel('Number').fill('4x')
  await constraint.getByText('Not a number').waitFor()
  await constraint.getByLabel('Number').fill('4.5')
  await operator('matches')
  await constraint.getByLabel('Pattern').fill('^a(?=b)')
  await constraint.getByText(/^Not a valid pattern: .*\(\?=/).waitFor()
  await save.click()
  await editor.getByText('Users where userId matches').waitFor()
  await constraint.getByLabel('Pattern').fill('^ab+$')
  await constraint.getByLabel('Test value').fill('abb')
  await constraint.getByText('✓ Matches').waitFor()
  await constraint.getByLabel('Test value').fill('ac')
  await constraint.getByText('✗ Does not match').waitFor()
  await save.click()
  await editor.waitFor({ state: 'hidden' })
  await column().getByText('userId matches ^ab+$').waitFor()
})

test('a constraint is written by keys without a list over its values or a save unasked; what is missing is named', async () => {
  await column().getByRole('button', { name: 'Add strategy in development' }).click()
  const editor = page.getByRole('dialog', { name: 'New strategy in development' })
  await editor.getByRole('button', { name: 'Add constraint' }).click()
  await editor.getByRole('button', { name: 'Add constraint' }).click()
  const constraint = editor.getByRole('group', { name: 'Constraint 2' })
  await constraint.getByLabel('Context field').and(page.locator(':focus')).waitFor()
  // all fields are offered even if one is selected
  await page.keyboard.press('ArrowDown')
  await page.getByRole('option', { name: 'sessionId' }).waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Tab')
  await constraint.getByRole('combobox', { name: 'Operator' }).and(page.locator(':focus')).waitFor()
  expect(await page.getByRole('option').count()).toBe(0)
  await constraint.getByLabel('Context field').fill('loyalty')
  await constraint.getByText('Unknown context field: your application must send it').waitFor()
  await page.keyboard.press('Enter')
  await editor.getByRole('button', { name: 'Save' }).click()
  await editor.getByText('Constraint 1: values are missing').waitFor()
  await editor.getByText('Constraint 2: values are missing').waitFor()
  const first = editor.getByRole('group', { name: 'Constraint 1' })
  await first.getByRole('combobox', { name: 'Values' }).and(page.locator(':focus')).waitFor()
  // the result stays visible while the fields are filled
  await constraint.getByRole('combobox', { name: 'Values' }).fill('gold')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await first.getByRole('combobox', { name: 'Values' }).fill('anna')
  await page.keyboard.press('Enter')
  const sentence = editor.getByText('Users where userId is anna and loyalty is gold')
  const height = page.viewportSize()?.height ?? 0
  for (const field of [constraint.getByRole('combobox', { name: 'Values' }), editor.getByLabel(/^Title/)]) {
    await field.scrollIntoViewIfNeeded()
    const box = await sentence.boundingBox()
    expect(box?.y).toBeGreaterThanOrEqual(0)
    expect(box?.y).toBeLessThan(height / 2)
  }
  expect(await editor.isVisible()).toBe(true)
  await editor.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
  await editor.waitFor({ state: 'hidden' })
})

test('a percentage is chosen by slider, number or common value, with a picture of the buckets that change', async () => {
  const parameters = { rollout: '25', stickiness: 'default', groupId: 'many-sided' }
  const address = `${DEVELOPMENT}/strategies`
  const { id } = await ui.call<{ id: string }>('POST', address, { name: 'flexibleRollout', parameters })
  await visit(page, `${ui.url}/projects/default/features/many-sided?env=development&strategy=${id}`)
  const editor = page.getByRole('dialog', { name: 'Strategy in development' })
  await editor.getByRole('img', { name: '25 of 100 buckets are in' }).waitFor()
  await editor.getByRole('textbox', { name: 'Rollout in percent' }).fill('7')
  await editor.getByRole('img', { name: 'From 25 to 7 of 100 buckets' }).waitFor()
  await editor.getByText('Buckets 8–25 drop out').waitFor()
  await editor.getByRole('group', { name: 'Common percentages' }).getByText('50', { exact: true }).click()
  await editor.getByText('Buckets 26–50 are added').waitFor()
  expect(await editor.getByRole('slider').getAttribute('aria-valuenow')).toBe('50')
  expect(await violationsOf(page)).toEqual([])
  await editor.getByRole('button', { name: 'Save' }).click()
  await editor.waitFor({ state: 'hidden' })
  await ui.call('DELETE', `${address}/${id}`)
})

test('a value that is typed, but not taken over by the Enter key, is saved as well', async () => {
  await column().getByRole('button', { name: 'Add strategy in development' }).click()
  const editor = page.getByRole('dialog', { name: 'New strategy in development' })
  await editor.getByRole('button', { name: 'Add constraint' }).click()
  const constraint = editor.getByRole('group', { name: 'Constraint 1' })
  await constraint.getByRole('combobox', { name: 'Values' }).pressSequentially('DE')
  await editor.getByRole('button', { name: 'Save' }).click()
  await editor.waitFor({ state: 'hidden' })
  await column().getByText('Users where userId is DE').waitFor()
})

test('JSON of a variant is checked while it is typed, and weights always add up', async () => {
  await column().getByRole('button', { name: 'Add variants' }).click()
  const editor = page.getByRole('dialog', { name: 'Variants: development' })
  for (let count = 0; count < 3; count += 1) await editor.getByRole('button', { name: 'Add variant' }).click()
  const bar = editor.getByRole('list', { name: 'Weights' })
  await expect.poll(() => bar.getByRole('listitem').allInnerTexts()).toEqual(['a 33.4%', 'b 33.3%', 'c 33.3%'])
  const first = editor.getByRole('group', { name: 'Variant 1' })
  // no further step is needed: typing a weight makes it fixed
  await first.getByLabel('Weight in %').fill('50')
  expect(await first.getByLabel('Fixed weight').isChecked()).toBe(true)
  await expect.poll(() => bar.getByRole('listitem').allInnerTexts()).toEqual(['a 50%', 'b 25%', 'c 25%'])
  await first.getByRole('combobox', { name: 'Payload' }).click()
  await page.getByRole('option', { name: 'json' }).click()
  const json = first.getByRole('textbox', { name: 'JSON of a' })
  // typed like a user: pasting over colored text copies its colors as style attributes, which the CSP forbids
  const write = async (text: string) => {
    await json.press('ControlOrMeta+a')
    await json.press('Delete')
    await json.pressSequentially(text)
  }
  await write('{"colour": blue}')
  await first.getByText('Invalid JSON').waitFor()
  await editor.getByRole('button', { name: 'Save' }).click()
  await editor.getByText('Fix the highlighted fields.').waitFor()
  await write('{"colour":"blue"}')
  await first.getByRole('button', { name: 'Format' }).click()
  await expect.poll(() => json.innerText()).toContain('  "colour": "blue"')
  await editor.getByLabel('Same variants in all environments').check()
  await editor.getByRole('button', { name: 'Save' }).click()
  await editor.waitFor({ state: 'hidden' })
  for (const environment of ['development', 'production']) {
    const path = `${FLAGS}/many-sided/environments/${environment}/variants`
    const { variants } = await ui.call<{ variants: { name: string; weight: number }[] }>('GET', path)
    expect(variants).toMatchObject([
      { name: 'a', weight: 500, weightType: 'fix', payload: { type: 'json', value: '{\n  "colour": "blue"\n}' } },
      { name: 'b', weight: 250 },
      { name: 'c', weight: 250 },
    ])
  }
})

test('a parent is chosen with what it must be, changed, taken away and put back', async () => {
  await page.getByRole('button', { name: 'Add dependency' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add dependency' })
  await dialog.getByRole('combobox', { name: 'Parent' }).click()
  await page.getByRole('option', { name: 'parent', exact: true }).click()
  await dialog.getByLabel('On with one of these variants').check()
  await dialog.getByRole('combobox', { name: 'Variants' }).click()
  await page.getByRole('option', { name: 'green' }).click()
  await dialog.getByRole('heading', { name: 'Add dependency' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await told(page, 'Dependency saved')
  const about = page.getByRole('region', { name: 'Details' })
  await about.getByText('Depends on parent: on with green').waitFor()
  await about.getByRole('button', { name: 'Remove', exact: true }).click()
  await about.getByText(/^Depends on/).waitFor({ state: 'detached' })
  await page.getByRole('alert').filter({ hasText: 'Dependency removed' }).getByRole('button', { name: 'Undo' }).click()
  await about.getByText('Depends on parent: on with green').waitFor()
  await about.getByRole('link', { name: 'parent' }).click()
  await page.getByRole('heading', { name: 'parent', level: 1 }).waitFor()
  await about.getByRole('link', { name: 'many-sided' }).waitFor()
  expect(await about.getByRole('button', { name: 'Add dependency' }).count()).toBe(0)
  await page.goBack()
  await page.getByRole('heading', { name: 'many-sided', level: 1 }).waitFor()
})

test('a parent that turns a flag off for real users needs a confirmation and can be undone; the flag and the playground name it', async () => {
  for (const environment of ['development', 'production'])
    await ui.call('POST', `${FLAGS}/leaf/environments/${environment}/on`)
  await ui.call('POST', `${FLAGS}/stem/environments/development/on`)
  const parents = async () =>
    (await ui.call<{ dependencies: { feature: string }[] }>('GET', `${FLAGS}/leaf`)).dependencies.map(
      (one) => one.feature,
    )
  await visit(page, `${ui.url}/projects/default/features/leaf`)
  await page.getByRole('button', { name: 'Add dependency' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add dependency' })
  await dialog.getByRole('combobox', { name: 'Parent' }).click()
  await page.getByRole('option', { name: 'stem', exact: true }).click()
  const effect = 'stem is off in production: leaf will be off there for all users.'
  await dialog.getByRole('status').getByText(effect).waitFor()
  expect(await dialog.getByText(/in development/i).count()).toBe(0)
  await dialog.getByRole('button', { name: 'Save' }).click()
  const question = page.getByRole('dialog', { name: 'Make leaf depend on stem?' })
  await question.getByText(`${effect} Takes effect immediately in production.`).waitFor()
  await question.getByRole('button', { name: 'Cancel' }).click()
  expect(await parents()).toEqual([])
  await dialog.getByRole('button', { name: 'Save' }).click()
  await question.getByRole('button', { name: 'Save dependency' }).click()
  await told(page, 'Dependency saved')
  const production = page.getByRole('region', { name: 'production' })
  const note = production.getByRole('note').filter({ hasText: 'Off for all users: stem is off here' })
  await note.getByRole('link', { name: 'stem' }).waitFor()
  expect(await column().getByRole('note').count()).toBe(0)
  expect(await violationsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Test', exact: true }).click()
  await page.getByRole('link', { name: 'Open in playground' }).click()
  await page.getByRole('button', { name: /Evaluate/ }).click()
  await page.getByRole('button', { name: 'Why? leaf' }).first().click()
  const why = page.getByRole('dialog').getByRole('region', { name: 'production' })
  await why.getByText('Off: parent flag stem is off.').waitFor()
  await why.getByRole('link', { name: 'stem' }).click()
  await page.getByRole('heading', { name: 'stem', level: 1 }).waitFor()
  await page.getByRole('region', { name: 'Details' }).getByRole('link', { name: 'leaf' }).click()
  // a change after which more real users get the flag needs confirmation as well
  await page.getByRole('region', { name: 'Details' }).getByRole('button', { name: 'Remove', exact: true }).click()
  const removal = page.getByRole('dialog', { name: 'Remove the dependency of leaf on stem?' })
  await removal.getByText('In production, leaf will be on for all users that its own strategies match.').waitFor()
  await removal.getByRole('button', { name: 'Remove dependency' }).click()
  await note.waitFor({ state: 'detached' })
  await undo('Dependency removed')
  await note.waitFor()
  expect(await parents()).toEqual(['stem'])
})

test('a saved dependency can be undone, but not over a later change', async () => {
  const parents = async () =>
    (await ui.call<{ dependencies: { feature: string }[] }>('GET', `${FLAGS}/twig`)).dependencies.map(
      (one) => one.feature,
    )
  const choose = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Add dependency' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add dependency' })
    await dialog.getByRole('combobox', { name: 'Parent' }).click()
    await page.getByRole('option', { name: 'branch', exact: true }).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Depends on branch: on').waitFor()
  }
  await visit(page, `${ui.url}/projects/default/features/twig`)
  await choose()
  await undo('Dependency saved')
  await told(page, 'Change undone')
  expect(await parents()).toEqual([])
  await choose()
  await ui.call('POST', `${FLAGS}/twig/dependencies`, { feature: 'bough' })
  await undo('Dependency saved')
  await page.getByRole('alert').filter({ hasText: 'Failed: Undo' }).waitFor()
  expect(await parents()).toEqual(['bough'])
})

test('usage is shown by environment, application and variant, following the URL', async () => {
  await report('shop', { yes: 60, no: 40, variants: { a: 45, b: 15 } })
  await report('back office', { yes: 1, no: 9, variants: { a: 1 } })
  await counted('shop', 'back office')
  await page.getByRole('tab', { name: 'Usage' }).click()
  const usage = page.getByRole('region', { name: 'development' })
  await expect
    .poll(() => usage.getByRole('row', { name: /shop|office/ }).allInnerTexts())
    .toEqual(['shop\t60\t40\ta 45, b 15', 'back office\t1\t9\ta 1'])
  await usage.getByRole('heading', { name: 'development 55.5% on' }).waitFor()
  await page.getByLabel('Application').first().selectOption('shop')
  await usage.getByRole('heading', { name: 'development 60% on' }).waitFor()
  expect(await usage.getByRole('list', { name: 'Weights' }).getByRole('listitem').allInnerTexts()).toEqual([
    'a 75%',
    'b 25%',
  ])
  await page.reload()
  await usage.getByRole('heading', { name: 'development 60% on' }).waitFor()
  const chart = usage.getByRole('slider', { name: 'Evaluations per hour in development' })
  await expect.poll(() => chart.getAttribute('aria-valuetext')).toMatch(/: 60 on, 40 off/)
  await chart.press('Home')
  expect(await chart.getAttribute('aria-valuetext')).toMatch(/: 0 on, 0 off/)
  expect(await violationsOf(page)).toEqual([])
  expect(new URL(page.url()).search).toBe('?tab=usage&hours=48&app=shop')
})

test('the rollout over time shows each change with its author, readable by keyboard', async () => {
  await ui.call('POST', FLAGS, { name: 'grown' })
  const production = `${FLAGS}/grown/environments/production`
  const rollout = (percent: number) => ({ name: 'flexibleRollout', parameters: { rollout: String(percent) } })
  const { id } = await ui.call<{ id: string }>('POST', `${production}/strategies`, rollout(10))
  await ui.call('POST', `${production}/on`)
  await ui.call('PUT', `${production}/strategies/${id}`, rollout(40))
  await visit(page, `${ui.url}/projects/default/features/grown?tab=usage`)
  const chart = page.getByRole('slider', { name: 'Rollout over time in production' })
  await chart.waitFor()
  const texts: (string | null)[] = []
  await chart.press('Home')
  for (let step = 0; step < 5; step += 1) {
    texts.push(await chart.getAttribute('aria-valuetext'))
    await chart.press('ArrowRight')
  }
  expect(texts.map((text) => text?.split('. ')[0])).toEqual(['0%', '0%', '10%', '40%', 'Now: 40%'])
  expect(texts[3]).toMatch(/raised .* from 10% to 40%/)
  await page.getByText('Now: 40%', { exact: true }).waitFor()
  expect(await violationsOf(page)).toEqual([])
})

test('usage is refreshed while it is visible', async () => {
  const own = await openPage(browser)
  await own.page.clock.install()
  await beginSession(own.page, ui.url, ADMIN)
  await own.page.goto(`${ui.url}/projects/default/features/many-sided?tab=usage`)
  const usage = own.page.getByRole('region', { name: 'development' })
  await usage.getByRole('row', { name: /shop/ }).waitFor()
  await report('kiosk', { yes: 2, no: 3, variants: { b: 2 } })
  await counted('kiosk')
  await own.page.clock.fastForward(15_000)
  await usage.getByRole('row', { name: 'kiosk 2 3 b 2' }).waitFor()
  expect(own.complaints).toEqual([])
  await own.page.close()
})

test('each environment shows its evaluations per day, and links to the figures', async () => {
  const ofDay = () => column().getByRole('link', { name: /evaluations in the last 24 hours/ })
  await report('till', { yes: 30, no: 10 })
  await expect
    .poll(
      async () => {
        await page.reload()
        return ofDay()
          .innerText({ timeout: 2000 })
          .catch(() => '')
      },
      { timeout: 20_000 },
    )
    .toMatch(/^[\d,]+ evaluations in the last 24 hours, [\d.]+% on$/)
  await page.getByRole('region', { name: 'production' }).getByText('Not evaluated yet').waitFor()
  await ofDay().click()
  await page.getByLabel('Time', { exact: true }).waitFor()
  expect(new URL(page.url()).search).toBe('?tab=usage&hours=24')
})

test('a flag beyond its lifetime is marked in German', async () => {
  await visit(page, `${ui.url}/projects/default?state=potentially-stale`)
  await speak(page, 'de')
  await page.getByRole('row').getByText('Möglicherweise veraltet').waitFor()
  await page.getByTitle('Flags vom Typ Release haben eine erwartete Lebensdauer von 40 Tagen').waitFor()
  expect(await page.getByLabel('Zustand').locator('option:checked').innerText()).toBe('Möglicherweise veraltet')
  await page.getByRole('link', { name: 'forgotten' }).click()
  await page.getByText('Flags vom Typ Release haben eine erwartete Lebensdauer von 40 Tagen').waitFor()
})

test('a flag beyond its lifetime is marked on its page and in the list, where a filter finds it', async () => {
  await visit(page, `${ui.url}/projects/default/features/forgotten`)
  const about = page.getByRole('region', { name: 'Details' })
  const head = page.getByRole('main').locator('header')
  await head.first().getByText('Potentially stale').waitFor()
  await about.getByText('Release flags are expected to last 40 days').waitFor()
  await visit(page, `${ui.url}/projects/default`)
  const badge = page.getByRole('row').getByText('Potentially stale')
  await page
    .getByRole('row', { name: /forgotten/ })
    .getByTitle('Release flags are expected to last 40 days')
    .waitFor()
  expect(await badge.count()).toBe(1)
  await addFilter(page, 'State')
  await page.getByRole('combobox', { name: 'State' }).selectOption('Potentially stale')
  await page.getByText('1 flag', { exact: true }).waitFor()
  expect(new URL(page.url()).search).toBe('?state=potentially-stale')
  await page.getByRole('link', { name: 'forgotten' }).click()
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Mark as stale' }).click()
  await head.first().getByText('Stale', { exact: true }).waitFor()
  expect(
    await page
      .getByRole('main')
      .getByText(/Potentially|expected to last/)
      .count(),
  ).toBe(0)
  await told(page, 'Marked forgotten as stale')
  await page.getByRole('button', { name: 'Undo' }).click()
  await told(page, 'Marked forgotten as active')
  await head.first().getByText('Stale', { exact: true }).waitFor({ state: 'hidden' })
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Mark as stale' }).click()
  await head.first().getByText('Stale', { exact: true }).waitFor()
  // the expected lifetime of a type is shown where the type is chosen
  await page.getByRole('button', { name: 'Edit details' }).click()
  const details = page.getByRole('dialog')
  await details.getByText(/flags are expected to last/).waitFor()
  await details.getByRole('combobox', { name: 'Type' }).or(details.getByLabel('Type')).first().click()
  await page.getByRole('option', { name: 'Kill switch' }).click()
  await details.getByText(/flags are permanent/).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog', { name: 'Discard changes?' }).getByRole('button', { name: 'Discard' }).click()
  await visit(page, `${ui.url}/projects/default?state=potentially-stale`)
  await page.getByText('No flag is past its expected lifetime').waitFor()
})

/** Opens the dialog that moves the current flag. */
async function openMove(flag: string) {
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Move to another project' }).click()
  return page.getByRole('dialog', { name: `Move ${flag} to another project` })
}

test('a move to another project warns if something would be lost, and back works', async () => {
  await ui.call('POST', `${FLAGS}/traveller/environments/production/on`)
  const token = { tokenName: 'narrow', type: 'client', environment: 'production', projects: ['default'] }
  const { secret } = await ui.call<{ secret: string }>('POST', '/api/admin/api-tokens', token)
  const gets = async () => {
    const { features } = await callAs<{ features: { name: string }[] }>(secret, 'GET', `${ui.url}/api/client/features`)
    return features.some(({ name }) => name === 'traveller')
  }
  expect(await gets()).toBe(true)
  await visit(page, `${ui.url}/projects/default/features/traveller`)
  const dialog = await openMove('traveller')
  await dialog.getByText('Its URL changes').waitFor()
  await dialog.getByText('SDK tokens limited to project Default stop receiving the flag within seconds').waitFor()
  const move = dialog.getByRole('button', { name: 'Move' })
  await move.click()
  expect(await dialog.locator('input:invalid, select:invalid').count()).toBe(1)
  const choose = async (project: string): Promise<void> => {
    await dialog.getByRole('combobox', { name: 'New project' }).click()
    await page.getByRole('option', { name: project, exact: true }).click()
  }
  await choose('Shop')
  await move.click()
  const refusal = dialog.getByRole('alert')
  await refusal.getByText('Project shop does not use production.').waitFor()
  expect(new URL(page.url()).pathname).toBe('/projects/default/features/traveller')
  await choose('Office')
  await refusal.waitFor({ state: 'hidden' })
  await move.click()
  await told(page, 'Moved traveller to project Office')
  await dialog.waitFor({ state: 'hidden' })
  expect(new URL(page.url()).pathname).toBe('/projects/office/features/traveller')
  await page.getByRole('region', { name: 'production' }).getByRole('switch').waitFor()
  await expect.poll(gets).toBe(false)
  await page.getByRole('alert').filter({ hasText: 'to project Office' }).getByRole('button', { name: 'Undo' }).click()
  await told(page, 'Moved traveller back to project Default')
  expect(new URL(page.url()).pathname).toBe('/projects/default/features/traveller')
  expect(await ui.call('GET', `${FLAGS}/traveller`)).toMatchObject({
    environments: [
      { name: 'development', enabled: false },
      { name: 'production', enabled: true },
    ],
  })
  await expect.poll(gets).toBe(true)
  await page.goBack()
  await page.getByText('Flag “traveller” not found').waitFor()
})

test('a move is offered to users with the permission in both projects, and only to those projects', async () => {
  const { id } = await ui.call<{ id: number }>('POST', '/api/admin/user-admin', { ...VIEWER, rootRole: 3 })
  const own = async (project: string) =>
    ui.call('PUT', `/api/admin/projects/${project}/users/${id}/roles`, { roles: [4] })
  const theirs = await openPage(browser)
  await logIn(theirs.page, ui.url, VIEWER)
  await own('default')
  const items = async (): Promise<string[]> => {
    await theirs.page.goto(`${ui.url}/projects/default/features/traveller`)
    await theirs.page.getByRole('button', { name: 'More' }).click()
    await theirs.page.getByRole('menuitem', { name: 'Archive' }).waitFor()
    return theirs.page.getByRole('menuitem').allInnerTexts()
  }
  expect(await items()).not.toContain('Move to another project')
  await own('shop')
  await expect.poll(items).toContain('Move to another project')
  await theirs.page.getByRole('menuitem', { name: 'Move to another project' }).click()
  const target = theirs.page.getByRole('combobox', { name: 'New project' })
  expect(await target.inputValue()).toBe('Shop')
  await target.click()
  expect(await theirs.page.getByRole('option').allInnerTexts()).toEqual(['Shop'])
  expect(theirs.complaints).toEqual([])
  await theirs.page.close()
})

test('a flag can be archived, revived and copied', async () => {
  await visit(page, `${ui.url}/projects/default/features/other`)
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Copy to a new flag' }).click()
  await page.getByRole('dialog', { name: 'Copy other' }).getByRole('button', { name: 'Create flag' }).click()
  await page.getByRole('heading', { name: 'other-copy', level: 1 }).waitFor()
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Archive' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click()
  await told(page, 'Archived other-copy')
  await visit(page, `${ui.url}/projects/default/features/other-copy`)
  await page.getByText('SDKs no longer get this flag.').waitFor()
  expect(await page.getByRole('button', { name: 'Edit details' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Restore' }).click()
  await told(page, 'Restored other-copy')
  await page.getByRole('button', { name: 'Edit details' }).waitFor()
  expect(complaints).toEqual([])
})

test('environments that disagree about the type of values are named', async () => {
  await ui.call('POST', FLAGS, { name: 'torn' })
  const of = (type: string) => [{ name: 'one', weight: 1000, weightType: 'variable', payload: { type, value: '1' } }]
  await ui.call('PUT', `${FLAGS}/torn/environments/development/variants`, of('string'))
  await visit(page, `${ui.url}/projects/default/features/torn`)
  await column().waitFor()
  const warning = page.getByRole('alert').filter({ hasText: 'Value types differ between environments' })
  expect(await warning.count()).toBe(0)
  await ui.call('PUT', `${FLAGS}/torn/environments/production/variants`, of('number'))
  await page.reload()
  await warning.getByText('development: text, production: number.').waitFor()
})

/** Reports counts from an application. */
async function report(appName: string, counts: object): Promise<void> {
  const token = { tokenName: appName, type: 'client', environment: 'development', projects: ['*'] }
  const { secret } = await ui.call<{ secret: string }>('POST', '/api/admin/api-tokens', token)
  const start = new Date(Date.now() - 1000).toISOString()
  const bucket = { start, stop: new Date().toISOString(), toggles: { 'many-sided': counts } }
  const reply = await fetch(`${ui.url}/api/client/metrics`, {
    method: 'POST',
    headers: { authorization: secret, 'content-type': 'application/json' },
    body: JSON.stringify({ appName, instanceId: 'one', bucket }),
  })
  expect(reply.ok).toBe(true)
}

/** Waits until the server shows the reports of these applications, which it writes every second. */
const counted = (...names: readonly string[]) =>
  until(async () => {
    const path = '/api/admin/client-metrics/features/many-sided/raw'
    const { data } = await ui.call<{ data: readonly { appName: string }[] }>('GET', path)
    return names.every((name) => data.some(({ appName }) => appName === name))
  })

test('a strategy is disabled, enabled and duplicated from its card, each taken back; production asks first', async () => {
  for (const one of await ui.call<{ id: string }[]>('GET', `${DEVELOPMENT}/strategies`)) {
    await ui.call('DELETE', `${DEVELOPMENT}/strategies/${one.id}`)
  }
  for (const title of ['first', 'second']) {
    await ui.call('POST', `${DEVELOPMENT}/strategies`, { name: 'default', title })
  }
  await ui.call('POST', `${DEVELOPMENT}/on`)
  await page.reload()
  const disabled = async () =>
    (await ui.call<{ disabled: boolean }[]>('GET', `${DEVELOPMENT}/strategies`)).map((one) => one.disabled)
  const first = cards().filter({ hasText: 'first' })
  const undo = (text: string) =>
    page.getByRole('alert').filter({ hasText: text }).getByRole('button', { name: 'Undo' }).click()
  await fromMenu(first, 'Disable strategy')
  await undo('Strategy disabled')
  await told(page, 'Change undone')
  expect(await disabled()).toEqual([false, false])
  await fromMenu(first, 'Disable strategy')
  await first.getByText('Disabled').waitFor()
  expect(await disabled()).toEqual([true, false])
  // disabling the last strategy turns the flag off, as the dialog states
  await fromMenu(cards().filter({ hasText: 'second' }), 'Disable strategy')
  const question = page.getByRole('dialog', { name: 'Disable this strategy?' })
  await question.getByText('the flag will be off in development').waitFor()
  await question.getByRole('button', { name: 'Cancel' }).click()
  expect(await disabled()).toEqual([true, false])
  await fromMenu(cards().filter({ hasText: 'second' }), 'Duplicate strategy')
  await told(page, 'Strategy copied to the end of the list')
  expect(await stored()).toEqual(['first', 'second', 'second'])
  await undo('Strategy copied to the end')
  await expect.poll(stored).toEqual(['first', 'second'])
  const production = `${FLAGS}/many-sided/environments/production`
  for (const title of ['all', 'others']) await ui.call('POST', `${production}/strategies`, { name: 'default', title })
  await ui.call('POST', `${production}/on`)
  await page.reload()
  const others = page.getByRole('region', { name: 'production' }).getByRole('listitem').filter({ hasText: 'others' })
  await fromMenu(others, 'Disable strategy')
  const live = page.getByRole('dialog', { name: 'Save many-sided in production?' })
  await live.getByText('Disable strategy: All users').waitFor()
  await live.getByRole('button', { name: 'Cancel' }).click()
  await fromMenu(others, 'Duplicate strategy')
  await live.getByText('Duplicate strategy: All users').waitFor()
  await live.getByRole('button', { name: 'Cancel' }).click()
  expect(await ui.call<unknown[]>('GET', `${production}/strategies`)).toHaveLength(2)
})

test('saved variants can be undone, unless they have changed since', async () => {
  const address = `${FLAGS}/parent/environments/development/variants`
  const names = async () =>
    (await ui.call<{ variants: { name: string }[] }>('GET', address)).variants.map(({ name }) => name)
  const rename = async (name: string) => {
    await page.goto(`${ui.url}/projects/default/features/parent?env=development&variants=true`)
    await page.getByRole('textbox', { name: 'Name' }).first().fill(name)
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await told(page, 'Saved')
  }
  const undo = () => page.getByRole('alert').filter({ hasText: 'Saved' }).getByRole('button', { name: 'Undo' }).click()
  await rename('azure')
  expect(await names()).toEqual(['azure', 'green'])
  await undo()
  await told(page, 'Change undone')
  expect(await names()).toEqual(['blue', 'green'])
  await rename('navy')
  await ui.call('PUT', address, [{ name: 'theirs', weight: 1000 }])
  await undo()
  await page.getByText('Failed: Undo').waitFor()
  expect(await names()).toEqual(['theirs'])
  // concurrent changes are not overwritten silently
  await page.goto(`${ui.url}/projects/default/features/parent?env=development&variants=true`)
  await page.getByRole('textbox', { name: 'Name' }).first().fill('mine')
  await ui.call('PUT', address, [{ name: 'newer', weight: 1000 }])
  const editor = page.getByRole('dialog', { name: 'Variants: development' })
  await editor.getByRole('button', { name: 'Save' }).click()
  await editor.getByText('Someone else has changed these variants').waitFor()
  expect(await names()).toEqual(['newer'])
  await editor.getByRole('button', { name: 'Keep mine' }).click()
  await editor.waitFor({ state: 'hidden' })
  expect(await names()).toEqual(['mine'])
})

test('a flag has links, and shows when each environment was last requested', async () => {
  await report('asker', { yes: 1, no: 0, variants: {} })
  await page.getByRole('button', { name: 'Add link' }).click()
  await page.getByLabel('URL').fill('https://tickets.example.com/browse/SHOP-7')
  await page.getByLabel('Title').fill('SHOP-7')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  const link = page.getByRole('list', { name: 'Links' }).getByRole('link', { name: 'SHOP-7' })
  await link.waitFor()
  expect(await link.getAttribute('href')).toBe('https://tickets.example.com/browse/SHOP-7')
  await page.getByRole('button', { name: 'Remove link SHOP-7' }).click()
  await link.waitFor({ state: 'detached' })
  await page.getByRole('alert').filter({ hasText: 'Link removed' }).getByRole('button', { name: 'Undo' }).click()
  await link.waitFor()
  const unseen = page.getByRole('region', { name: 'production' }).getByText('Not evaluated yet')
  expect(await unseen.getAttribute('title')).toContain('curl, reports nothing')
  await column()
    .getByText(/^Last evaluated/)
    .waitFor()
})

test('archiving warns where real users have the flag, and an archived flag has no switches', async () => {
  await ui.call('POST', FLAGS, { name: 'relied-on' })
  await ui.call('POST', `${FLAGS}/relied-on/environments/production/strategies`, { name: 'default' })
  await ui.call('POST', `${FLAGS}/relied-on/environments/production/on`)
  await visit(page, `${ui.url}/projects/default/features/relied-on`)
  await page.getByRole('switch', { name: 'relied-on in production' }).waitFor()
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Archive' }).click()
  const question = page.getByRole('dialog', { name: 'Archive relied-on?' })
  await question.getByText(/^SDKs stop receiving it/).waitFor()
  await question.getByText('Who loses it').waitFor()
  await question.getByRole('button', { name: 'Archive' }).click()
  await told(page, 'Archived relied-on')
  await visit(page, `${ui.url}/projects/default/features/relied-on`)
  await page.getByText('SDKs no longer get this flag.').waitFor()
  expect(await page.getByRole('switch').count()).toBe(0)
})
