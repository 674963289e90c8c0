import { OPERATOR_NAMES } from '@burgee/protocol/targeting/operator'
import { expect, test } from 'vitest'
import { describeStrategyDifferences } from './strategy-differences.ts'

const NONE = { parameters: {}, constraints: [], segments: [] }

test.each(OPERATOR_NAMES)('messages have words for the operator %s', (operator) => {
  const constraints = [{ contextName: 'field', operator, value: '1.2.3' }]
  const text = describeStrategyDifferences({ preData: NONE, data: { ...NONE, constraints } })
  expect(text).toMatch(/^ constraints from \[\] to \[field [a-z ]+ 1\.2\.3\]$/)
})

test('an unknown operator keeps its name', () => {
  const constraints = [{ contextName: 'field', operator: 'toString', values: ['a', 'b'], inverted: true }]
  const text = describeStrategyDifferences({ preData: NONE, data: { ...NONE, constraints } })
  expect(text).toBe(' constraints from [] to [field not: toString (a,b)]')
})
