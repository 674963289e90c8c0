import type { Browser, Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { withBrowser } from '../support/browser-hooks.ts'
import { type Complaints, logIn, openPage, told } from './support/ui-page.ts'
import { ADMIN, FLAGS, startUi, type UiServer } from './support/ui-server.ts'

const OTHER = { username: 'other', password: 'yet-another-horse-battery' }
const STRATEGIES = `${FLAGS}/shared/environments/development/strategies`

interface Stored {
  readonly id: string
  readonly title: string | null
  readonly sortOrder: number
  readonly parameters: Readonly<Record<string, string>>
}

let ui: UiServer
let browser: Browser
let mine: Page
let theirs: Page
let complaints: Complaints[]

withBrowser(startUi, async (...started) => {
  ;[browser, ui] = started
  await ui.call('POST', '/api/admin/user-admin', { ...OTHER, rootRole: 1 })
  await ui.call('POST', FLAGS, { name: 'shared' })
  const opened = [await openPage(browser), await openPage(browser)] as const
  mine = opened[0].page
  theirs = opened[1].page
  complaints = opened.map((one) => one.complaints)
  await logIn(mine, ui.url, ADMIN)
  await logIn(theirs, ui.url, OTHER)
})

const stored = (): Promise<Stored[]> => ui.call('GET', STRATEGIES)

/** Opens the editor of the first strategy. */
async function edit(page: Page): Promise<Locator> {
  await page.goto(`${ui.url}/projects/default/features/shared`)
  const column = page.getByRole('region', { name: 'development' })
  await column.getByRole('button', { name: 'Edit', exact: true }).first().click()
  const editor = page.getByRole('dialog', { name: 'Strategy in development' })
  await editor.getByLabel(/^Title/).waitFor()
  return editor
}

async function save(page: Page, editor: Locator, title: string): Promise<void> {
  await editor.getByLabel(/^Title/).fill(title)
  await editor.getByRole('button', { name: 'Save' }).click()
  await editor.waitFor({ state: 'hidden' })
  await told(page, 'Strategy saved')
}

/** Opens two editors. The other user saves first, then the user of this page. */
async function collide(title: string): Promise<Locator> {
  for (const { id } of await stored()) await ui.call('DELETE', `${STRATEGIES}/${id}`)
  const rollout = { rollout: '10', stickiness: 'default', groupId: 'shared' }
  await ui.call('POST', STRATEGIES, { name: 'flexibleRollout', title: 'at first', parameters: rollout })
  const editor = await edit(mine)
  await save(theirs, await edit(theirs), title)
  await editor.getByLabel(/^Title/).fill('mine')
  await editor.getByLabel('Rollout group').fill('mine as well')
  await editor.getByRole('button', { name: 'Save' }).click()
  const notice = editor.getByRole('alert')
  await notice.getByText('Someone else has changed this strategy').waitFor()
  await notice.getByText(/^other changed it .*\. Your changes are not saved yet\./).waitFor()
  await notice.getByText(`${title}: 10% of users`).waitFor()
  await notice.getByText('mine: 10% of users').waitFor()
  await notice.getByText('2 differences').click()
  await notice.getByRole('row', { name: `title ${title} mine` }).waitFor()
  expect(await stored()).toMatchObject([{ title, parameters: rollout }])
  return editor
}

describe('two editors of a strategy', () => {
  test('the second to save sees who came first, sees both versions, and can keep their own', async () => {
    const editor = await collide('theirs to go')
    await editor.getByRole('button', { name: 'Keep mine' }).click()
    await editor.waitFor({ state: 'hidden' })
    expect(await stored()).toMatchObject([{ title: 'mine', parameters: { groupId: 'mine as well' } }])
  })

  test('takes theirs, changes it and saves that', async () => {
    const editor = await collide('theirs to take')
    await editor.getByRole('button', { name: 'Take theirs' }).click()
    await editor.getByText('Someone else has changed this strategy').waitFor({ state: 'hidden' })
    expect(await editor.getByLabel(/^Title/).inputValue()).toBe('theirs to take')
    expect(await editor.getByLabel('Rollout group').inputValue()).toBe('shared')
    await save(mine, editor, 'both')
    expect(await stored()).toMatchObject([{ title: 'both', parameters: { groupId: 'shared' } }])
  })

  test('cancels, and nothing is replaced', async () => {
    const editor = await collide('theirs to stay')
    await editor.getByRole('button', { name: 'Cancel' }).click()
    await mine.getByRole('button', { name: 'Discard' }).click()
    await editor.waitFor({ state: 'hidden' })
    expect(await stored()).toMatchObject([{ title: 'theirs to stay' }])
    await mine.getByText('theirs to stay').waitFor()
  })

  test('a second conflict during the first is shown again', async () => {
    const editor = await collide('theirs, once')
    const [{ id } = { id: '' }] = await stored()
    await ui.call('PATCH', `${STRATEGIES}/${id}`, [{ op: 'replace', path: '/title', value: 'theirs, twice' }])
    await editor.getByRole('button', { name: 'Keep mine' }).click()
    await editor.getByText('theirs, twice: 10% of users').waitFor()
    expect(await stored()).toMatchObject([{ title: 'theirs, twice' }])
    await editor.getByRole('button', { name: 'Keep mine' }).click()
    await editor.waitFor({ state: 'hidden' })
    expect(await stored()).toMatchObject([{ title: 'mine' }])
  })

  test('a change of the order alone causes no conflict, and stays', async () => {
    await ui.call('POST', STRATEGIES, { name: 'default', title: 'the second' })
    const editor = await edit(mine)
    const [first, second] = await stored()
    const order = [second, first].map((one, sortOrder) => ({ id: one?.id ?? '', sortOrder }))
    await ui.call('POST', `${STRATEGIES}/set-sort-order`, order)
    await save(mine, editor, 'saved meanwhile')
    expect((await stored()).map(({ title }) => title)).toEqual(['the second', 'saved meanwhile'])
  })
})

/**
 * Other objects that two users edit at the same time: each is created through the API, and opened with the button in
 * its row.
 */
const SHARED = [
  {
    kind: 'segment',
    page: '/segments',
    name: 'staff',
    editor: 'Edit segment',
    make: async () => {
      const body = { name: 'staff', constraints: [{ contextName: 'country', operator: 'IN', values: ['DE'] }] }
      const { id } = await ui.call<{ id: number }>('POST', '/api/admin/segments', body)
      return `/api/admin/segments/${id}`
    },
    meddle: () => ui.call('POST', STRATEGIES, { name: 'default', segments: [1] }),
  },
  {
    kind: 'context field',
    page: '/context-fields',
    name: 'country',
    editor: 'Context field country',
    make: async () => {
      await ui.call('POST', '/api/admin/context', { name: 'country', legalValues: [{ value: 'DE' }] })
      return '/api/admin/context/country'
    },
    meddle: () => {
      const constraints = [{ contextName: 'country', operator: 'IN', values: ['DE'] }]
      return ui.call('POST', STRATEGIES, { name: 'default', constraints })
    },
  },
  {
    kind: 'group',
    page: '/groups',
    name: 'payments',
    editor: 'Edit group',
    make: async () => {
      const { id } = await ui.call<{ id: number }>('POST', '/api/admin/groups', { name: 'payments' })
      return `/api/admin/groups/${id}`
    },
    meddle: () => ui.call('POST', '/api/admin/projects/default/access', { roles: [5], groups: [1], users: [] }),
  },
  {
    kind: 'role',
    page: '/roles',
    name: 'releaser',
    editor: 'Edit role',
    make: async () => {
      const body = { name: 'releaser', type: 'custom', permissions: [{ name: 'UPDATE_FEATURE' }] }
      const { roles } = await ui.call<{ roles: { id: number } }>('POST', '/api/admin/roles', body)
      return `/api/admin/roles/${roles.id}`
    },
    meddle: async () => {
      const { id } = await ui.call<{ id: number }>('POST', '/api/admin/groups', { name: 'releasers' })
      const { roles } = await ui.call<{ roles: { id: number; name: string }[] }>('GET', '/api/admin/roles')
      const role = roles.find(({ name }) => name === 'releaser')?.id
      await ui.call('POST', '/api/admin/projects/default/access', { roles: [role], groups: [id], users: [] })
    },
  },
] as const

describe.each(SHARED)('two editors of a $kind', ({ kind, page: path, name, editor: title, make, meddle }) => {
  let address: string

  beforeAll(async () => {
    address = await make()
  })

  async function open(page: Page): Promise<Locator> {
    await page.goto(`${ui.url}${path}`)
    await page.getByRole('button', { name: `Edit ${name}` }).click()
    const editor = page.getByRole('dialog', { name: title })
    await editor.getByRole('textbox', { name: 'Description', exact: true }).waitFor()
    return editor
  }

  async function describeAs(editor: Locator, text: string): Promise<void> {
    await editor.getByRole('textbox', { name: 'Description', exact: true }).fill(text)
    await editor.getByRole('button', { name: 'Save' }).click()
  }

  const stored = async () => (await ui.call<{ description: string }>('GET', address)).description

  async function meet(text: string): Promise<Locator> {
    const editor = await open(mine)
    const other = await open(theirs)
    await describeAs(other, text)
    await other.waitFor({ state: 'hidden' })
    await describeAs(editor, 'mine')
    const notice = editor.getByRole('alert')
    await notice.getByText(`Someone else has changed this ${kind}`).waitFor()
    await notice.getByText(/^other changed it .*\. Your changes are not saved yet\./).waitFor()
    await notice.getByRole('row', { name: `description ${text} mine` }).waitFor()
    expect(await stored()).toBe(text)
    return editor
  }

  test('the second to save sees the conflict, and can keep their own version', async () => {
    const editor = await meet('theirs to go')
    await editor.getByRole('button', { name: 'Keep mine' }).click()
    await editor.waitFor({ state: 'hidden' })
    expect(await stored()).toBe('mine')
  })

  test('takes theirs, changes it and saves that', async () => {
    const editor = await meet('theirs to take')
    await editor.getByRole('button', { name: 'Take theirs' }).click()
    await editor.getByRole('alert').filter({ hasText: 'Someone else' }).waitFor({ state: 'hidden' })
    expect(await editor.getByRole('textbox', { name: 'Description', exact: true }).inputValue()).toBe('theirs to take')
    await describeAs(editor, 'both')
    await editor.waitFor({ state: 'hidden' })
    expect(await stored()).toBe('both')
  })

  test('a change of its uses alone causes no conflict', async () => {
    const editor = await open(mine)
    await meddle()
    await describeAs(editor, 'used meanwhile')
    await editor.waitFor({ state: 'hidden' })
    expect(await stored()).toBe('used meanwhile')
  })
})

test('saving second does not remove permissions and members that another user added', async () => {
  await mine.goto(`${ui.url}/roles`)
  await mine.getByRole('button', { name: 'Edit releaser' }).click()
  const editor = mine.getByRole('dialog', { name: 'Edit role' })
  await editor.getByRole('checkbox', { name: 'Archive flags' }).check()
  const { roles } = await ui.call<{ roles: { id: number; name: string }[] }>('GET', '/api/admin/roles')
  const address = `/api/admin/roles/${roles.find(({ name }) => name === 'releaser')?.id}`
  const permissions = [{ name: 'UPDATE_FEATURE' }, { name: 'CREATE_FEATURE' }]
  await ui.call('PUT', address, { name: 'releaser', description: 'used meanwhile', permissions })
  await editor.getByRole('button', { name: 'Save' }).click()
  const notice = editor.getByRole('alert')
  await notice.getByRole('row', { name: 'Create flags yes –' }).waitFor()
  await notice.getByRole('row', { name: 'Archive flags – yes' }).waitFor()
  expect(await ui.call('GET', address)).toMatchObject({ permissions: { length: 2 } })
  await editor.getByRole('button', { name: 'Take theirs' }).click()
  expect(await editor.getByRole('checkbox', { name: 'Create flags' }).isChecked()).toBe(true)
  await editor.getByRole('button', { name: 'Cancel' }).click()
})

test('two edits of single sign-on: the second sees a conflict without secrets, and can keep theirs', async () => {
  const path = '/api/admin/auth/oidc/settings'
  const theirs = { clientId: 'theirs', secret: 'their secret', discoverUrl: 'https://id.example.com' }
  await mine.goto(`${ui.url}/single-sign-on`)
  await mine.getByLabel('Client ID').fill('mine')
  await mine.getByRole('textbox', { name: 'Client secret' }).fill('a secret of mine')
  await ui.call('POST', path, theirs)
  await mine.getByRole('button', { name: 'Save' }).click()
  const notice = mine.getByRole('alert').filter({ hasText: 'Someone else has changed single sign-on' })
  await notice.getByRole('row', { name: 'Client ID theirs mine' }).waitFor()
  expect(await notice.textContent()).not.toContain('secret of mine')
  expect(await ui.call('GET', path)).toMatchObject({ clientId: 'theirs' })
  await mine.getByRole('button', { name: 'Keep mine' }).click()
  await told(mine, 'Single sign-on saved')
  expect(await ui.call('GET', path)).toMatchObject({ clientId: 'mine', discoverUrl: '' })
})

test('the pages logged no errors', () => {
  expect(complaints).toEqual([[], []])
})
