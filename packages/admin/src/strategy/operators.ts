import type { ConstraintInput } from '@burgee/protocol/targeting/constraint'
import { operandProblem } from '@burgee/protocol/targeting/operand'
import { OPERATORS, type OperandKind, type Operator } from '@burgee/protocol/targeting/operator'

/** Whether an operator compares with several values. */
export const isList = (kind: OperandKind): boolean => kind === 'texts' || kind === 'networks'

/** What an operator compares with; texts, for operators of other servers. */
export function kindOf(operator: string): OperandKind {
  return Object.hasOwn(OPERATORS, operator) ? OPERATORS[operator as Operator] : 'texts'
}

/** Whether upper and lower case may be held to be the same. */
export const foldsCase = (operator: string): boolean => operator.startsWith('STR_') || operator === 'REGEX'

/** Whether a constraint says enough to be saved; lists may be stored empty, but nobody who adds a constraint means that. */
export function isComplete(constraint: ConstraintInput): boolean {
  const { contextName, operator, values = [] } = constraint
  if (contextName === '' || (isList(kindOf(operator)) && values.length === 0)) return false
  return operandProblem(constraint) === undefined
}

/** The constraint with another operator; what it compares with stays where it fits. */
export function withOperator(constraint: ConstraintInput, operator: Operator): ConstraintInput {
  const { value: _value, values: _values, caseInsensitive, ...rest } = constraint
  const before = kindOf(constraint.operator)
  const after = kindOf(operator)
  const folding = foldsCase(operator) && caseInsensitive === true ? { caseInsensitive } : {}
  if (isList(after)) return { ...rest, ...folding, operator, values: isList(before) ? (constraint.values ?? []) : [] }
  return { ...rest, ...folding, operator, value: before === after ? (constraint.value ?? '') : '' }
}
