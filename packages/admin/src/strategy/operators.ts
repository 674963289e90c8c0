import type { ConstraintInput } from '@burgee/protocol/admin'
import { isNetwork } from './networks.ts'

/** Operators of constraints. */
export type Operator = ConstraintInput['operator']

/** What is asked for after an operator. */
export type ValueKind = 'texts' | 'number' | 'date' | 'version' | 'regex' | 'networks'

/** Operators in the order of the menu, and what they compare with. */
export const OPERATORS: Readonly<Record<Operator, ValueKind>> = {
  IN: 'texts',
  NOT_IN: 'texts',
  STR_CONTAINS: 'texts',
  STR_STARTS_WITH: 'texts',
  STR_ENDS_WITH: 'texts',
  NUM_EQ: 'number',
  NUM_GT: 'number',
  NUM_GTE: 'number',
  NUM_LT: 'number',
  NUM_LTE: 'number',
  DATE_AFTER: 'date',
  DATE_BEFORE: 'date',
  SEMVER_EQ: 'version',
  SEMVER_GT: 'version',
  SEMVER_GTE: 'version',
  SEMVER_LT: 'version',
  SEMVER_LTE: 'version',
  REGEX: 'regex',
  IN_CIDR: 'networks',
}

/** Whether an operator compares with several values. */
export const isList = (kind: ValueKind): boolean => kind === 'texts' || kind === 'networks'

/** What an operator compares with; texts, for operators of other servers. */
export function kindOf(operator: string): ValueKind {
  return Object.hasOwn(OPERATORS, operator) ? OPERATORS[operator as Operator] : 'texts'
}

/** Whether upper and lower case may be held to be the same. */
export const foldsCase = (operator: string): boolean => operator.startsWith('STR_') || operator === 'REGEX'

const VERSION = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/

/** Whether a constraint says enough to be saved. */
export function isComplete(constraint: ConstraintInput): boolean {
  const { contextName, operator, values = [], value = '' } = constraint
  if (contextName === '') return false
  switch (kindOf(operator)) {
    case 'texts':
      return values.length > 0
    case 'networks':
      return values.length > 0 && values.every(isNetwork)
    case 'number':
      return value.trim() !== '' && Number.isFinite(Number(value))
    case 'date':
      return !Number.isNaN(Date.parse(value))
    case 'version':
      return VERSION.test(value)
    default:
      return value !== ''
  }
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
