import type { Browser, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { withBrowser } from '../support/browser-hooks.ts'
import { logIn, openPage } from './support/ui-page.ts'
import { startUi, type UiServer } from './support/ui-server.ts'
import { visit } from './support/visit.ts'

const EDITOR = { username: 'ed', password: 'another-horse-battery' }
const SEGMENTS = '/api/admin/segments'

let ui: UiServer
let browser: Browser
let page: Page

withBrowser(startUi, async (...started) => {
  ;[browser, ui] = started
  for (const id of ['theirs', 'ours']) await ui.call('POST', '/api/admin/projects', { id, name: id })
  for (const project of [null, 'theirs', 'ours']) {
    await ui.call('POST', SEGMENTS, { name: `of ${project ?? 'all'}`, project, constraints: [] })
  }
  const { id } = await ui.call<{ id: number }>('POST', '/api/admin/user-admin', { ...EDITOR, rootRole: 2 })
  await ui.call('PUT', `/api/admin/projects/ours/users/${id}/roles`, { roles: [5] })
  ;({ page } = await openPage(browser))
  await logIn(page, ui.url, EDITOR)
})

describe('an editor with a role in one of two projects', () => {
  test('gets actions for global segments and those of that project, and none for the other', async () => {
    await visit(page, `${ui.url}/segments`)
    await page.getByRole('rowheader', { name: 'of theirs' }).waitFor()
    for (const [segment, buttons] of [
      ['of all', 2],
      ['of ours', 2],
      ['of theirs', 0],
    ] as const) {
      const row = page.getByRole('row', { name: segment })
      const offered = await row.getByRole('button', { name: /Edit|Remove|Delete/ }).count()
      expect([segment, offered]).toEqual([segment, buttons])
    }
  })

  test('cannot choose the other project for a new one', async () => {
    await page.goto(`${ui.url}/segments?edit=new`)
    await page.getByRole('dialog').getByRole('combobox', { name: 'Project' }).click()
    await page.getByRole('option', { name: 'ours' }).waitFor()
    expect((await page.getByRole('option').allTextContents()).sort()).toEqual(['All projects', 'Default', 'ours'])
  })

  test('does not come to the editor of the other by its address', async () => {
    const { segments } = await ui.call<{ segments: { id: number; name: string }[] }>('GET', SEGMENTS)
    const theirs = segments.find(({ name }) => name === 'of theirs')
    await visit(page, `${ui.url}/segments?edit=%22${theirs?.id}%22`)
    await page.getByRole('rowheader', { name: 'of theirs' }).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
  })
})
