/**
 * Runs tests, and reruns each failed file of the process tests alone. The whole file must be rerun, because after a
 * test that took too long, the file's following tests see an unexpected state. No file is rerun in three cases: more
 * than a few files failed, a failed file belongs to another project or tests storage or promises, or an error was
 * thrown outside of tests.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { OUTCOME_FILE } from './second-tries.mjs'

const MAX_SECOND_TRIES = 3
/** Result to use for a run that ended without writing a result. */
const NO_OUTCOME = { failed: [], errors: ['The test runner ended without a result.'], secondTries: [] }

const reporter = fileURLToPath(new URL('./second-tries.mjs', import.meta.url))

/**
 * Runs the suite in the folder `root` with the given arguments for the test runner. Calls `tell` with a line for each
 * file that is rerun. Writes the report as JSON to `report`. Returns the exit status, the totals (`numPassedTests`,
 * `numFailedTests`, `numPendingTests`, `testResults`), the paths of files that passed when rerun, the names of tests
 * that needed a second try, and the texts of errors that were thrown outside of tests.
 */
export function runTests({ root, vitest, args, env, report, tell = console.log }) {
  const run = (given, into) => runOnce({ root, vitest, args: given, env, report: into })
  const first = run(args, report)
  const again = filesToTryAgain(first)
  const passed = []
  const secondTries = [...first.secondTries]
  let { totals } = first
  const { errors } = first
  for (const { project, path } of again) {
    const file = relative(root, path)
    tell(`Once more, alone: ${file}`)
    const second = run(['--project', project, file], `${report}.second`)
    rmSync(`${report}.second`, { force: true })
    if (second.status !== 0) return { status: first.status, totals, passed, secondTries, errors }
    secondTries.push(...second.secondTries, firstFailure(totals, path, file))
    totals = replaced(totals, second.totals)
    passed.push(file)
  }
  if (passed.length > 0) writeFileSync(report, JSON.stringify(totals))
  return { status: passed.length > 0 ? 0 : first.status, totals, passed, secondTries, errors }
}

function runOnce({ root, vitest, args, env, report }) {
  mkdirSync(dirname(report), { recursive: true })
  const outcome = `${report}.failed`
  for (const file of [report, outcome]) rmSync(file, { force: true })
  const reporters = ['default', 'json', reporter].map((name) => `--reporter=${name}`)
  const given = [vitest, 'run', ...reporters, `--outputFile.json=${report}`, ...args]
  const { status } = spawnSync(process.execPath, given, {
    cwd: root,
    stdio: 'inherit',
    env: { ...env, [OUTCOME_FILE]: outcome },
  })
  const result = existsSync(outcome) ? JSON.parse(readFileSync(outcome, 'utf8')) : NO_OUTCOME
  rmSync(outcome, { force: true })
  return { ...result, status: status ?? 1, totals: JSON.parse(readFileSync(report, 'utf8')) }
}

/**
 * Returns the name of the first test that failed in a file. Later failures may only be consequences of the state that
 * the first failure left behind.
 */
function firstFailure(totals, path, file) {
  const { assertionResults } = totals.testResults.find(({ name, status }) => name === path && status === 'failed')
  const failed = assertionResults.find(({ status }) => status === 'failed')
  return `${file}: ${failed?.fullName ?? 'the file itself'}`
}

function filesToTryAgain({ status, failed, errors }) {
  const isWorthIt = failed.length <= MAX_SECOND_TRIES && failed.every(({ mayTryAgain }) => mayTryAgain)
  return status !== 0 && errors.length === 0 && isWorthIt ? failed : []
}

/** Returns the totals of a run, with the results of a rerun file replaced by the new results. */
function replaced(totals, second) {
  const names = new Set(second.testResults.map(({ name }) => name))
  const testResults = totals.testResults.filter(({ name, status }) => !(names.has(name) && status === 'failed'))
  testResults.push(...second.testResults)
  const count = (status) =>
    testResults.flatMap(({ assertionResults }) => assertionResults).filter((one) => one.status === status).length
  const numFailedTests = count('failed')
  return {
    ...totals,
    numPassedTests: count('passed'),
    numFailedTests,
    success: testResults.every(({ status }) => status === 'passed'),
    testResults,
  }
}
