import { parseAddress } from '@burgee/engine/cidr'
import { compilePattern } from '@burgee/engine/pattern'
import type { ConstraintInput } from '@burgee/protocol/admin'
import type { Constraint } from '@burgee/protocol/feature'
import { LIMITS } from './limits.ts'
import { invalid } from './refusals.ts'

const SEMVER = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/

/**
 * Constraints as they are stored, with `values`, `inverted` and `caseInsensitive` filled in. Throws ValidationError
 * for a missing or malformed operand: such a constraint would silently never match.
 */
export function checkedConstraints(constraints: readonly ConstraintInput[]): Constraint[] {
  return constraints.map((constraint, index) => {
    const path = `body/constraints/${index}`
    const values = constraint.values ?? []
    if (values.length > LIMITS.constraintValues)
      throw invalid(`"values" must not hold more than ${LIMITS.constraintValues} items`, path)
    const reason = operandError(constraint)
    if (reason !== undefined)
      throw invalid(`"value" ${reason} for the operator ${constraint.operator}`, `${path}/value`)
    const wrongValues = valuesError(constraint)
    if (wrongValues !== undefined)
      throw invalid(`"values" ${wrongValues} for the operator ${constraint.operator}`, `${path}/values`)
    return {
      contextName: constraint.contextName,
      operator: constraint.operator,
      values: [...values],
      ...(constraint.value === undefined ? {} : { value: constraint.value }),
      inverted: constraint.inverted ?? false,
      caseInsensitive: constraint.caseInsensitive ?? false,
    }
  })
}

function operandError({ operator, value }: ConstraintInput): string | undefined {
  const kind = operator.split('_', 1)[0]
  if (kind === 'NUM') return isNumber(value) ? undefined : 'must be a number'
  if (kind === 'DATE') return isTime(value) ? undefined : 'must be a date and time'
  if (kind === 'SEMVER') return SEMVER.test(value ?? '') ? undefined : 'must be a version like 1.2.3'
  if (kind === 'REGEX') return isPattern(value) ? undefined : 'must be a regular expression in RE2 syntax'
  return undefined
}

function isPattern(value: string | undefined): boolean {
  return value !== undefined && value !== '' && compilePattern(value, false) !== undefined
}

/** Of networks: an address, or one with the length of its prefix. */
function valuesError({ operator, values = [] }: ConstraintInput): string | undefined {
  const wrong = operator === 'IN_CIDR' ? values.find((value) => parseAddress(value.trim()) === undefined) : undefined
  return wrong === undefined ? undefined : `must be addresses or networks like 10.0.0.0/8; "${wrong}" is none`
}

function isNumber(value: string | undefined): boolean {
  return value !== undefined && value.trim() !== '' && Number.isFinite(Number(value))
}

function isTime(value: string | undefined): boolean {
  return value !== undefined && /^\d{4}-\d\d-\d\d/.test(value) && !Number.isNaN(Date.parse(value))
}
