import { compilePattern } from '@burgee/engine/rules/pattern'
import type { Constraint } from '@burgee/protocol/feature'
import { ambiguity, canonicalOperand } from '@burgee/protocol/targeting/canonical-operand'
import type { ConstraintInput } from '@burgee/protocol/targeting/constraint'
import { operandProblem } from '@burgee/protocol/targeting/operand'
import { OPERATOR_NAMES, OPERATORS } from '@burgee/protocol/targeting/operator'
import type { Reader } from '../../store/database.ts'

/** Rows that are read at once. */
const PAGE = 1000
const KNOWN: ReadonlySet<string> = new Set(OPERATOR_NAMES)

/**
 * Returns a sentence for each stored constraint that SDKs of other languages read differently, of strategies and segments, up
 * to `most` of them. Earlier versions and imports stored such values.
 */
export async function findAmbiguousValues(reader: Reader, most: number): Promise<string[]> {
  const found: string[] = []
  for (const { name, constraints } of await reader.selectFrom('segments').select(['name', 'constraints']).execute()) {
    found.push(...sentencesOf(`the segment "${name}"`, constraints))
  }
  let after = ''
  while (found.length < most) {
    const rows = await reader
      .selectFrom('feature_strategies')
      .select(['id', 'feature_name', 'environment', 'constraints'])
      .where('id', '>', after)
      .orderBy('id')
      .limit(PAGE)
      .execute()
    for (const row of rows) found.push(...sentencesOf(`"${row.feature_name}" in ${row.environment}`, row.constraints))
    const last = rows.at(-1)
    if (last === undefined) break
    after = last.id
  }
  return found.slice(0, most)
}

function sentencesOf(place: string, constraints: readonly Constraint[] | null): string[] {
  return (constraints ?? []).flatMap((constraint) => {
    const reason = KNOWN.has(constraint.operator) ? reasonOf(constraint as ConstraintInput) : undefined
    return reason === undefined ? [] : [`${place}, ${constraint.contextName} ${constraint.operator}: ${reason}`]
  })
}

/** What SDKs read differently in a constraint; undefined where they agree. */
function reasonOf(constraint: ConstraintInput): string | undefined {
  const { operator, value = '', values = [] } = constraint
  const problem = operandProblem(constraint) ?? ambiguity(constraint)
  if (problem !== undefined) return `"${problem.property}" ${problem.reason}`
  const isPattern = OPERATORS[operator] !== 'regex' || compilePattern(value, false) !== undefined
  if (!isPattern) return '"value" must be a regular expression in RE2 syntax'
  if (operator.startsWith('DATE_') && constraint.contextName !== 'currentTime') {
    return `SDKs in Node compare the current time, others the field "${constraint.contextName}"`
  }
  const canonical = canonicalOperand(constraint)
  if (canonical.value !== constraint.value) return `"${value}" is off in some SDKs; save it as "${canonical.value}"`
  const isTrimmed = JSON.stringify(canonical.values ?? []) === JSON.stringify(values)
  return isTrimmed ? undefined : 'some SDKs take blanks for a part of its values; save it again to drop them'
}
