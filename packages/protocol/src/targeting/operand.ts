import { parseAddress } from '../address.ts'
import { parseSemver } from '../semver.ts'
import type { ConstraintInput } from './constraint.ts'
import { OPERATORS } from './operator.ts'

/** What is wrong with what a constraint compares with. */
export interface OperandProblem {
  readonly property: 'value' | 'values'
  /** Goes on after the name of the property: "must be a number". */
  readonly reason: string
}

/**
 * What keeps a constraint from ever matching: its operand is missing or malformed. The one grammar of operands, for who
 * stores them and for who types them; the evaluation reads versions and networks by it too. Whether a pattern compiles
 * is left to who has RE2 at hand.
 *
 * @returns undefined when the operand can be compared with. Throws nothing.
 */
export function operandProblem({ operator, value = '', values = [] }: ConstraintInput): OperandProblem | undefined {
  switch (OPERATORS[operator]) {
    case 'texts':
      return emptyProblem(values)
    case 'networks':
      return emptyProblem(values) ?? networksProblem(values)
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

/** The problem of a pattern that is empty or that RE2 does not accept. */
export const BAD_PATTERN: OperandProblem = {
  property: 'value',
  reason: 'must be a regular expression in RE2 syntax',
}

/** Whether a text is an address or a range of addresses, such as `10.0.0.0/8` or `2001:db8::/32`; blanks around it do not count. */
export function isNetwork(text: string): boolean {
  return parseAddress(text.trim()) !== undefined
}

/** The evaluation drops blank values, and a list without any holds for nobody or, negated, for everybody. */
function emptyProblem(values: readonly string[]): OperandProblem | undefined {
  if (values.some((value) => value.trim() !== '')) return undefined
  return { property: 'values', reason: 'must hold at least one value that is not blank' }
}

function networksProblem(values: readonly string[]): OperandProblem | undefined {
  const wrong = values.find((value) => !isNetwork(value))
  if (wrong === undefined) return undefined
  return { property: 'values', reason: `must be addresses or networks like 10.0.0.0/8; "${wrong}" is none` }
}

function isNumber(text: string): boolean {
  return text.trim() !== '' && Number.isFinite(Number(text))
}

/** Beginning with a day, so that nobody has to guess which of the numbers is the month. */
function isTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(Date.parse(text))
}
