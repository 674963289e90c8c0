import type { ConstraintInput } from '@burgee/protocol/targeting/constraint'
import { findOperandProblem } from '@burgee/protocol/targeting/operand'
import { OPERATORS, type OperandKind, type Operator } from '@burgee/protocol/targeting/operator'

/** Returns true if an operator compares with a list of values. */
export const isList = (kind: OperandKind): boolean => kind === 'texts' || kind === 'networks'

/** Returns the kind of value that an operator requires. For operators that only other servers know, returns `texts`. */
export function getOperandKind(operator: string): OperandKind {
  return Object.hasOwn(OPERATORS, operator) ? OPERATORS[operator as Operator] : 'texts'
}

/** Returns true if the operator can ignore case. */
export const foldsCase = (operator: string): boolean => operator.startsWith('STR_') || operator === 'REGEX'

/**
 * Returns true if a constraint is complete. Rejects empty lists although the server accepts them, because no user adds
 * an empty list on purpose.
 */
export function isComplete(constraint: ConstraintInput): boolean {
  const { contextName, operator, values = [] } = constraint
  if (contextName === '' || (isList(getOperandKind(operator)) && values.length === 0)) return false
  return findOperandProblem(constraint) === undefined
}

/** Changes the operator of a constraint. Keeps the value if it fits the new operator. */
export function withOperator(constraint: ConstraintInput, operator: Operator): ConstraintInput {
  const { value: _value, values: _values, caseInsensitive, ...rest } = constraint
  const before = getOperandKind(constraint.operator)
  const after = getOperandKind(operator)
  const folding = foldsCase(operator) && caseInsensitive === true ? { caseInsensitive } : {}
  if (isList(after)) return { ...rest, ...folding, operator, values: isList(before) ? (constraint.values ?? []) : [] }
  return { ...rest, ...folding, operator, value: before === after ? (constraint.value ?? '') : '' }
}
