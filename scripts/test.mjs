/** Runs all tests, then prints the slowest files and one line of totals. Arguments are passed to the test runner. */
import { rmSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeScratchFolder } from './scratch-folder.mjs'
import { runTests } from './test-run.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const report = join(root, '.cache', 'test-report.json')

const SLOWEST = 10
const MEMORY = '/dev/shm'

const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
const scratch = process.env.TMPDIR ? undefined : makeScratchFolder(MEMORY)
const env = scratch === undefined ? process.env : { ...process.env, TMPDIR: scratch }
const { status, totals, passed } = runTests({ root, vitest, args: process.argv.slice(2), env, report })
if (scratch !== undefined) rmSync(scratch, { recursive: true, force: true })

const { numPassedTests, numFailedTests, numPendingTests, testResults } = totals
console.log(`The slowest files:\n${slowest(testResults).join('\n')}`)
if (passed.length > 0) console.log(`Passed only when the whole file ran again, alone:\n  ${passed.join('\n  ')}`)
const skipped = numPendingTests > 0 ? `, ${numPendingTests} skipped` : ''
console.log(`${numPassedTests} passed, ${numFailedTests} failed${skipped}`)
process.exitCode = status

/** Returns lines of seconds and path; a file that runs on two databases counts once, with both times added. */
function slowest(results) {
  const tookMs = new Map()
  for (const { name, startTime, endTime } of results) tookMs.set(name, (tookMs.get(name) ?? 0) + endTime - startTime)
  return [...tookMs]
    .sort(([, a], [, b]) => b - a)
    .slice(0, SLOWEST)
    .map(([name, ms]) => `${(ms / 1000).toFixed(1).padStart(6)} s  ${relative(root, name)}`)
}
