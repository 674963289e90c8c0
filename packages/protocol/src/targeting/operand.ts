import { parseAddress } from '../address.ts'
import { parseSemver } from '../semver.ts'
import type { ConstraintInput } from './constraint.ts'
import { OPERATORS } from './operator.ts'

/** Problem with the operand of a constraint. */
export interface OperandProblem {
  readonly property: 'value' | 'values'
  /** Text that is appended to the name of the property, such as "must be a number". */
  readonly reason: string
}

/**
 * Returns the reason why a constraint can never match because its operand is missing or malformed. The API and the
 * forms use these rules; evaluation uses the same parsers for versions and networks. Does not check whether a pattern
 * compiles, because that requires RE2.
 *
 * @returns undefined if the operand is valid. Never throws.
 */
export function findOperandProblem({ operator, value = '', values = [] }: ConstraintInput): OperandProblem | undefined {
  switch (OPERATORS[operator]) {
    case 'texts':
      return findEmptyProblem(values)
    case 'networks':
      return findEmptyProblem(values) ?? findNetworksProblem(values)
    case 'number':
      return isNumber(value) ? undefined : { property: 'value', reason: 'must be a number' }
    case 'date':
      return isTime(value) ? undefined : { property: 'value', reason: 'must be a date and time' }
    case 'version':
      return parseSemver(value) ? undefined : { property: 'value', reason: 'must be a version like 1.2.3' }
    case 'regex':
      return value === '' ? BAD_PATTERN : undefined
  }
}

/** Problem with a pattern that is empty or that RE2 rejects. */
export const BAD_PATTERN: OperandProblem = {
  property: 'value',
  reason: 'must be a regular expression in RE2 syntax',
}

/**
 * Returns true for an IP address or a range of IP addresses, such as `10.0.0.0/8` or `2001:db8::/32`. Ignores
 * surrounding whitespace.
 */
export function isNetwork(text: string): boolean {
  return parseAddress(text.trim()) !== undefined
}

/**
 * Rejects a list with only blank values: evaluation drops blank values, and an empty list would match no one or, if
 * inverted, all users.
 */
function findEmptyProblem(values: readonly string[]): OperandProblem | undefined {
  if (values.some((value) => value.trim() !== '')) return undefined
  return { property: 'values', reason: 'must contain at least one value that is not blank' }
}

function findNetworksProblem(values: readonly string[]): OperandProblem | undefined {
  const wrong = values.find((value) => !isNetwork(value))
  if (wrong === undefined) return undefined
  return { property: 'values', reason: `must be addresses or networks like 10.0.0.0/8; "${wrong}" is none` }
}

function isNumber(text: string): boolean {
  return text.trim() !== '' && Number.isFinite(Number(text))
}

/** Returns true for a time that begins with year, month and day, so that day and month cannot be confused. */
function isTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(Date.parse(text))
}
