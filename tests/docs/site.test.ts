import { execFile } from 'node:child_process'
import { createReadStream, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { siteFaults } from '../../scripts/site/site-faults.mjs'
import { BROWSER_LIMIT_MS, launchBrowser } from '../support/browser.ts'
import { temporaryFolder } from '../support/burgee.ts'

const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const SITE = join(ROOT, '.cache', 'site')
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
}
const folder = temporaryFolder()
let server: Server
let origin: string
let built: string

beforeAll(async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [join(ROOT, 'scripts', 'docs-site.mjs')], {
    cwd: ROOT,
  })
  built = stdout
  server = createServer((request, response) => {
    const path = join(SITE, new URL(request.url ?? '/', 'http://site').pathname.replace(/\/$/, '/index.html'))
    if (!existsSync(path)) return void response.writeHead(404).end()
    response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'application/octet-stream' })
    createReadStream(path).pipe(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}, 120_000)
afterAll(() => {
  server?.close()
  folder.remove()
})

test('it is built, and every link and anchor leads somewhere', () => {
  expect(built).toMatch(/^\d{2,} pages, \d{4,} links, 0 faults/m)
})

test('the reference has the operations and schemas of server, proxy and edge', () => {
  const described = (name: string) =>
    Object.keys((JSON.parse(readFileSync(join(ROOT, '.cache', 'openapi', `${name}.json`), 'utf8')) as Described).paths)
  const page = (name: string) => readFileSync(join(SITE, 'api', `${name}.html`), 'utf8')
  for (const name of ['server', 'proxy', 'edge']) {
    const paths = described(name)
    expect(paths.length).toBeGreaterThan(5)
    expect(paths.filter((path) => !page(name).includes(path))).toEqual([])
  }
})
interface Described {
  readonly paths: Readonly<Record<string, unknown>>
}

test(
  'a browser loads it without external requests, errors or sideways scrolling, and its search finds pages',
  async () => {
    const browser = await launchBrowser()
    try {
      const page = await browser.newPage({ viewport: { width: 390, height: 800 } })
      const heard = listen(page)
      const paths = [
        '/',
        '/getting-started.html',
        '/sdks/',
        '/series.html',
        '/outages.html',
        '/api/server.html',
        '/api/edge.html',
      ]
      for (const path of paths) {
        await page.goto(`${origin}${path}`, { waitUntil: 'networkidle' })
        expect([path, await page.evaluate(() => document.documentElement.scrollWidth)]).toEqual([path, 390])
      }
      await page.setViewportSize({ width: 1440, height: 900 })
      await page.goto(`${origin}/concepts.html`, { waitUntil: 'networkidle' })
      await page.getByRole('button', { name: 'Search' }).first().click()
      await page.locator('#localsearch-input').fill('reset-password')
      await page.locator('.result', { hasText: 'lost password' }).first().click()
      await page.waitForURL(/first-start/)
      expect(heard.complaints).toEqual([])
      expect(heard.origins).toEqual(new Set([origin]))
    } finally {
      await browser.close()
    }
  },
  BROWSER_LIMIT_MS,
)

test.each([1280, 390])(
  'every column of every table of every page is in sight at %i pixels',
  async (width) => {
    const browser = await launchBrowser()
    try {
      const page = await browser.newPage({ viewport: { width, height: 900 }, javaScriptEnabled: false })
      const found: string[] = []
      let tables = 0
      for (const path of pagesWithTables()) {
        await page.goto(`${origin}/${path}`)
        const { count, hidden } = await page.evaluate(lookAtTables)
        tables += count
        found.push(...hidden.map((cell) => `${path}: ${cell}`))
      }
      expect(found).toEqual([])
      expect(tables).toBeGreaterThan(100)
    } finally {
      await browser.close()
    }
  },
  2 * BROWSER_LIMIT_MS,
)

function pagesWithTables(): string[] {
  const pages = readdirSync(SITE, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.html'))
  return pages.filter((path) => readFileSync(join(SITE, path), 'utf8').includes('<table'))
}

/**
 * Returns table cells that are clipped by their surroundings, or that do not show all of their text. This function is
 * executed in the page.
 */
function lookAtTables(): { readonly count: number; readonly hidden: readonly string[] } {
  const tables = [...document.querySelectorAll('.vp-doc table')]
  const isClipping = (element: Element) => getComputedStyle(element).overflowX !== 'visible'
  const boundsOf = (table: Element): DOMRect[] => {
    const around: DOMRect[] = []
    for (let at: Element | null = table; at !== null; at = at.parentElement) {
      if (isClipping(at) || at.classList.contains('vp-doc')) around.push(at.getBoundingClientRect())
    }
    return around
  }
  const hidden = tables.flatMap((table) => {
    const right = Math.min(innerWidth, ...boundsOf(table).map((bounds) => bounds.right)) + 1
    return [...table.querySelectorAll('td')]
      .filter((cell) => cell.textContent !== '')
      .filter((cell) => {
        const box = cell.getBoundingClientRect()
        return box.width < 20 || box.right > right || cell.scrollWidth > cell.clientWidth + 1
      })
      .map((cell) => (cell.textContent ?? '').slice(0, 60))
  })
  return { count: tables.length, hidden }
}

function listen(page: Page): { readonly complaints: string[]; readonly origins: Set<string> } {
  const heard = { complaints: [] as string[], origins: new Set<string>() }
  page.on('console', (message) => message.type() === 'error' && heard.complaints.push(message.text()))
  page.on('pageerror', (error) => heard.complaints.push(error.message))
  page.on('request', (request) => /^https?:/.test(request.url()) && heard.origins.add(new URL(request.url()).origin))
  return heard
}

describe('the link check reports', () => {
  test.each([
    ['a page that is not there', '<a href="/nowhere.html">', 'index.html: /nowhere.html is not there'],
    [
      'an anchor that is not there',
      '<a class="x" href="./other.html#no">',
      'index.html: ./other.html#no: no such anchor',
    ],
    ['an anchor of its own that is not there', '<a href="#no">', 'index.html: #no: no such anchor'],
    ['an image that is not there', '<img alt="" src="/no.png">', 'index.html: /no.png is not there'],
    [
      'a script from elsewhere',
      '<script src="https://cdn.example/x.js"></script>',
      'index.html: fetches https://cdn.example/x.js',
    ],
    ['an anchor that is there', '<a href="/other.html#yes">', undefined],
    ['a link to elsewhere', '<a href="https://example.com/">', undefined],
  ])('%s', (name, html, fault) => {
    const site = join(folder.path, name.replaceAll(' ', '-'))
    mkdirSync(site)
    writeFileSync(join(site, 'index.html'), html)
    writeFileSync(join(site, 'other.html'), '<h2 id="yes">Yes</h2>')
    expect(siteFaults(site, '/').faults).toEqual(fault === undefined ? [] : [fault])
  })

  test('a font from elsewhere', () => {
    const site = join(folder.path, 'font')
    mkdirSync(site)
    writeFileSync(join(site, 'site.css'), '@font-face { src: url("https://fonts.example/a.woff2") }')
    expect(siteFaults(site, '/').faults).toHaveLength(1)
  })
})
