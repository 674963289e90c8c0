/**
 * A reporter of the test runner that names, at the end, the tests that passed only when they were tried again: they
 * span processes and depend on the machine's moments, and each that stands here often deserves a look.
 */
// biome-ignore lint/style/noDefaultExport: the runner asks for one
export default class SecondTries {
  #names = []

  onTestCaseResult(test) {
    if (test.diagnostic()?.flaky) this.#names.push(`${test.module.relativeModuleId}: ${test.fullName}`)
  }

  onTestRunEnd() {
    if (this.#names.length > 0) console.log(`Passed only at the second try:\n  ${this.#names.join('\n  ')}`)
  }
}
