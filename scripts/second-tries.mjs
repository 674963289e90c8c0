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

/**
 * Returns true if a failed test or file may run a second time. Returns false if a second try could hide a race
 * condition.
 */
export function mayTryAgain(path) {
  return !NEVER_AGAIN.test(path)
}

/**
 * Test reporter that writes its results as JSON to the file named by the environment variable: `{ failed: [{ project,
 * path, mayTryAgain }], errors, secondTries }`. `errors` counts errors thrown outside of tests; `secondTries` lists the
 * names of tests that passed only when retried.
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
    writeFileSync(target, JSON.stringify({ failed, errors: errors.length, secondTries: this.#names }))
  }
}
