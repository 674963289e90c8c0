/** Runs every test and closes with one line of totals. Arguments go to the test runner. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const report = join(root, '.cache', 'test-report.json')
mkdirSync(dirname(report), { recursive: true })
rmSync(report, { force: true })

const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...process.argv.slice(2)]
const { status } = spawnSync(process.execPath, [vitest, ...args], { cwd: root, stdio: 'inherit' })

const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(report, 'utf8'))
const skipped = numPendingTests > 0 ? `, ${numPendingTests} skipped` : ''
console.log(`${numPassedTests} passed, ${numFailedTests} failed${skipped}`)
process.exitCode = status ?? 1
