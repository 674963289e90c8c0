import type { Browser, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { withBrowser } from '../support/browser-hooks.ts'
import { type Complaints, logIn, openPage, speak, told } from './support/ui-page.ts'
import { ADMIN, FLAGS, startUi, type UiServer, VIEWER } from './support/ui-server.ts'
import { visit } from './support/visit.ts'

let ui: UiServer
let browser: Browser
let page: Page
let complaints: Complaints

withBrowser(startUi, async (...started) => {
  ;[browser, ui] = started
  await ui.call('POST', FLAGS, { name: 'checkout' })
  await ui.call('POST', '/api/admin/user-admin', { ...VIEWER, rootRole: 3 })
  ;({ page, complaints } = await openPage(browser))
  await logIn(page, ui.url, ADMIN)
})

const strategiesIn = (environment: string) => `${FLAGS}/checkout/environments/${environment}/strategies`
const row = (name: string | RegExp) => page.getByRole('row', { name })

describe('context fields', () => {
  test('one is made with legal values from a pasted list', async () => {
    await visit(page, `${ui.url}/context-fields`)
    expect(
      await row(/^userId/)
        .getByRole('button', { name: /Delete/ })
        .count(),
    ).toBe(0)
    await page.getByRole('button', { name: 'Create context field' }).click()
    const editor = page.getByRole('dialog', { name: 'Create context field' })
    await editor.getByLabel('Name').fill('country')
    await editor.getByRole('textbox', { name: 'Description', exact: true }).fill('Where they pay')
    await editor.getByLabel('New values').fill('DE, AT; CH, DE')
    await editor.getByRole('button', { name: 'Add values' }).click()
    await editor.getByLabel('Description of DE').fill('Germany')
    await editor.getByRole('button', { name: 'Remove value CH' }).click()
    await editor.getByLabel('Stickiness').check()
    await editor.getByRole('button', { name: 'Save' }).click()
    await told(page, 'Saved context field country')
    await row(/country Where they pay DE, AT yes/).waitFor()
    expect(await ui.call('GET', '/api/admin/context/country')).toMatchObject({
      legalValues: [{ value: 'DE', description: 'Germany' }, { value: 'AT' }],
      stickiness: true,
    })
  })

  test('a name that is taken is refused with the reason, and nothing is lost', async () => {
    await page.getByRole('button', { name: 'Create context field' }).click()
    const editor = page.getByRole('dialog', { name: 'Create context field' })
    await editor.getByLabel('Name').fill('country')
    await editor.getByRole('button', { name: 'Save' }).click()
    await editor.getByRole('alert').getByText('“country” already exists.').waitFor()
    expect(await editor.getByLabel('Name').inputValue()).toBe('country')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Discard' }).click()
    await editor.waitFor({ state: 'hidden' })
  })

  test('its values are offered where constraints are written', async () => {
    await visit(page, `${ui.url}/segments?edit=new`)
    const editor = page.getByRole('dialog', { name: 'Create segment' })
    await editor.getByLabel('Name').fill('payers')
    await editor.getByRole('button', { name: 'Add constraint' }).click()
    const constraint = editor.getByRole('group', { name: 'Constraint 1' })
    await constraint.getByLabel('Context field').fill('country')
    await page.keyboard.press('Escape')
    await constraint.getByRole('combobox', { name: 'Values' }).click()
    await page.getByRole('option', { name: /^AT/ }).waitFor()
    await page.getByRole('option', { name: /^DE/ }).click()
    await editor.getByRole('button', { name: 'Save' }).click()
    await told(page, 'Saved segment payers')
    await row(/payers country is DE/).waitFor()
  })

  test('a field in use cannot be removed, and its uses are shown', async () => {
    await visit(page, `${ui.url}/context-fields`)
    await page.getByRole('button', { name: 'Usages of country: 1 segment' }).waitFor()
    await page.getByRole('button', { name: 'Delete country' }).click()
    const uses = page.getByRole('dialog', { name: 'Usages of country' })
    await uses.getByText('Segments that use it: payers.').waitFor()
    await uses.getByText('You can delete it once').waitFor()
  })
})

describe('segments', () => {
  test('an editor shows which flags a change reaches, down to the strategies', async () => {
    const { segments } = await ui.call<{ segments: [{ id: number }] }>('GET', '/api/admin/segments')
    for (const environment of ['development', 'production']) {
      await ui.call('POST', strategiesIn(environment), { name: 'default', segments: [segments[0].id] })
    }
    await visit(page, `${ui.url}/segments`)
    await page.getByRole('button', { name: 'Edit payers' }).click()
    const editor = page.getByRole('dialog', { name: 'Edit segment' })
    await editor.getByText('A change takes effect immediately in 1 flag, in development, production.').waitFor()
    await editor.getByLabel('Description').fill('Who pays')
    await editor.getByRole('button', { name: 'Save' }).click()
    await told(page, 'Saved segment payers')
    await row(/payers Who pays .* 1 flag/).waitFor()
  })

  test('a change of one that real users get asks first, and can be undone', async () => {
    const edit = async (): Promise<void> => {
      await page.getByRole('button', { name: 'Edit payers' }).click()
      const constraint = editor.getByRole('group', { name: 'Constraint 1' })
      await constraint.getByRole('combobox', { name: 'Values' }).click()
      await page.getByRole('option', { name: /^AT/ }).click()
      await editor.getByRole('button', { name: 'Save' }).click()
    }
    const undo = (): Promise<void> =>
      page.getByRole('alert').filter({ hasText: 'Saved segment payers' }).getByRole('button', { name: 'Undo' }).click()
    const editor = page.getByRole('dialog', { name: 'Edit segment' })
    await visit(page, `${ui.url}/segments`)
    // no confirmation is required, because the flag is off in that environment
    await edit()
    await undo()
    await told(page, 'Restored segment payers')
    await row(/payers Who pays country is DE /).waitFor()
    await ui.call('POST', `${FLAGS}/checkout/environments/production/on`)
    await visit(page, `${ui.url}/segments`)
    await edit()
    const question = page.getByRole('dialog', { name: 'Save segment payers?' })
    await question.getByText('Goes live in production within seconds, in checkout.').waitFor()
    await question.getByRole('button', { name: 'Cancel' }).click()
    const { segments } = await ui.call<{ segments: object[] }>('GET', '/api/admin/segments')
    expect(segments).toMatchObject([{ constraints: [{ values: ['DE'] }] }])
    await editor.getByRole('button', { name: 'Save' }).click()
    await question.getByRole('button', { name: 'Save segment' }).click()
    await row(/payers Who pays country is DE or AT /).waitFor()
    await undo()
    await row(/payers Who pays country is DE /).waitFor()
  })

  test.each([
    { path: '/context-fields', button: 'Edit country', first: 'Description' },
    { path: '/segments', button: 'Edit payers', first: 'Name' },
  ])('$button begins in its first field, and gives the focus back', async ({ path, button, first }) => {
    await visit(page, `${ui.url}${path}`)
    await page.getByRole('button', { name: button }).press('Enter')
    const editor = page.getByRole('dialog')
    await editor.getByRole('textbox', { name: first, exact: true }).and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Escape')
    await editor.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: button }).and(page.locator(':focus')).waitFor()
  })

  test('one in use is not removed; the way leads to the strategy', async () => {
    await page.getByRole('button', { name: 'Delete payers' }).click()
    const uses = page.getByRole('dialog', { name: 'Usages of payers' })
    expect(new URL(page.url()).searchParams.get('uses')).not.toBeNull()
    await uses.getByRole('link', { name: 'Strategy of checkout in production' }).click()
    const editor = page.getByRole('dialog', { name: /Strategy in production/ })
    await editor.getByText('This is production: changes go live for real users.').waitFor()
    await page.goBack()
    await uses.waitFor()
  })

  test('one that nothing uses any more is removed after a question', async () => {
    for (const environment of ['development', 'production']) {
      const [{ id }] = await ui.call<[{ id: string }]>('GET', strategiesIn(environment))
      await ui.call('DELETE', `${strategiesIn(environment)}/${id}`)
    }
    await page.goto(`${ui.url}/segments`)
    await page.getByRole('button', { name: 'Delete payers' }).click()
    await page.getByRole('dialog', { name: 'Delete segment payers?' }).getByRole('button', { name: 'Delete' }).click()
    await told(page, 'Deleted segment payers')
    await page.getByText('No segments yet').waitFor()
  })
})

describe('strategy types', () => {
  test('one is made with its parameters', async () => {
    await visit(page, `${ui.url}/strategy-types`)
    await page.getByRole('button', { name: 'Create strategy type' }).click()
    const editor = page.getByRole('dialog', { name: 'Create strategy type' })
    await editor.getByLabel('Name').fill('byTenant')
    await editor.getByLabel('Title').fill('By tenant')
    for (const [number, name, kind] of [
      [1, 'tenants', 'List'],
      [2, 'strict', 'Yes or no'],
    ] as const) {
      await editor.getByRole('button', { name: 'Add parameter' }).click()
      const parameter = editor.getByRole('group', { name: `Parameter ${number}` })
      await parameter.getByLabel('Name').fill(name)
      await parameter.getByRole('combobox', { name: 'Kind' }).click()
      await page.getByRole('option', { name: kind }).click()
    }
    await editor.getByRole('button', { name: 'Save' }).click()
    await told(page, 'Saved strategy type byTenant')
    await row(/By tenant byTenant tenants \(List\), strict \(Yes or no\) nothing/).waitFor()
  })

  test('a flag uses it', async () => {
    await visit(page, `${ui.url}/projects/default/features/checkout?env=development&strategy=new`)
    const editor = page.getByRole('dialog', { name: /New strategy in development/ })
    await editor.getByRole('combobox', { name: 'Strategy type' }).click()
    await page.getByRole('option', { name: 'By tenant' }).click()
    await editor.getByRole('combobox', { name: 'tenants' }).fill('acme,umbrella,')
    await editor.getByLabel('strict').check()
    await editor.getByRole('button', { name: 'Save' }).click()
    await editor.waitFor({ state: 'hidden' })
    expect(await ui.call('GET', strategiesIn('development'))).toMatchObject([
      { name: 'byTenant', parameters: { tenants: 'acme,umbrella', strict: 'true' } },
    ])
  })

  test.each([
    ['en', 'Strategy type', 'All users'],
    ['de', 'Strategietyp', 'Alle Benutzer'],
  ] as const)('have the same names in the editor and on their page: %s', async (language, label, name) => {
    await visit(page, `${ui.url}/projects/default/features/checkout?env=development&strategy=new`)
    await speak(page, language)
    await page.getByRole('dialog').getByRole('combobox', { name: label }).click()
    await page.getByRole('option', { name }).waitFor()
    const offered = await page.getByRole('option').allInnerTexts()
    expect(offered).toContain('By tenant')
    await visit(page, `${ui.url}/strategy-types`)
    await row(/byTenant/).waitFor()
    const listed = (await page.getByRole('rowheader').allInnerTexts()).map((text) => text.split('\n')[0]?.trim())
    expect(offered.filter((one) => !listed.includes(one))).toEqual([])
  })

  test('it shows its uses, and cannot be deleted while it has any', async () => {
    await page.goto(`${ui.url}/strategy-types`)
    await page.getByRole('button', { name: 'Usages of byTenant: 1 flag' }).click()
    const uses = page.getByRole('dialog', { name: 'Usages of By tenant' })
    await uses.getByRole('link', { name: 'checkout', exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Delete byTenant' }).click()
    await uses.getByText('You can delete it once').waitFor()
    await page.keyboard.press('Escape')
    await uses.waitFor({ state: 'hidden' })
  })

  test('it is deprecated and back; built-in ones cannot be edited', async () => {
    await page.getByRole('button', { name: 'Deprecate byTenant' }).click()
    await row(/By tenant deprecated/).waitFor()
    await page.getByRole('button', { name: 'Reactivate byTenant' }).click()
    await page.getByRole('button', { name: 'Deprecate byTenant' }).waitFor()
    expect(await page.getByRole('button', { name: /^(Edit|Delete) flexibleRollout/ }).count()).toBe(0)
    await visit(page, `${ui.url}/strategy-types?edit=flexibleRollout`)
    await row(/flexibleRollout/).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
  })
})

describe('tag types', () => {
  test('one is made, changed, and goes with its tags once its name is typed', async () => {
    await visit(page, `${ui.url}/tag-types`)
    await page.getByRole('button', { name: 'Create tag type' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('team')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await told(page, 'Saved tag type team')
    await ui.call('POST', '/api/admin/features/checkout/tags', { type: 'team', value: 'payments' })
    await page.reload()
    await row(/team 1/).waitFor()
    await page.getByRole('button', { name: 'Edit team' }).click()
    await page.getByRole('dialog', { name: 'Tag type team' }).getByLabel('Description').fill('Who looks after it')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await row(/team Who looks after it 1/).waitFor()
    await page.getByRole('button', { name: 'Delete team' }).click()
    const question = page.getByRole('dialog', { name: 'Delete tag type team?' })
    await question.getByText('Also removes its only tag').waitFor()
    expect(await question.getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true)
    await question.getByLabel('Type team to confirm').fill('team')
    await question.getByRole('button', { name: 'Delete' }).click()
    await told(page, 'Deleted tag type team')
    expect(await ui.call('GET', '/api/admin/features/checkout/tags')).toMatchObject({ tags: [] })
    expect(complaints).toEqual([])
  })
})

test('a viewer sees all of it and is offered no change', async () => {
  const viewer = await openPage(browser)
  await logIn(viewer.page, ui.url, VIEWER)
  for (const [path, shown] of [
    ['/context-fields', 'Where they pay'],
    ['/tag-types', 'simple'],
    ['/strategy-types', 'By tenant'],
    ['/context-fields?edit=country', 'Where they pay'],
    ['/strategy-types?edit=new', 'By tenant'],
  ] as const) {
    await visit(viewer.page, `${ui.url}${path}`)
    await viewer.page.getByText(shown).first().waitFor()
    expect(
      await viewer.page
        .getByRole('main')
        .getByRole('button', { name: /Create|Edit|Delete|cate/ })
        .count(),
    ).toBe(0)
    expect(await viewer.page.getByRole('dialog').count()).toBe(0)
  }
  expect(viewer.complaints).toEqual([])
  await viewer.page.close()
})
