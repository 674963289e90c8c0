/**
 * Runs tests, and files of real processes that failed a second time, each alone: where one test of such a file is late,
 * those after it find another state than they expect, so that trying that one test again does not help. More failed files
 * than a few, files of other projects, and what is thrown outside of tests are never tried again.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { FAILED_FILES } from './second-tries.mjs'

const MOST_SECOND_TRIES = 3

const reporter = fileURLToPath(new URL('./second-tries.mjs', import.meta.url))

/**
 * Runs the suite in `root` with the runner's own arguments. `tell` is given a line for each file that is tried again.
 * Returns the exit status, what the tests came to (`numPassedTests`, `numFailedTests`, `numPendingTests`,
 * `testResults`) and the paths that passed at their second try; the report is written as JSON into `report`.
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
  const isWorthIt = failed.length <= MOST_SECOND_TRIES && failed.every(({ mayTryAgain }) => mayTryAgain)
  return status !== 0 && errors === 0 && isWorthIt ? failed : []
}

/** The totals of a run, where what a file came to is what it came to when it ran again. */
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
