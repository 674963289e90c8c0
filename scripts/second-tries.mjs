import { writeFileSync } from 'node:fs'

/**
 * Environment variable with the path to which a test run writes its outcome. The rerun of failed files and the ledger
 * read this file.
 */
export const OUTCOME_FILE = 'BURGEE_TEST_OUTCOME'

/**
 * Paths of the storage tests, and of the tests that check Burgee's promises under failures. If the result of one of
 * these tests depends on timing, that is a bug in Burgee.
 */
const NEVER_AGAIN = /(^|[\\/])tests[\\/](store|chaos)[\\/]/

/** Maximum number of stack frames in the description of an error. */
const MAX_CALLS = 4

/**
 * Returns true if a failed test or file may run a second time. Returns false if a second try could hide a race
 * condition.
 */
export function mayTryAgain(path) {
  return !NEVER_AGAIN.test(path)
}

/**
 * Test reporter that writes its results as JSON to the file named by the environment variable: `{ failed: [{ project,
 * path, mayTryAgain }], errors, secondTries }`. `errors` lists the errors that were thrown outside of tests, as text;
 * `secondTries` lists the names of tests that passed only when retried.
 */
// biome-ignore lint/style/noDefaultExport: the test runner requires it
export default class SecondTries {
  #names = []

  onTestCaseResult(test) {
    if (test.diagnostic()?.flaky) this.#names.push(`${test.module.relativeModuleId}: ${test.fullName}`)
  }

  onTestRunEnd(modules, errors) {
    const target = process.env[OUTCOME_FILE]
    if (target === undefined) return
    const failed = modules
      .filter((module) => module.state() === 'failed')
      .map(({ project, moduleId }) => ({
        project: project.name,
        path: moduleId,
        mayTryAgain: Boolean(project.config.retry) && mayTryAgain(moduleId),
      }))
    writeFileSync(target, JSON.stringify({ failed, errors: errors.map(describe), secondTries: this.#names }))
  }
}

/** Returns the message of an error, the first lines of its stack trace, and the test file that ran, if known. */
function describe({ message, stack = '', VITEST_TEST_PATH: path }) {
  const calls = stack.split('\n').filter((line) => /^\s+at /.test(line))
  return [message, ...calls.slice(0, MAX_CALLS), ...(path === undefined ? [] : [`while ${path} ran`])].join('\n')
}
