import { invalid } from '@burgee/kit/input/refusals'
import type { Constraint } from '@burgee/protocol/feature'
import { findAmbiguity, toCanonicalOperand } from '@burgee/protocol/targeting/canonical-operand'
import type { ConstraintInput } from '@burgee/protocol/targeting/constraint'
import { findOperandProblem } from '@burgee/protocol/targeting/operand'
import { RESOURCE_LIMITS } from '../../core/resource-limits.ts'
import { PatternCheck } from './pattern-check.ts'
import { requireWellFormed } from './well-formed.ts'

/** Options for validating constraints. */
export interface ConstraintRules {
  /** Maximum number of values per constraint or, if `together` is true, in all constraints combined. */
  readonly max?: number
  readonly isTotalLimit?: boolean
  /**
   * Stored constraints. An unchanged stored constraint is always accepted, so that other parts of the strategy or
   * segment can be edited.
   */
  readonly stored?: readonly Constraint[] | undefined
  /** True for documents from other servers, whose values must not be changed. */
  readonly isAsGiven?: boolean
}

/**
 * Validates constraints and returns them in stored form: with `values`, `inverted` and `caseInsensitive` filled in, and
 * with operands that every SDK interprets in the same way. Throws ValidationError for a missing or malformed operand,
 * which would never match; for an operand that SDKs interpret differently; and for more than `max` values.
 */
export function checkConstraints(
  constraints: readonly ConstraintInput[],
  {
    max = RESOURCE_LIMITS.constraintValues,
    isTotalLimit = false,
    stored = [],
    isAsGiven = false,
  }: ConstraintRules = {},
): Constraint[] {
  const count = constraints.reduce((sum, { values = [] }) => sum + values.length, 0)
  if (isTotalLimit && count > max) {
    throw invalid(`"constraints" must not have more than ${max} values in total`, 'body/constraints')
  }
  const known = new Set(stored.map(getConstraintKey))
  const isKnown = (constraint: ConstraintInput) => known.has(getConstraintKey(fillConstraint(constraint)))
  const patterns = new PatternCheck(isAsGiven)
  for (const constraint of constraints) if (isKnown(constraint)) patterns.count(constraint)
  return constraints.map((constraint, index) => {
    const path = `body/constraints/${index}`
    const values = constraint.values ?? []
    if (values.length > max) throw invalid(`"values" must not have more than ${max} items`, path)
    if (isKnown(constraint)) return fillConstraint(constraint)
    requireWellFormed(constraint, path)
    const canonical = isAsGiven ? constraint : toCanonicalOperand(constraint)
    const other = isAsGiven ? undefined : findAmbiguity(constraint)
    const problem = findOperandProblem(canonical) ?? patterns.findProblem(canonical) ?? other
    if (problem !== undefined) {
      const { property, reason } = problem
      throw invalid(`"${property}" ${reason} for the operator ${constraint.operator}`, `${path}/${property}`)
    }
    return fillConstraint(canonical)
  })
}

function fillConstraint({ contextName, operator, values = [], value, ...rest }: ConstraintInput): Constraint {
  return {
    contextName,
    operator,
    values: [...values],
    ...(value === undefined ? {} : { value }),
    inverted: rest.inverted ?? false,
    caseInsensitive: rest.caseInsensitive ?? false,
  }
}

/** Returns a key that is the same for equal constraints. */
function getConstraintKey({ contextName, operator, values, value, inverted, caseInsensitive }: Constraint): string {
  return JSON.stringify([contextName, operator, values ?? [], value, inverted ?? false, caseInsensitive ?? false])
}
