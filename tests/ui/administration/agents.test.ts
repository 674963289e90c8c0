import type { Browser } from 'playwright-core'
import { expect, test } from 'vitest'
import { withBrowser } from '../../support/browser-hooks.ts'
import { sessionCall } from '../support/session-call.ts'
import { logIn, openPage } from '../support/ui-page.ts'
import { ADMIN, FLAGS, startUi, type UiServer } from '../support/ui-server.ts'

/** Page about agents: how to connect them, what they may do, and what they have done. */
let ui: UiServer
let browser: Browser
withBrowser(startUi, (...started) => {
  ;[browser, ui] = started
})

/** Turns a flag on as an agent with a personal token of the administrator. */
async function actAsAgent(feature: string): Promise<void> {
  const call = await sessionCall(ui, ADMIN)
  const expiresAt = new Date(Date.now() + 86_400_000).toISOString()
  const token = (await call('POST', '/api/admin/user/tokens', { description: 'laptop', expiresAt })) as {
    secret: string
  }
  const given = { featureName: feature, environment: 'development', enabled: true, reason: 'Try it' }
  const params = { name: 'toggle_flag_environment', arguments: given }
  const reply = await fetch(`${ui.url}/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token.secret}`, 'content-type': 'application/json', 'user-agent': 'pilot/7' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  })
  expect(await reply.json()).toMatchObject({ result: { isError: false } })
}

test('an administrator limits agents, and sees what they did', async () => {
  await ui.call('POST', FLAGS, { name: 'touched-by-agents' })
  await actAsAgent('touched-by-agents')
  const { page, complaints } = await openPage(browser)
  await logIn(page, ui.url, ADMIN)
  await page.goto(`${ui.url}/agents`)
  await page.getByText('claude mcp add').waitFor()
  const limit = page.getByLabel('What agents may do in development')
  await limit.selectOption('read')
  await page.getByText('Limit for development saved').waitFor()
  expect(await limit.inputValue()).toBe('read')
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Limit for development restored').waitFor()
  const row = page.getByRole('row').filter({ hasText: 'touched-by-agents' })
  expect(await row.textContent()).toMatch(/laptop.*toggle_flag_environment.*Applied.*pilot 7/s)
  await page.getByRole('link', { name: 'All events of agents' }).click()
  await page.getByText('touched-by-agents').first().waitFor()
  expect(page.url()).toContain('agents=only')
  expect(complaints).toEqual([])
  await page.context().close()
})
