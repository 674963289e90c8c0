/**
 * Runs Lighthouse on a list of 1,000 flags, with desktop and phone settings, for manual review. Lighthouse is large and
 * therefore not a dependency. The first run installs it into .cache.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { launchBrowser } from '../tests/support/browser.ts'
import { ADMIN, FLAGS, startUi } from '../tests/ui/support/ui-server.ts'

const VERSION = '13.5.0'
const MANY = 1000
/** Minimum scores on desktop, which is what most administrators use. */
const LEAST = { performance: 100, accessibility: 100 }
/** Number of runs. The median of several runs counts, because a single score on a busy machine is unreliable. */
const LOOKS = 3
const root = dirname(dirname(fileURLToPath(import.meta.url)))
const folder = join(root, '.cache', `lighthouse-${VERSION}`)
const load = (path) => import(pathToFileURL(join(folder, 'node_modules', 'lighthouse', path)))

install()
const { default: lighthouse } = await load('core/index.js')
const { default: desk } = await load('core/config/desktop-config.js')
const port = await freePort()
const ui = await startUi()
const browser = await launchBrowser([`--remote-debugging-port=${port}`])
try {
  for (let index = 0; index < MANY; index++) await ui.call('POST', FLAGS, { name: `feature-${index}` })
  await look('desk', desk, true)
  await look('phone', undefined, false)
} finally {
  await browser.close()
  await ui.close()
}

function install() {
  if (existsSync(join(folder, 'node_modules', 'lighthouse'))) return
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  execFileSync('npm', ['install', ...options, `lighthouse@${VERSION}`], { cwd: folder, stdio: 'inherit' })
}

/** Prints the scores for one kind of device; the minimum scores apply if `isJudged`. */
async function look(name, config, isJudged) {
  const settings = { port, output: ['html'], onlyCategories: Object.keys(LEAST) }
  const looks = []
  for (let count = 0; count < LOOKS; count++) {
    const extraHeaders = { cookie: await logIn() }
    looks.push(await lighthouse(`${ui.url}/projects/default`, { ...settings, extraHeaders }, config))
  }
  looks.sort((a, b) => a.lhr.categories.performance.score - b.lhr.categories.performance.score)
  const { lhr, report } = looks[Math.floor(LOOKS / 2)]
  const page = join(folder, `${name}.html`)
  writeFileSync(page, report[0])
  console.log(`${name}, whole report in ${page}`)
  for (const [category, least] of Object.entries(LEAST)) {
    const scoreOf = (one) => Math.round(one.lhr.categories[category].score * 100)
    const score = scoreOf({ lhr })
    console.log(`  ${category} ${score}${isJudged ? `, at least ${least}` : ''} (${looks.map(scoreOf).join(', ')})`)
    if (isJudged && score < least) process.exitCode = 1
  }
  for (const id of [
    'first-contentful-paint',
    'largest-contentful-paint',
    'total-blocking-time',
    'cumulative-layout-shift',
  ])
    console.log(`    ${lhr.audits[id].title}: ${lhr.audits[id].displayValue}`)
  for (const { title, score, scoreDisplayMode, id } of Object.values(lhr.audits))
    if (score !== null && score < 0.9 && scoreDisplayMode !== 'informative')
      console.log(`    not good: ${title} (${id})`)
}

async function logIn() {
  const headers = { 'content-type': 'application/json' }
  const reply = await fetch(`${ui.url}/auth/simple/login`, { method: 'POST', headers, body: JSON.stringify(ADMIN) })
  return reply.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ')
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port: free } = server.address()
      server.close(() => resolve(free))
    })
  })
}
