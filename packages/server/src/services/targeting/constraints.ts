import { compilePattern } from '@burgee/engine/rules/pattern'
import { invalid } from '@burgee/kit/input/refusals'
import type { Constraint } from '@burgee/protocol/feature'
import type { ConstraintInput } from '@burgee/protocol/targeting/constraint'
import { BAD_PATTERN, type OperandProblem, operandProblem } from '@burgee/protocol/targeting/operand'
import { OPERATORS } from '@burgee/protocol/targeting/operator'
import { RESOURCE_LIMITS } from '../resource-limits.ts'

/**
 * Constraints as they are stored, with `values`, `inverted` and `caseInsensitive` filled in. Throws ValidationError
 * for a missing or malformed operand: such a constraint would silently never match; and for more values than `most`,
 * which are those of each, or of all `together`.
 */
export function checkedConstraints(
  constraints: readonly ConstraintInput[],
  { most = RESOURCE_LIMITS.constraintValues, together = false }: { most?: number; together?: boolean } = {},
): Constraint[] {
  const count = constraints.reduce((sum, { values = [] }) => sum + values.length, 0)
  if (together && count > most) {
    throw invalid(`"constraints" must not hold more than ${most} values together`, 'body/constraints')
  }
  return constraints.map((constraint, index) => {
    const path = `body/constraints/${index}`
    const values = constraint.values ?? []
    if (values.length > most) throw invalid(`"values" must not hold more than ${most} items`, path)
    const problem = operandProblem(constraint) ?? patternProblem(constraint)
    if (problem !== undefined) {
      const { property, reason } = problem
      throw invalid(`"${property}" ${reason} for the operator ${constraint.operator}`, `${path}/${property}`)
    }
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

function patternProblem({ operator, value = '' }: ConstraintInput): OperandProblem | undefined {
  return OPERATORS[operator] === 'regex' && compilePattern(value, false) === undefined ? BAD_PATTERN : undefined
}
