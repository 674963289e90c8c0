import { writeFileSync } from 'node:fs'

/** Environment variable with the path to which a run writes its failed files, for the rerun. */
export const FAILED_FILES = 'BURGEE_FAILED_FILES'

/**
 * Test reporter that lists at the end the tests that passed only on a retry. Those tests span processes and depend on
 * timing; one that is listed often deserves a look. Failed files are written as JSON to the file that the environment
 * names: `{ failed: [{ project, path, mayTryAgain }], errors }`, where `errors` counts errors thrown outside of tests.
 */
// biome-ignore lint/style/noDefaultExport: the test runner requires it
export default class SecondTries {
  #names = []

  onTestCaseResult(test) {
    if (test.diagnostic()?.flaky) this.#names.push(`${test.module.relativeModuleId}: ${test.fullName}`)
  }

  onTestRunEnd(modules, errors) {
    if (this.#names.length > 0) console.log(`Passed only at the second try:\n  ${this.#names.join('\n  ')}`)
    const target = process.env[FAILED_FILES]
    if (target === undefined) return
    const failed = modules
      .filter((module) => module.state() === 'failed')
      .map(({ project, moduleId }) => ({
        project: project.name,
        path: moduleId,
        mayTryAgain: project.config.retry !== undefined && project.config.retry !== 0,
      }))
    writeFileSync(target, JSON.stringify({ failed, errors: errors.length }))
  }
}
