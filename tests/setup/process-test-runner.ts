import { type RunnerTestCase, TestRunner } from 'vitest'
import { mayTryAgain } from '../../scripts/second-tries.mjs'

/**
 * Runner for tests with processes and browsers: retries a failed test as configured, unless a retry could hide a race.
 * Changes each test and not the configuration, so that the retries of one file cannot depend on another file.
 */
// biome-ignore lint/style/noDefaultExport: the test runner requires it
export default class ProcessTestRunner extends TestRunner {
  override async onBeforeRunTask(test: RunnerTestCase): Promise<void> {
    await super.onBeforeRunTask(test)
    if (!mayTryAgain(test.file.filepath)) test.retry = 0
  }
}
