import type { ConstraintInput } from './constraint.ts'
import type { OperandProblem } from './operand.ts'
import { OPERATORS } from './operator.ts'

/** Pattern of a JSON number (RFC 8259). Every SDK parses a number in this form in the same way. */
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i
/**
 * Pattern of an RFC 3339 date and time, in whole seconds or with three decimal places. Some SDKs misread the hour 24,
 * and fractions with any other number of decimal places.
 */
const RFC_3339 = /^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):\d\d:\d\d(?:\.\d{3})?(?:Z|[+-]\d\d:\d\d)$/
/** Pattern of the zone in an IPv6 address. Evaluation ignores the zone, and some SDKs cannot parse it. */
const ZONE = /%[^/]*/
const WITHOUT_ZONE = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/i
const DAY = /^\s*(\d{4})-(\d\d)-(\d\d)/
/** Pattern of RE2 syntax that regular expressions in Rust do not have. */
const RE2_ALONE = /(?:^|[^\\])(?:\\\\)*\\[QC]/

/**
 * Returns a constraint with its operand in canonical form. SDKs in all languages parse the canonical form in the same
 * way. Lists contain trimmed, non-blank values; numbers are JSON numbers; times have a time zone (UTC by default).
 * Malformed operands are left unchanged.
 */
export function toCanonicalOperand(constraint: ConstraintInput): ConstraintInput {
  const { operator, value = '', values = [] } = constraint
  switch (OPERATORS[operator]) {
    case 'texts':
      return { ...constraint, values: removeBlanks(values) }
    case 'networks':
      return { ...constraint, values: removeBlanks(values).map((one) => one.replace(ZONE, '')) }
    case 'number':
      return { ...constraint, value: toCanonicalNumber(value) }
    case 'date':
      return { ...constraint, value: toCanonicalTime(value) }
    default:
      return constraint
  }
}

/** Returns the problem with an operand that some SDKs parse differently or cannot parse; undefined if there is none. */
export function findAmbiguity({ operator, value = '' }: ConstraintInput): OperandProblem | undefined {
  const kind = OPERATORS[operator]
  if (kind === 'date' && !isDay(value)) return { property: 'value', reason: 'must be a valid calendar day' }
  if (kind !== 'regex' || !RE2_ALONE.test(value)) return undefined
  return { property: 'value', reason: 'must not contain \\Q or \\C, which SDKs in Rust, Java and Python cannot parse,' }
}

function removeBlanks(values: readonly string[]): string[] {
  return values.map((one) => one.trim()).filter((one) => one !== '')
}

function toCanonicalNumber(text: string): string {
  const trimmed = text.trim()
  if (JSON_NUMBER.test(trimmed)) return trimmed
  return trimmed !== '' && Number.isFinite(Number(trimmed)) ? String(Number(trimmed)) : text
}

function toCanonicalTime(text: string): string {
  const trimmed = text.trim()
  if (RFC_3339.test(trimmed)) return trimmed
  const isLocal = WITHOUT_ZONE.test(trimmed)
  const ms = Date.parse(isLocal ? `${trimmed.slice(0, 10)}T${trimmed.slice(11)}Z` : trimmed)
  return Number.isNaN(ms) ? text : new Date(ms).toISOString()
}

/** Returns false for a date that does not exist, such as 30 February, which some platforms read as 2 March. */
function isDay(text: string): boolean {
  const [, year, month, day] = (DAY.exec(text) ?? []).map(Number)
  if (year === undefined || month === undefined || day === undefined) return false
  return new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day
}
