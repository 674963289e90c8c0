import type { Event } from '@burgee/protocol/event'
import type { Operator } from '@burgee/protocol/targeting/operator'

/** Parts of a strategy that are compared; changes to other parts are not described. */
interface StrategyState {
  readonly parameters: Readonly<Record<string, unknown>>
  readonly constraints: readonly unknown[]
  readonly segments: readonly unknown[]
}

/**
 * Words that stand between a context field and its operand. Source: wire protocol, except for the four newest
 * operators.
 */
const OPERATOR_WORDS: Readonly<Record<Operator, string>> = {
  IN: 'is one of',
  NOT_IN: 'is not one of',
  STR_CONTAINS: 'contains',
  STR_STARTS_WITH: 'starts with',
  STR_ENDS_WITH: 'ends with',
  NUM_EQ: 'is',
  NUM_GT: 'is greater than',
  NUM_GTE: 'is at least',
  NUM_LT: 'is less than',
  NUM_LTE: 'is at most',
  DATE_BEFORE: 'is before',
  DATE_AFTER: 'is after',
  SEMVER_EQ: 'is version',
  SEMVER_GT: 'is later than version',
  SEMVER_GTE: 'is at least version',
  SEMVER_LT: 'is earlier than version',
  SEMVER_LTE: 'is at most version',
  REGEX: 'matches',
  IN_CIDR: 'is in one of the networks',
}
const WORDS: ReadonlyMap<unknown, string> = new Map(Object.entries(OPERATOR_WORDS))
const UNSET = 'not set'

/**
 * Describes how a strategy has changed, with a leading blank: `rollout from 25% to 50%; constraints from [] to [userId
 * is one of (1,2)]`. Empty if nothing changed. Source: wire protocol
 */
export function describeStrategyDifferences({ data, preData }: Pick<Event, 'data' | 'preData'>): string {
  const [before, after] = [toState(preData), toState(data)]
  const names = [...new Set([...Object.keys(before.parameters), ...Object.keys(after.parameters)])]
  const parameters = names.flatMap((name) =>
    describeDifference(
      name,
      describeParameter(name, before.parameters[name]),
      describeParameter(name, after.parameters[name]),
    ),
  )
  const constraints = describeDifference(
    'constraints',
    describeConstraints(before.constraints),
    describeConstraints(after.constraints),
  )
  const segments = describeDifference('segments', `(${before.segments.join(',')})`, `(${after.segments.join(',')})`)
  const all = [...parameters, ...constraints, ...segments]
  return all.length === 0 ? '' : ` ${all.join('; ')}`
}

function describeDifference(name: string, before: string, after: string): string[] {
  return before === after ? [] : [`${name} from ${before} to ${after}`]
}

function describeParameter(name: string, value: unknown): string {
  if (value === undefined || value === '') return UNSET
  return name === 'rollout' ? `${value}%` : String(value)
}

function describeConstraints(constraints: readonly unknown[]): string {
  return `[${constraints.map(describeConstraint).join(', ')}]`
}

function describeConstraint(constraint: unknown): string {
  const { contextName, operator, values, value, inverted } = toRecord(constraint)
  const words = WORDS.get(operator) ?? String(operator)
  const operand = Array.isArray(values) && values.length > 0 ? `(${values.join(',')})` : String(value ?? '')
  return `${contextName} ${inverted === true ? 'not: ' : ''}${words} ${operand}`.trim()
}

function toState(state: unknown): StrategyState {
  const { parameters, constraints, segments } = toRecord(state)
  return {
    parameters: toRecord(parameters),
    constraints: Array.isArray(constraints) ? constraints : [],
    segments: Array.isArray(segments) ? segments : [],
  }
}

function toRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}
