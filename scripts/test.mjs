/**
 * Runs tests, then prints the slowest files, second tries and one line of totals. Without arguments, runs the tests
 * listed in `SELECTION`; `--all` runs everything except the tests of SDKs in other languages. Other arguments are
 * passed to the test runner.
 */
import { rmSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeScratchFolder } from './scratch-folder.mjs'
import { noteSecondTries } from './second-tries-ledger.mjs'
import { runTests } from './test-run.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const report = join(root, '.cache', 'test-report.json')

const SLOWEST = 10
/**
 * Tests of the default run: units, HTTP on SQLite, storage on both databases, documents, the proxy, and one scenario
 * per protocol with real SDKs, processes and a browser.
 */
const SELECTION = [
  'packages/',
  'tests/http/',
  'tests/architecture.test.ts',
  'tests/wall-clock.test.ts',
  'tests/conformance/',
  'tests/docs/',
  'tests/import/',
  'tests/proxy/',
  'tests/store/broadcast.test.ts',
  'tests/store/contract.test.ts',
  'tests/store/events/',
  'tests/store/group-commit.test.ts',
  'tests/store/import.test.ts',
  'tests/store/migrations/migration.test.ts',
  'tests/store/migrations/before-squash.test.ts',
  'tests/store/migrations/old-rows.test.ts',
  'tests/store/migrations/schema.test.ts',
  'tests/e2e/official-sdks.test.ts',
  'tests/e2e/process.test.ts',
  'tests/e2e/readme.test.ts',
  'tests/e2e/server-sdks.test.ts',
  'tests/e2e/web-sdks.test.ts',
  'tests/edge/processes/official-sdks.test.ts',
  'tests/ui/story.test.ts',
]
const MEMORY = '/dev/shm'
/** Maximum number of errors, and of failed tests, that the summary describes. */
const MAX_ERRORS = 20

const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
const scratch = process.env.TMPDIR ? undefined : makeScratchFolder(MEMORY)
const env = scratch === undefined ? process.env : { ...process.env, TMPDIR: scratch }
const args = selectTests(process.argv.slice(2))
const { status, totals, passed, secondTries, errors } = runTests({ root, vitest, args, env, report })
if (scratch !== undefined) rmSync(scratch, { recursive: true, force: true })

const { numPassedTests, numFailedTests, numPendingTests, testResults } = totals
console.log(`The slowest files:\n${slowest(testResults).join('\n')}`)
if (passed.length > 0) console.log(`Passed only when the whole file ran again, alone:\n  ${passed.join('\n  ')}`)
const { lines, isTooMany } = noteSecondTries(join(root, '.cache', 'second-tries.json'), secondTries)
if (lines.length > 0) console.log(lines.join('\n'))
const failed = failedTests(testResults)
if (failed.length > 0) console.log(`Failed tests:\n${indented(failed)}`)
if (errors.length > 0) console.log(`Thrown outside of tests:\n${indented(errors.slice(0, MAX_ERRORS))}`)
const skipped = numPendingTests > 0 ? `, ${numPendingTests} skipped` : ''
console.log(`${numPassedTests} passed, ${numFailedTests} failed${skipped}`)
process.exitCode = isTooMany ? 1 : status

/** Returns the arguments of the test runner that correspond to the arguments of this command. */
function selectTests(args) {
  if (args.length === 0) return ['--project', 'sqlite', '--project', 'processes', ...SELECTION]
  if (!args.includes('--all')) return args
  // SDKs in other languages need toolchains and registries, so their tests have a separate command: npm run test:sdks
  return [...args.filter((arg) => arg !== '--all'), '--project', '!sdks']
}

/** Returns the paths and names of the first failed tests. A file that could not be loaded counts as one test. */
function failedTests(results) {
  const names = results
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, assertionResults }) => {
      const failed = assertionResults.filter(({ status }) => status === 'failed')
      const titles = failed.length > 0 ? failed.map(({ fullName }) => fullName) : ['the file itself']
      return titles.map((title) => `${relative(root, name)}: ${title}`)
    })
  return names.slice(0, MAX_ERRORS)
}

function indented(texts) {
  return texts.map((text) => text.replace(/^/gm, '  ')).join('\n')
}

/**
 * Returns lines, each with a time in seconds and the path of a test file. Adds up the times of a file that runs on two
 * databases.
 */
function slowest(results) {
  const tookMs = new Map()
  for (const { name, startTime, endTime } of results) tookMs.set(name, (tookMs.get(name) ?? 0) + endTime - startTime)
  return [...tookMs]
    .sort(([, a], [, b]) => b - a)
    .slice(0, SLOWEST)
    .map(([name, ms]) => `${(ms / 1000).toFixed(1).padStart(6)} s  ${relative(root, name)}`)
}
