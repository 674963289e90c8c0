/**
 * Runs tests, and reruns failed files of process tests, each alone: if one test of such a file is late, the following
 * tests see an unexpected state, so retrying that test does not help. Nothing is rerun if more than a few files failed,
 * if one belongs to another project, or if an error was thrown outside of tests.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { FAILED_FILES } from './second-tries.mjs'

const MAX_SECOND_TRIES = 3

const reporter = fileURLToPath(new URL('./second-tries.mjs', import.meta.url))

/**
 * Runs the suite in `root` with the runner's own arguments. Calls `tell` with a line for each file that is rerun.
 * Returns the exit status, the totals (`numPassedTests`, `numFailedTests`, `numPendingTests`, `testResults`) and the
 * paths that passed on the rerun. The report is written as JSON to `report`.
 */
export function runTests({ root, vitest, args, env, report, tell = console.log }) {
  const run = (given, into) => runOnce({ root, vitest, args: given, env, report: into })
  const first = run(args, report)
  const again = filesToTryAgain(first)
  const passed = []
  let { totals } = first
  for (const { project, path } of again) {
    const file = relative(root, path)
    tell(`Once more, alone: ${file}`)
    const second = run(['--project', project, file], `${report}.second`)
    rmSync(`${report}.second`, { force: true })
    if (second.status !== 0) return { status: first.status, totals, passed }
    totals = replaced(totals, second.totals)
    passed.push(file)
  }
  if (passed.length > 0) writeFileSync(report, JSON.stringify(totals))
  return { status: passed.length > 0 ? 0 : first.status, totals, passed }
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
    env: { ...env, [FAILED_FILES]: outcome },
  })
  const { failed, errors } = existsSync(outcome) ? JSON.parse(readFileSync(outcome, 'utf8')) : { failed: [], errors: 1 }
  rmSync(outcome, { force: true })
  return { status: status ?? 1, failed, errors, totals: JSON.parse(readFileSync(report, 'utf8')) }
}

function filesToTryAgain({ status, failed, errors }) {
  const isWorthIt = failed.length <= MAX_SECOND_TRIES && failed.every(({ mayTryAgain }) => mayTryAgain)
  return status !== 0 && errors === 0 && isWorthIt ? failed : []
}

/** Returns the totals of a run with the results of a rerun file replaced. */
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
