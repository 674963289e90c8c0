/**
 * Runs the long tests of Burgee's promises (about half an hour). Prints, for each promise, the actions, the
 * measurements, and whether the promise holds. Arguments are ids of promises (P2 P7), or `hostile` for the attacks of P11;
 * by default, all promises are tested. Exits with 1 if a promise does not hold.
 *
 * `soak [--minutes 180] [--speed 1]` instead runs a server, an edge and a proxy under low load and prints how memory,
 * file descriptors, metrics and disk usage grow. Exits with 1 if any growth is unexplained. With `--speed 10`, ten
 * times as many requests are sent per second.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { PROMISES } from '../tests/chaos/promises.ts'
import { DEFAULT_SOAK_MINUTES, runSoak } from '../tests/chaos/soak/soak.ts'

if (process.argv[2] === 'soak') {
  const options = {
    minutes: { type: 'string', default: String(DEFAULT_SOAK_MINUTES) },
    speed: { type: 'string', default: '1' },
  }
  const { values } = parseArgs({ args: process.argv.slice(3), options })
  const [minutes, speed] = [Number(values.minutes), Number(values.speed)]
  if (!(minutes >= 1 && speed >= 1)) {
    console.error('--minutes and --speed must be numbers from 1 on.')
    process.exit(1)
  }
  process.exit((await runSoak({ minutes, speed }, (line) => console.log(line))) ? 0 : 1)
}

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const cache = join(root, '.cache')
const [figuresFile, resultFile] = [join(cache, 'chaos-figures.jsonl'), join(cache, 'chaos-result.json')]
mkdirSync(cache, { recursive: true })
for (const file of [figuresFile, resultFile]) rmSync(file, { force: true })

/** Names under which a promise can be requested, besides its id. */
const NAMES = { hostile: 'P11' }
const requested = process.argv.slice(2).map((name) => NAMES[name] ?? name)
const unknown = requested.filter((name) => !PROMISES.some(({ id }) => id === name))
if (unknown.length > 0) {
  const known = [...PROMISES.map(({ id }) => id), ...Object.keys(NAMES)]
  console.error(`There is no promise ${unknown.join(', ')}; there are ${known.join(', ')}.`)
  process.exit(1)
}
const chosen = PROMISES.filter(({ id }) => requested.length === 0 || requested.includes(id))
const files = [...new Set(chosen.flatMap((row) => row.files))]
const projects = files.some((file) => file.startsWith('tests/http/'))
  ? ['sqlite', 'postgres', 'processes']
  : ['processes']
const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
const args = [
  ...['run', ...files, ...projects.flatMap((name) => ['--project', name])],
  // one file at a time, so that tests do not affect each other's measurements
  ...['--no-file-parallelism', '--reporter=default', '--reporter=json', `--outputFile.json=${resultFile}`],
]
const env = { ...process.env, CHAOS: 'full', BURGEE_FUZZ: 'full', CHAOS_REPORT: figuresFile }
spawnSync(process.execPath, [vitest, ...args], { cwd: root, stdio: 'inherit', env })

const results = existsSync(resultFile) ? JSON.parse(readFileSync(resultFile, 'utf8')).testResults : []
const figures = existsSync(figuresFile)
  ? readFileSync(figuresFile, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
  : []

const listResults = (row) => results.filter(({ name }) => row.files.includes(relative(root, name)))
/** Returns true if every test file of a promise has run and no test in it failed. */
const isPromiseFulfilled = (row) =>
  row.files.every((file) => listResults(row).some(({ name }) => relative(root, name) === file)) &&
  listResults(row).every(({ status }) => status === 'passed')

console.log('\n| # | Promise | What was done, and figures | Held |\n|---|---|---|---|')
for (const row of chosen) {
  const tests = listResults(row).flatMap(({ assertionResults }) => assertionResults)
  const own = figures.filter(({ promise }) => promise === row.id).map(({ done, figures: text }) => `${done}: ${text}`)
  const counted = `${tests.filter(({ status }) => status === 'passed').length} of ${tests.length} tests`
  console.log(
    `| ${row.id} | ${row.promise} | ${[...own, counted].join('<br>')} | ${isPromiseFulfilled(row) ? 'yes' : '**no**'} |`,
  )
}
process.exitCode = chosen.every(isPromiseFulfilled) ? 0 : 1
