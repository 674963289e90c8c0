import { execFile } from 'node:child_process'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify, stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startSite, type WebSite } from '../e2e/web-site.ts'
import { startServer, TOKENS } from '../http/scenario.ts'
import { BROWSER_LIMIT_MS, findChromium } from '../support/browser.ts'
import { temporaryFolder } from '../support/burgee.ts'

/** Playwright's own test runner, with the fixtures of `@burgee/testing` and pages in a real browser. */
const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const PROJECT = join(ROOT, 'tests', 'testing', 'playwright')
const PLAYWRIGHT = join(ROOT, 'node_modules', '@playwright', 'test', 'cli.js')
const TESTS = 3
const folder = temporaryFolder()
let site: WebSite
const waiting: ServerResponse[] = []
/** Answers once all tests have sent a request. */
const barrier = createServer((_request, response) => {
  waiting.push(response)
  if (waiting.length === TESTS) for (const one of waiting.splice(0)) one.end()
})

beforeAll(async () => {
  site = await startSite(['plain', 'openfeature'])
  await new Promise<void>((resolve) => barrier.listen(0, '127.0.0.1', resolve))
}, BROWSER_LIMIT_MS)
afterAll(async () => {
  barrier.closeAllConnections()
  barrier.close()
  await site.close()
  folder.remove()
})

async function runPlaywright(env: Readonly<Record<string, string>>): Promise<string> {
  const chromium = await findChromium()
  const variables = {
    ...process.env,
    ...chromium.env,
    CHROMIUM: chromium.path,
    CHROMIUM_ARGUMENTS: JSON.stringify(chromium.args),
    SITE: site.origin,
    BARRIER: `http://127.0.0.1:${(barrier.address() as AddressInfo).port}`,
    OUTPUT: join(folder.path, 'output'),
    ...env,
  }
  const args = [PLAYWRIGHT, 'test', '--config', join(PROJECT, 'playwright.config.ts')]
  // without `stdout` in the error, a failed test would not be named
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: PROJECT, env: variables }).catch(
    (error) => {
      throw new Error(stripVTControlCharacters(`${error.stdout}\n${error.stderr}`))
    },
  )
  return stripVTControlCharacters(stdout)
}

test(
  'a page, an OFREP page and a Node service have different flags at one server',
  async () => {
    const { server, admin, close } = await startServer()
    const { url } = await server.listen()
    const features = '/api/admin/projects/default/features'
    await admin(`POST ${features}`, { name: 'shown' })
    const variants = ['blue', 'red'].map((name, at) => ({
      name,
      weight: at === 0 ? 1000 : 0,
      weightType: at === 0 ? 'variable' : 'fix',
      stickiness: 'default',
    }))
    await admin(`POST ${features}/shown/environments/development/strategies`, { name: 'default', variants })
    expect(await runPlaywright({ BURGEE_URL: url, BURGEE_ADMIN_TOKEN: TOKENS.admin })).toContain(`${TESTS} passed`)
    const { testRuns } = await admin('GET /api/admin/projects/default/test-runs')
    expect(testRuns).toEqual([])
    const names = await admin('GET /api/admin/events?type=test-run-created')
    expect(names.events.length).toBeGreaterThanOrEqual(TESTS)
    await close()
  },
  BROWSER_LIMIT_MS,
)

test(
  'each worker has a fake server if no server is named',
  async () => {
    expect(await runPlaywright({})).toContain(`${TESTS} passed`)
  },
  BROWSER_LIMIT_MS,
)
