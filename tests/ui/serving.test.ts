import { readdirSync, readFileSync, statSync } from 'node:fs'
import { get } from 'node:http'
import { createRequire } from 'node:module'
import type { Browser, BrowserContext } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { withBrowser } from '../support/browser-hooks.ts'
import { openPage, told } from './support/ui-page.ts'
import { FLAGS, startUi, type UiServer } from './support/ui-server.ts'
import { visit } from './support/visit.ts'

/** First start without settings: the password is generated and must be changed. */
const FIRST = { DEFAULT_ADMIN_PASSWORD: '', ENFORCE_PASSWORD_CHANGE: 'true' }

const ASSETS = new URL('../../packages/admin-ui/dist/assets/', import.meta.url)
const MOST_BYTES = 200_000
/**
 * Limit in bytes for login and list. Of the total budget of 200 kB, code that is loaded when the page is idle takes
 * about 15 kB.
 */
const MOST_FIRST_BYTES = 187_000

const OWN_PASSWORD = 'a password of my own'

let session: Awaited<ReturnType<BrowserContext['storageState']>>
let ui: UiServer
let browser: Browser

withBrowser(
  () =>
    startUi({
      BASE_URI_PATH: '/flags/here',
      SIMPLE_LOGIN_LIMIT_PER_MINUTE: '3',
      ...FIRST,
    }),
  (...started) => {
    ;[browser, ui] = started
  },
)

/** Sends a request, without decoding the response or following redirects. */
function plain(path: string, headers: Record<string, string> = {}, method = 'GET') {
  return new Promise<{ status: number; headers: Record<string, unknown>; bytes: number }>((resolve, reject) => {
    const request = get(new URL(path, ui.url), { headers, method }, (reply) => {
      let bytes = 0
      reply.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      reply.on('end', () => resolve({ status: reply.statusCode ?? 0, headers: reply.headers, bytes }))
    })
    request.on('error', reject)
  })
}

describe('the UI below a base path', () => {
  test('serves one page at every path outside the API, and scripts that are cached indefinitely', async () => {
    const html = await (await fetch(`${ui.url}/projects/default/features/a.b`)).text()
    expect(html).toContain('<meta name="base-path" content="/flags/here">')
    expect(html).not.toMatch(/<base|(?:href|src)="(?!\/flags\/here\/)/)
    expect(html).not.toMatch(/<style|<script>|style="/)
    const [script = ''] = /assets\/first-[\w-]+\.js/.exec(html) ?? []
    const file = `/flags/here/${script}`
    const packed = await plain(file, { 'accept-encoding': 'gzip' })
    const unpacked = await plain(file)
    expect(packed).toMatchObject({ status: 200, headers: { 'content-encoding': 'gzip', vary: 'Accept-Encoding' } })
    expect(unpacked.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(unpacked.headers['content-encoding']).toBeUndefined()
    expect(packed.bytes).toBeLessThan(unpacked.bytes / 2)
    const smaller = await plain(file, { 'accept-encoding': 'gzip, br' })
    expect(smaller).toMatchObject({
      status: 200,
      headers: { 'content-encoding': 'br', vary: 'Accept-Encoding', etag: unpacked.headers.etag },
    })
    expect(smaller.bytes).toBe(statSync(new URL(`../${script}.br`, ASSETS)).size)
    expect(smaller.bytes).toBeLessThan(packed.bytes * 0.9)
    expect(await plain(`${file}.br`)).toMatchObject({ status: 404 })
    const etag = String(unpacked.headers.etag)
    expect(await plain(file, { 'if-none-match': etag })).toMatchObject({ status: 304, bytes: 0 })
    expect(await plain(file, {}, 'HEAD')).toMatchObject({ status: 200, bytes: 0 })
  })

  test('no file is large, and those that the page begins with are small together', async () => {
    const html = await (await fetch(`${ui.url}/`)).text()
    const size = async (name: string): Promise<number> => {
      const { status, bytes } = await plain(`/flags/here/assets/${name}`, { 'accept-encoding': 'gzip' })
      expect([name, status]).toEqual([name, 200])
      return bytes
    }
    const sizes = new Map<string, number>()
    for (const name of readdirSync(ASSETS).filter((one) => !one.endsWith('.br'))) sizes.set(name, await size(name))
    expect([...sizes].filter(([, bytes]) => bytes > MOST_BYTES)).toEqual([])
    const first = [...new Set([...html.matchAll(/assets\/([\w-]+\.js)/g)].map(([, name = '']) => name))]
    const together = first.reduce((sum, name) => sum + (sizes.get(name) ?? 0), 0)
    process.stdout.write(`Scripts that the page names, compressed: ${together} bytes in ${first.length} files\n`)
    expect(first).toEqual(expect.arrayContaining([expect.stringMatching(/^early-/), expect.stringMatching(/^first-/)]))
    expect(together).toBeLessThan(MOST_FIRST_BYTES)
  })

  test('the page names its typeface: a first view without it would move once it is there', async () => {
    const html = await (await fetch(`${ui.url}/`)).text()
    const [, name] =
      /<link rel="preload" as="font"[^>]* href="[^"]*(assets\/inter-latin-wght-[\w-]+\.woff2)"/.exec(html) ?? []
    expect(await plain(`/flags/here/${name}`)).toMatchObject({ status: 200, headers: { 'content-type': 'font/woff2' } })
  })

  test('every component that is used has its styles', () => {
    const built = (ending: string) =>
      readdirSync(ASSETS)
        .filter((name) => name.endsWith(ending))
        .map((name) => readFileSync(new URL(name, ASSETS), 'utf8'))
        .join('\n')
    const classesIn = (text: string) => new Set(text.match(/\bm_[0-9a-f]{6,8}\b/g))
    const styled = classesIn(built('.css'))
    const all = classesIn(readFileSync(createRequire(import.meta.url).resolve('@mantine/core/styles.css'), 'utf8'))
    const used = classesIn(built('.js'))
    expect(used.size).toBeGreaterThan(50)
    expect([...used].filter((name) => all.has(name) && !styled.has(name))).toEqual([])
  })

  test.each([
    { path: '/flags/here', status: 200 },
    { path: '/flags/here/', status: 200 },
    { path: '/flags/here/login', status: 200 },
    { path: '/flags/here/assets/none.js', status: 404 },
    { path: '/flags/here/api/admin/none', status: 401 },
    { path: '/flags/here/auth/none', status: 404 },
    { path: '/flags/here/edge/none', status: 404 },
    { path: '/flags/here/..%2f..%2fpackage.json', status: 200 },
    { path: '/elsewhere', status: 404 },
  ])('$path is $status', async ({ path, status }) => {
    const reply = await plain(path)
    expect(reply.status).toBe(status)
    if (status === 200) {
      expect(reply.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' })
      expect(reply.headers['content-security-policy']).not.toContain('unsafe')
    }
  })

  test('requires a new password at the first login, and works', async () => {
    await ui.call('POST', FLAGS, { name: 'below' })
    const { page, complaints } = await openPage(browser)
    const username = page.getByLabel('Username or e-mail')
    const password = page.getByRole('textbox', { name: 'Password' })
    await page.goto(`${ui.url}/segments`)
    await username.fill('admin')
    await password.fill(ui.password)
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByRole('heading', { name: 'Set your own password' }).waitFor()
    // the field already contains the password of the login a moment ago
    await page.getByRole('textbox', { name: 'New password', exact: true }).and(page.locator(':focus')).waitFor()
    expect(await page.getByLabel('Current password').inputValue()).toBe(ui.password)
    await page.getByRole('textbox', { name: 'New password', exact: true }).fill(OWN_PASSWORD)
    await page.getByLabel('Repeat new password').fill('another password')
    await page.getByText('The two new passwords do not match.').waitFor()
    await page.getByLabel('Repeat new password').fill(OWN_PASSWORD)
    await page.getByRole('button', { name: 'Save' }).click()
    await told(page, 'Password changed')
    await page.getByRole('link', { name: 'Flags', exact: true }).click()
    await page.getByRole('link', { name: 'below' }).click()
    await page.getByRole('heading', { name: 'below', level: 1 }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/flags/here/projects/default/features/below')
    session = await page.context().storageState()
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test.each([
    { address: '/', late: 'first', isEarly: true },
    { address: '/projects/default', late: 'first', isEarly: true },
    { address: '/projects/default?q=below', late: 'first', isEarly: false },
    { address: '/projects/default/features/below', late: 'first', isEarly: false },
    { address: '/projects/default', late: 'early', isEarly: false },
  ])(
    'opened at $address, $late late, it asks before its scripts are there: $isEarly; and nothing twice',
    async (row) => {
      const { page, complaints } = await openPage(browser, { storageState: session })
      // once the stream is open, everything is reloaded
      await page.route('**/api/admin/event-stream', (route) => route.fulfill({ status: 404 }))
      const asked: string[] = []
      page.on('request', (request) => asked.push(new URL(request.url()).pathname))
      let release = (): void => undefined
      const held = new Promise<void>((resolve) => {
        release = resolve
      })
      await page.route(new RegExp(`assets/${row.late}-.*\\.js$`), async (route) => {
        // any earlier request has been sent by now
        await (row.isEarly ? held : page.waitForTimeout(300))
        await route.continue()
      })
      const isHome = row.address === '/'
      const reads = isHome
        ? ['/api/admin/user', '/api/admin/user/inbox']
        : ['/api/admin/user', '/api/admin/search/features', '/api/admin/environments']
      const counts = () => reads.map((path) => asked.filter((one) => one === `/flags/here${path}`).length)
      await page.goto(`${ui.url}${row.address}`, { waitUntil: 'commit' })
      if (row.isEarly) await expect.poll(counts).toEqual(reads.map(() => 1))
      release()
      const isFlag = row.address.includes('/features/')
      if (isHome) await page.getByText('Nothing is waiting for you').waitFor()
      else await page.getByRole(isFlag ? 'heading' : 'link', { name: 'below' }).waitFor()
      const [mine, list, environments = 0] = counts()
      expect([mine, list]).toEqual([1, isFlag ? 0 : 1])
      expect(environments).toBeLessThan(2)
      expect(complaints).toEqual([])
      await page.context().close()
    },
  )

  test('before it is idle, the list requests what its rows need, and nothing else', async () => {
    const { page, complaints } = await openPage(browser, { storageState: session })
    await page.addInitScript(() => {
      window.requestIdleCallback = () => 0
    })
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname.replace('/flags/here', '')))
    await page.goto(`${ui.url}/projects/default`)
    await page.getByRole('link', { name: 'below' }).waitFor()
    await page.waitForLoadState('load')
    const reads = asked.filter((path) => path.startsWith('/api/') && path !== '/api/admin/event-stream')
    expect(reads.sort()).toEqual(['/api/admin/environments', '/api/admin/search/features', '/api/admin/user'])
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('the page of a flag loads in a few files, with its flag in parallel', async () => {
    const { page, complaints } = await openPage(browser, { storageState: session })
    await page.goto(`${ui.url}/projects/default`)
    await page.getByRole('link', { name: 'below' }).waitFor()
    await page.waitForLoadState('networkidle')
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname.replace('/flags/here', '')))
    const read = '/api/admin/projects/default/features/below/overview'
    // holds back scripts until the flag has been requested
    await page.route(/assets\/.*\.js$/, async (route) => {
      await expect.poll(() => asked).toContain(read)
      await route.continue()
    })
    await visit(page, `${ui.url}/projects/default/features/below`)
    await page.getByRole('heading', { name: 'below', level: 1 }).waitFor()
    const files = asked.filter((path) => path.startsWith('/assets/'))
    expect(files.length).toBeGreaterThan(0)
    expect(files.length).toBeLessThan(30)
    expect(asked.filter((path) => path === read)).toHaveLength(1)
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('shows a message after too many attempts', async () => {
    const { page, complaints } = await openPage(browser, { storageState: session })
    const username = page.getByLabel('Username or e-mail')
    const password = page.getByRole('textbox', { name: 'Password' })
    await page.goto(`${ui.url}/segments`)
    await page.getByRole('button', { name: /Account/ }).click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    for (let attempt = 0; attempt < 3; attempt++) {
      await username.fill('admin')
      await password.fill(`wrong ${attempt}`)
      await Promise.all([
        page.waitForResponse((reply) => reply.url().endsWith('/auth/simple/login')),
        page.getByRole('button', { name: 'Log in' }).click(),
      ])
    }
    await page.getByText('Too many attempts. Wait a minute, then try again.').waitFor()
    expect(complaints).toEqual([])
    await page.close()
  })
})
