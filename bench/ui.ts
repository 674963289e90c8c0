/**
 * Benchmark of the admin UI with many flags: seeds an instance, starts the built server on it, opens Chromium, and
 * prints the time until the first rows are visible, the time until a search is answered, and the transferred bytes.
 * `npm run build && node_modules/.bin/vite build packages/admin-ui && node --conditions=source bench/ui.ts --features
 * 5000`.
 */

import { type OptionTable, parseOptions } from '@burgee/kit/options/options'
import { integer } from '@burgee/kit/options/parsers'
import { openDatabase } from '@burgee/server/boot/open-database'
import { SERVER_OPTIONS } from '@burgee/server/core/options/options'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser } from '../tests/support/browser.ts'
import { type BurgeeProcess, COMMAND, runBurgee, temporaryFolder } from '../tests/support/burgee.ts'
import { featureName, LARGE, seedInstance } from './seed.ts'

const OPTIONS = {
  features: { parse: integer(10), default: LARGE.features, doc: 'Flags.' },
  environments: { parse: integer(2), default: LARGE.environments, doc: 'Environments.' },
  runs: { parse: integer(1), default: 9, doc: 'Times that the list is opened afresh.' },
} as const satisfies OptionTable
const LOGIN = { username: 'admin', password: 'correct-horse-battery' }
const LIMIT_MS = 1000

/** Times for which a user waits. */
interface Waits {
  readonly firstRowsMs: number
  readonly searchMs: number
}

/** Transferred data. */
interface Weight {
  /** Number of compressed bytes, by URL. */
  readonly bytes: ReadonlyMap<string, number>
  readonly scriptBytes: number
}

/** Records, within the page, when the first row appears and when a search is answered. */
function watch(): void {
  const times: Record<string, number> = {}
  Object.assign(globalThis, { times })
  const look = (): void => {
    const rows = document.querySelectorAll('[role="row"] a')
    const isFound = times.typed !== undefined && rows.length === 1
    for (const [what, isSo] of [
      ['rows', rows.length > 0],
      ['found', isFound],
    ] as const) {
      if (!isSo || times[what] !== undefined) continue
      times[what] = performance.now()
      console.debug(what)
    }
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
  document.addEventListener('input', () => {
    times.typed = performance.now()
  })
}

async function open(browser: Browser, url: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-US' })
  await context.request.post(`${url}/auth/simple/login`, { data: LOGIN })
  await context.addInitScript(watch)
  return context.newPage()
}

/**
 * Opens the list. The page itself reports its first rows, because polling from outside would slow down its rendering.
 */
async function visit(page: Page, url: string): Promise<void> {
  const there = waitForMessage(page, 'rows')
  await page.goto(`${url}/projects/default`, { waitUntil: 'commit' })
  await there
}

const waitForMessage = (page: Page, what: string) =>
  page.waitForEvent('console', { predicate: (message) => message.text() === what })

async function time(browser: Browser, url: string, wanted: string): Promise<Waits> {
  const page = await open(browser, url)
  await visit(page, url)
  const found = waitForMessage(page, 'found')
  await page.getByLabel('Search flags').fill(wanted)
  await found
  const times = await page.evaluate(getTimes)
  await page.context().close()
  return { firstRowsMs: times.rows, searchMs: times.found - times.typed }
}

/** Measures sizes in a separate visit, because querying the size of each request would slow down rendering. */
async function weigh(browser: Browser, url: string): Promise<Weight> {
  const page = await open(browser, url)
  const sizes: Promise<[string, number]>[] = []
  page.on('requestfinished', (request) => {
    sizes.push(request.sizes().then((size) => [request.url(), size.responseBodySize]))
  })
  await visit(page, url)
  const first = new Map(await Promise.all(sizes))
  await scrollAbout(page)
  const bytes = new Map(await Promise.all(sizes))
  await page.context().close()
  const scripts = [...first].filter(([path]) => path.endsWith('.js'))
  return { bytes, scriptBytes: scripts.reduce((sum, [, size]) => sum + size, 0) }
}

function getTimes(): { rows: number; typed: number; found: number } {
  const { times } = globalThis as unknown as { times: Record<string, number> }
  return { rows: times.rows ?? Number.NaN, typed: times.typed ?? Number.NaN, found: times.found ?? Number.NaN }
}

/** Scrolls to the middle and to the end, to include the requests that scrolling causes. */
async function scrollAbout(page: Page): Promise<void> {
  for (const share of [0.5, 1]) {
    await page.getByRole('table').evaluate((box, part) => box.scrollTo(0, box.scrollHeight * part), share)
    await page.waitForLoadState('networkidle')
  }
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

async function seedFolder(folder: string, { features, environments }: { features: number; environments: number }) {
  const options = parseOptions(SERVER_OPTIONS, { env: { DATA_DIR: folder }, argv: [] })
  const db = await openDatabase(options, { clock: Date.now })
  try {
    await seedInstance(db, { ...LARGE, features, environments })
  } finally {
    await db.close()
  }
}

async function report(process: BurgeeProcess, features: number, runs: number): Promise<boolean> {
  const url = `http://localhost:${await process.find(/listening on port (\d+)/)}`
  const browser = await launchBrowser()
  try {
    // this is also the first visit to the newly started server
    const { bytes, scriptBytes } = await weigh(browser, url)
    const waits: Waits[] = []
    for (let run = 0; run < runs; run += 1) waits.push(await time(browser, url, featureName(features - run - 1)))
    const rows = median(waits.map((one) => one.firstRowsMs))
    const search = median(waits.map((one) => one.searchMs))
    const [largest] = [...bytes].sort(([, a], [, b]) => b - a)
    console.log(`flags                     ${features}, ${runs} visits with an empty cache, medians`)
    console.log(`first rows                ${rows.toFixed(0)} ms after navigation`)
    console.log(`search answered           ${search.toFixed(0)} ms after the last letter`)
    console.log(`scripts until first rows  ${scriptBytes} bytes`)
    console.log(`largest reply             ${largest?.[1]} bytes, ${largest?.[0].slice(url.length)}`)
    return rows < LIMIT_MS && search < LIMIT_MS
  } finally {
    await browser.close()
  }
}

const options = parseOptions(OPTIONS, { env: {}, argv: process.argv.slice(2) })
const folder = temporaryFolder()
await seedFolder(folder.path, options)
const variables = {
  HTTP_PORT: '0',
  HTTP_HOST: '127.0.0.1',
  DATA_DIR: folder.path,
  DEFAULT_ADMIN_PASSWORD: LOGIN.password,
  ENFORCE_PASSWORD_CHANGE: 'false',
}
const server = runBurgee(['server'], variables, COMMAND)
try {
  if (!(await report(server, options.features, options.runs))) process.exitCode = 1
} finally {
  server.kill('SIGTERM')
  await server.ended
  folder.remove()
}
