import type { Browser, Dialog, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { withBrowser } from '../support/browser-hooks.ts'
import { type Complaints, logIn, openPage } from './support/ui-page.ts'
import { ADMIN, FLAGS, startUi, type UiServer, VIEWER } from './support/ui-server.ts'

let ui: UiServer
let browser: Browser
let page: Page
let complaints: Complaints

withBrowser(startUi, async (...started) => {
  ;[browser, ui] = started
  await ui.call('POST', '/api/admin/projects', { id: 'shop', name: 'The shop' })
  for (const name of ['boat', 'harbour']) await ui.call('POST', FLAGS, { name })
  await ui.call('POST', `${FLAGS}/boat/environments/development/strategies`, { name: 'default', title: 'all' })
  await ui.call('POST', '/api/admin/segments', { name: 'sailors', constraints: [] })
  await ui.call('POST', '/api/admin/context', { name: 'country' })
  await ui.call('POST', '/api/admin/tag-types', { name: 'team' })
  await ui.call('POST', '/api/admin/strategies', { name: 'moon', parameters: [] })
  await ui.call('POST', '/api/admin/user-admin', { ...VIEWER, rootRole: 3 })
})

beforeAll(async () => {
  ;({ page, complaints } = await openPage(browser))
  await logIn(page, ui.url, ADMIN)
})
afterAll(() => page.close())

const button = (name: string | RegExp, from: Page | Locator = page) =>
  from.getByRole('button', { name, exact: typeof name === 'string' })
const BOAT = '/projects/default/features/boat'
const more = async (item: string): Promise<void> => {
  await button(/^More/).click()
  await page.getByRole('menuitem', { name: item }).click()
}

interface Editor {
  readonly name: string
  readonly at: string
  readonly open: () => Promise<void>
  readonly title: string
  /** Field of the editor that the test changes. */
  readonly field: (editor: Locator) => Locator
  readonly value?: string
}

const byLabel = (label: string | RegExp) => (editor: Locator) =>
  editor.getByRole('textbox', { name: label, exact: typeof label === 'string' })
const click = (name: string | RegExp) => () => button(name).click()

/** Every editor of the UI. */
const EDITORS: readonly Editor[] = [
  {
    name: 'a new strategy',
    at: BOAT,
    open: click('Add strategy in development'),
    title: 'New strategy in development',
    field: byLabel(/^Title/),
  },
  {
    name: 'a strategy',
    at: BOAT,
    title: 'Strategy in development',
    field: byLabel(/^Title/),
    open: () => button('Edit', page.getByRole('region', { name: 'development' })).click(),
  },
  {
    name: 'variants',
    at: BOAT,
    title: 'Variants: development',
    open: () => button('Add variants', page.getByRole('region', { name: 'development' })).click(),
    field: (editor) => editor.getByRole('checkbox', { name: /^Same variants in all environments/ }),
  },
  {
    name: 'details of a flag',
    at: BOAT,
    open: click('Edit details'),
    title: 'Edit details',
    field: byLabel('Description'),
  },
  {
    name: 'a copy of a flag',
    at: BOAT,
    open: () => more('Copy to a new flag'),
    title: 'Copy boat',
    field: byLabel('Name of the copy'),
  },
  {
    name: 'a parent',
    at: BOAT,
    open: click('+ Add dependency'),
    title: 'Add dependency',
    field: (editor) => editor.getByRole('radio', { name: 'Off' }),
  },
  {
    name: 'a new flag',
    at: '/projects/default',
    open: click('Create flag'),
    title: 'Create a flag',
    field: byLabel('Description'),
  },
  {
    name: 'a segment',
    at: '/segments',
    open: click('Edit sailors'),
    title: 'Edit segment',
    field: byLabel('Description'),
  },
  {
    name: 'a context field',
    at: '/context-fields',
    open: click('Edit country'),
    title: 'Context field country',
    field: byLabel('Description'),
  },
  {
    name: 'a tag type',
    at: '/tag-types',
    open: click('Edit team'),
    title: 'Tag type team',
    field: byLabel('Description'),
  },
  {
    name: 'a strategy type',
    at: '/strategy-types',
    open: click('Edit moon'),
    title: 'Strategy type moon',
    field: byLabel('Description'),
  },
  {
    name: 'an environment',
    at: '/environments',
    open: click('Create environment'),
    title: 'Create environment',
    field: byLabel('Name'),
  },
  {
    name: 'a project',
    at: '/projects',
    open: click('Create project'),
    title: 'Create project',
    field: byLabel('Name'),
  },
  {
    name: 'a user',
    at: '/users',
    open: click(/^Edit viewer/),
    title: 'Edit user',
    field: byLabel('E-mail address'),
  },
  {
    name: 'a new user',
    at: '/users',
    open: click('Add user'),
    title: 'Add user',
    field: byLabel('Username'),
  },
  {
    name: 'members',
    at: '/projects/default/settings?tab=members',
    open: () => button('Add members').first().click(),
    title: 'Add members',
    field: (editor) => editor.getByRole('radio', { name: /^Owner/ }),
  },
  {
    name: 'an API token',
    at: '/tokens',
    open: click('Create token'),
    title: 'Create token',
    field: byLabel('Application name'),
  },
  {
    name: 'a personal token',
    at: '/profile',
    open: click('Create personal token'),
    title: 'Create personal token',
    field: byLabel('Purpose'),
  },
]

/** Navigates to a page from another page of the UI, so that Back stays within the UI. */
async function goWithin(path: string): Promise<void> {
  await page.goto(`${ui.url}/playground`)
  await page.getByRole('heading', { name: 'Playground', level: 1 }).waitFor()
  // contains the history index that the router adds to its own entries
  await page.evaluate((to) => history.pushState({ __TSR_index: history.state.__TSR_index + 1 }, '', to), path)
  await page.getByRole('heading', { name: 'Playground', level: 1 }).waitFor({ state: 'hidden' })
}

const question = () => page.getByRole('dialog', { name: 'Discard changes?' })

/** Changes a field. Returns a function that checks whether the field still contains the new value. */
async function change(field: Locator): Promise<() => Promise<boolean>> {
  const type = await field.getAttribute('type')
  if (type === 'radio' || type === 'checkbox') {
    await field.check()
    return () => field.isChecked()
  }
  await field.fill('typed and not saved')
  return async () => (await field.inputValue()) === 'typed and not saved'
}

/**
 * Requests a reload as the browser's button does, and dismisses the confirmation, so that the page remains open.
 * Returns the type of the dialog.
 */
async function reload(): Promise<string> {
  const asked = new Promise<Dialog>((resolve) => page.once('dialog', resolve))
  await page.evaluate(() => void setTimeout(() => location.reload()))
  const dialog = await asked
  await dialog.dismiss()
  return dialog.type()
}

describe('unsaved input', () => {
  test.each(EDITORS)('$name', async ({ at, open, title, field: find }) => {
    await goWithin(at)
    await open()
    const editor = page.getByRole('dialog', { name: title, exact: true })
    const field = find(editor)
    await field.waitFor()
    // without changes, the first key press closes the editor
    await page.keyboard.press('Escape')
    await editor.waitFor({ state: 'hidden' })
    await open()
    await field.waitFor()
    const isKept = await change(field)
    const ways: readonly [string, () => Promise<unknown>][] = [
      ['Escape', () => page.keyboard.press('Escape')],
      ['a click beside it', () => page.mouse.click(5, 400)],
      ['its cross', () => button('Close', editor).click()],
      ['Cancel', () => button('Cancel', editor).click()],
      ['Back', () => page.evaluate(() => history.back())],
    ]
    for (const [name, leave] of ways) {
      await leave()
      await question().waitFor()
      // Escape closes only the confirmation, not the editor behind it
      if (name === 'Escape') await page.keyboard.press('Escape')
      else await button('Keep editing').click()
      await question().waitFor({ state: 'hidden' })
      expect([name, await editor.isVisible(), await isKept()]).toEqual([name, true, true])
    }
    expect([await reload(), await isKept()]).toEqual(['beforeunload', true])
    await button('Cancel', editor).click()
    await button('Discard', question()).click()
    await editor.waitFor({ state: 'hidden' })
    expect(await question().count()).toBe(0)
  })

  test('a value that is typed and not taken over yet counts', async () => {
    await page.goto(`${ui.url}${BOAT}`)
    await button('Add strategy in development').click()
    const editor = page.getByRole('dialog', { name: 'New strategy in development' })
    await editor.getByLabel(/^Title/).waitFor()
    await editor.getByRole('combobox', { name: 'Strategy type' }).click()
    await page.getByRole('option', { name: 'Listed users' }).click()
    const users = editor
      .getByRole('textbox', { name: 'Listed users' })
      .or(editor.getByRole('combobox', { name: 'Listed users' }))
    await users.first().pressSequentially('7')
    // the first key press closes the empty list of options
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await question().waitFor()
    await button('Discard').click()
  })

  test('Back goes back once the question is answered with yes', async () => {
    await goWithin(BOAT)
    await button('Add strategy in development').click()
    const editor = page.getByRole('dialog', { name: 'New strategy in development' })
    await editor.getByLabel(/^Title/).fill('gone')
    await page.evaluate(() => history.back())
    await button('Discard').click()
    await editor.waitFor({ state: 'hidden' })
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(BOAT)
  })

  test('settings of a project, which are no dialog, and are at rest once they are saved', async () => {
    await page.goto(`${ui.url}/projects/shop/settings`)
    const description = page.getByRole('textbox', { name: 'Description' })
    await description.fill('What we sell')
    await page.getByRole('link', { name: 'Segments', exact: true }).click()
    await question().waitFor()
    await button('Keep editing').click()
    expect(await description.inputValue()).toBe('What we sell')
    await button('Save').click()
    await page.getByText('Saved').first().waitFor()
    await page.getByRole('link', { name: 'Segments', exact: true }).click()
    await page.getByRole('heading', { name: 'Segments', level: 1 }).waitFor()
  })
})

/** Dialogs that show a secret once: the steps that create the secret, the title of the dialog, and its button. */
const SECRETS: readonly { name: string; make: () => Promise<void>; title: string; done: string }[] = [
  {
    name: 'an API token',
    make: async () => {
      await goWithin('/tokens?create=true')
      const form = page.getByRole('dialog', { name: 'Create token' })
      await form.getByLabel('Application name').fill('harbour office')
      await button('Create token', form).click()
    },
    title: 'Copy the token now',
    done: 'Done',
  },
  {
    name: 'a personal token',
    make: async () => {
      await goWithin('/profile?token=new')
      const form = page.getByRole('dialog', { name: 'Create personal token' })
      await form.getByRole('textbox').first().fill('logbook')
      await button('Create personal token', form).click()
    },
    title: 'Copy the token now',
    done: 'Done',
  },
  {
    name: 'a link for a new user',
    make: async () => {
      await goWithin('/users?edit=new')
      const form = page.getByRole('dialog', { name: 'Add user' })
      await form.getByRole('textbox', { name: 'Username' }).fill('first-mate')
      await button('Add user', form).click()
    },
    title: 'Send this link',
    done: 'Done',
  },
]

describe('secrets shown once', () => {
  test.each(SECRETS)('$name closes by its own button only', async ({ make, title, done }) => {
    await make()
    const once = page.getByRole('dialog', { name: title })
    await once.waitFor()
    await page.keyboard.press('Escape')
    await page.mouse.click(5, 400)
    expect(await button('Close', once).count()).toBe(0)
    expect(await once.isVisible()).toBe(true)
    await page.evaluate(() => history.back())
    const asked = page.getByRole('dialog', { name: 'Close without copying?' })
    await asked.waitFor()
    await button('Not yet', asked).click()
    expect(await once.isVisible()).toBe(true)
    expect(await reload()).toBe('beforeunload')
    await button(done, once).click()
    await once.waitFor({ state: 'hidden' })
    expect(await asked.count()).toBe(0)
  })

  test('the page logged no errors', () => {
    expect(complaints).toEqual([])
  })
})
