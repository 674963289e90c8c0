import { writeFileSync } from 'node:fs'

/** Where a run says which of its files failed, for the run that tries them again. */
export const FAILED_FILES = 'BURGEE_FAILED_FILES'

/**
 * A reporter of the test runner that names, at the end, the tests that passed only when they were tried again: they
 * span processes and depend on the machine's moments, and each that stands here often deserves a look. Files that failed
 * go as JSON into the file that the environment names: `{ failed: [{ project, path, mayTryAgain }], errors }`, where
 * `errors` counts what was thrown outside of tests.
 */
// biome-ignore lint/style/noDefaultExport: the runner asks for one
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
