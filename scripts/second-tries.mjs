import { writeFileSync } from 'node:fs'

/**
 * Environment variable with the path to which a test run writes its outcome. The rerun and the ledger read the file.
 */
export const OUTCOME_FILE = 'BURGEE_TEST_OUTCOME'

/**
 * Paths of the tests of storage, and of the tests of promises under failures. If one of these tests depends on time,
 * that is a bug of Burgee.
 */
const NEVER_AGAIN = /(^|[\\/])tests[\\/](store|chaos)[\\/]/

/** Returns true if a failed test or file may run a second time. Returns false if a second try would hide a race. */
export function mayTryAgain(path) {
  return !NEVER_AGAIN.test(path)
}

/**
 * Test reporter that writes as JSON to the file that the environment names: `{ failed: [{ project, path, mayTryAgain
 * }], errors, secondTries }`. `errors` counts errors thrown outside of tests; `secondTries` names the tests that passed
 * only on a retry.
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
