import { expect, test } from 'vitest'
import { OutageLog } from './outage-log.ts'

const ERROR = new Error('away')

test.each<[string, (outage: OutageLog) => void, readonly string[]]>([
  ['logs nothing while everything works', (outage) => [outage.succeed(), outage.succeed()], []],
  ['logs the first failure only', (outage) => [outage.fail(ERROR), outage.fail(new Error('else'))], ['away']],
  [
    'logs the first success after failures, with their number',
    (outage) => [outage.fail(ERROR), outage.fail(ERROR), outage.succeed(), outage.succeed()],
    ['away', 'again after 2'],
  ],
  [
    'logs a failure after a success',
    (outage) => [outage.fail(ERROR), outage.succeed(), outage.fail(ERROR)],
    ['away', 'again after 1', 'away'],
  ],
  [
    'logs the next failure after a reset, but no end',
    (outage) => [outage.fail(ERROR), outage.reset(), outage.succeed(), outage.fail(ERROR)],
    ['away', 'away'],
  ],
])('%s', (_title, play, expected) => {
  const lines: string[] = []
  const outage = new OutageLog({
    begins: (error) => lines.push((error as Error).message),
    ends: (failures) => lines.push(`again after ${failures}`),
  })
  play(outage)
  expect(lines).toEqual(expected)
})

test('counts the failures since the last success', () => {
  const outage = new OutageLog({ begins: () => {} })
  outage.fail(ERROR)
  outage.fail(ERROR)
  expect([outage.failures, outage.isFailing]).toEqual([2, true])
  outage.succeed()
  expect([outage.failures, outage.isFailing]).toEqual([0, false])
})
