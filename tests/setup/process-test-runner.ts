import { type RunnerTestFile, TestRunner } from 'vitest'
import { mayTryAgain } from '../../scripts/second-tries.mjs'

/**
 * Runner for tests with processes and browsers: retries a failed test as configured, unless a retry could hide a race.
 */
// biome-ignore lint/style/noDefaultExport: the test runner requires it
export default class ProcessTestRunner extends TestRunner {
  readonly #retry = this.config.retry

  override onCollectStart(file: RunnerTestFile): void {
    super.onCollectStart(file)
    this.config.retry = mayTryAgain(file.filepath) ? this.#retry : 0
  }
}
