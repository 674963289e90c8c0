/**
 * Process that runs test files for `npm run mutate`, many times with the same warm test runner. Each message `{ tests,
 * mutant }` starts one run; the reply lists what failed, and how long each file took. `mutant` is absent for runs on
 * unchanged sources.
 */
import { createVitest } from 'vitest/node'

const isRecording = process.env.BURGEE_MUTANT_HITS !== undefined
let failures = []
let durations = {}

/**
 * Collects the results of the current run, and ends the run after the first failure. The option `bail` is not used,
 * because it ends the test processes before they can report which test failed.
 */
const reporter = {
  onTestCaseResult(test) {
    const { state, errors = [] } = test.result()
    if (state === 'failed') note(test.module.relativeModuleId, test.fullName, errors)
  },
  onTestModuleEnd(module) {
    durations[module.relativeModuleId] = module.diagnostic().duration + module.diagnostic().collectDuration
    if (module.errors().length > 0) note(module.relativeModuleId, '', module.errors())
  },
  onTestSuiteResult(suite) {
    if (suite.errors().length > 0) note(suite.module.relativeModuleId, suite.fullName, suite.errors())
  },
}

/** Keeps the order of the files: the quickest first. */
class GivenOrder {
  shard(files) {
    return files
  }
  sort(files) {
    return files
  }
}

const vitest = await createVitest({
  watch: false,
  project: ['sqlite', 'processes'],
  reporters: [reporter],
  retry: 0,
  sequence: { sequencer: GivenOrder },
  silent: true,
})
await vitest.standalone()
process.on('message', (message) => void run(message))
process.on('disconnect', () => process.exit())
process.send({ ready: true })

async function run({ tests, mutant }) {
  failures = []
  durations = {}
  globalThis.burgeeMutant = mutant
  if (mutant !== undefined) vitest.invalidateFile(mutant.file)
  const specifications = await vitest.globTestSpecifications(tests)
  const order = (specification) => tests.findIndex((path) => specification.moduleId.includes(path))
  const { unhandledErrors } = await vitest.runTestSpecifications(specifications.sort((a, b) => order(a) - order(b)))
  if (unhandledErrors.length > 0) note('', 'unhandled error', unhandledErrors)
  const missing = specifications.length - Object.keys(durations).length
  if (failures.length === 0 && missing > 0) note('', `no result of ${missing} test files`, [])
  globalThis.burgeeMutant = undefined
  if (mutant !== undefined) vitest.invalidateFile(mutant.file)
  process.send({ count: specifications.length, failures, durations })
}

function note(file, title, errors) {
  failures.push({ file, title, message: errors.map(({ message }) => message).join('\n') })
  if (!isRecording) void vitest.cancelCurrentRun('test-failure')
}
