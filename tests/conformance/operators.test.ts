import { compile } from '@burgee/engine'
import { OPERATOR_NAMES, OPERATORS, type OperandKind } from '@burgee/protocol/targeting/operator'
import { expect, test } from 'vitest'

/** One operand of each kind. */
const OPERAND: Readonly<Record<OperandKind, object>> = {
  texts: { values: ['a'] },
  number: { value: '5' },
  date: { value: '2026-11-22T00:00:00Z' },
  version: { value: '1.2.3' },
  regex: { value: 'a+' },
  networks: { values: ['10.0.0.0/8'] },
}

function warningsFor(operator: string, operand: object): readonly unknown[] {
  const strategies = [{ name: 'default', constraints: [{ contextName: 'userId', operator, ...operand }] }]
  return compile({ features: [{ name: 'f', enabled: true, strategies }] }).warnings
}

test.each(OPERATOR_NAMES)('the engine evaluates %s', (operator) => {
  expect(warningsFor(operator, OPERAND[OPERATORS[operator]])).toEqual([])
})

test('the engine warns about an operator that the protocol does not have', () => {
  expect(warningsFor('NOPE', OPERAND.texts)).toHaveLength(1)
})
