import type { Explanation } from '@burgee/engine'
import { escapeNames } from '@burgee/kit/terminal-text'

type Strategy = Explanation['strategies'][number]
type Constraint = Strategy['constraints'][number]

const STEP = '    '
const MAX_VALUES = 5

/** Formats a decision for a terminal: first the result, then the reasons one by one. */
export function formatExplanation(
  explanation: Explanation,
  { warnings }: { readonly warnings: readonly string[] },
): string {
  const why = escapeNames(explanation)
  const lines = [
    `${why.name} is ${why.isEnabled ? 'ON' : 'OFF'}${formatVariant(why)}`,
    '',
    `${formatMark(why.enabledInEnvironment)} switched ${why.enabledInEnvironment ? 'on' : 'off'} in this environment`,
    ...why.dependencies.map(formatDependency),
    ...(why.strategies.length === 0 ? ['    no strategies: on for all users where it is enabled'] : []),
    ...why.strategies.flatMap(formatStrategy),
    ...formatVariantDecision(why),
    ...escapeNames(warnings).map((text) => `  ! ${text}`),
  ]
  return lines.join('\n')
}

const formatMark = (holds: boolean): string => (holds ? '  ✓' : '  ✗')

function formatVariant({ isEnabled, variant }: Explanation): string {
  if (!isEnabled || !variant.enabled) return ''
  const { payload } = variant
  return `, variant ${variant.name}${payload === undefined ? '' : ` with ${String(payload.type)} ${String(payload.value)}`}`
}

function formatDependency({ feature, satisfied, reason }: Explanation['dependencies'][number]): string {
  return `${formatMark(satisfied)} parent ${feature ?? '(malformed)'}: ${reason}`
}

function formatStrategy(strategy: Strategy, index: number): string[] {
  const { name, title, disabled, result, constraints, segments, rollout } = strategy
  const called = title === undefined || title === '' ? name : `${name} "${title}"`
  const came = disabled
    ? 'disabled, ignored'
    : typeof result === 'boolean'
      ? result
        ? 'matches'
        : 'does not match'
      : 'is not built in, so its result is unknown'
  return [
    `${disabled ? '  -' : formatMark(result === true)} strategy ${index + 1}: ${called} ${came}`,
    ...constraints.map((one) => `${STEP}${formatConstraint(one)}`),
    ...segments.flatMap(({ id, name: called, result: isIn, constraints: own }) => [
      `${STEP}${formatMark(isIn)} segment ${called ?? `#${String(id)}, which does not exist`}`,
      ...own.map((one) => `${STEP}${STEP}${formatConstraint(one)}`),
    ]),
    ...(rollout === undefined ? [] : [`${STEP}${formatRollout(rollout)}`]),
  ]
}

function formatConstraint(constraint: Constraint): string {
  const { contextName, operator, values, value, inverted, caseInsensitive, result } = constraint
  const operands = Array.isArray(values) && values.length > 0 ? formatList(values) : String(value ?? '')
  const extras = [inverted === true ? 'inverted' : '', caseInsensitive === true ? 'in any case' : '']
  const more = extras.filter((text) => text !== '')
  return `${formatMark(result)} ${String(contextName)} ${String(operator)} ${operands}${more.length === 0 ? '' : ` (${more.join(', ')})`}`
}

function formatList(values: readonly unknown[]): string {
  const more = values.length - MAX_VALUES
  return `${values.slice(0, MAX_VALUES).map(String).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

function formatRollout({
  stickiness,
  stickinessValue,
  bucket,
  limit,
  groupId,
}: NonNullable<Strategy['rollout']>): string {
  if (Number.isNaN(limit)) return `${formatMark(false)} the percentage is not a number`
  if (bucket === 'random') return `${formatMark(true)} random, ${limit} %: the result may differ each time`
  if (bucket === undefined) {
    const field = stickiness === 'default' ? 'userId or sessionId' : stickiness
    return `${formatMark(false)} ${limit} % by ${stickiness}: the context has no ${field}`
  }
  const isIn = bucket <= limit
  return `${formatMark(isIn)} ${limit} % by ${stickiness}, group ${groupId}: "${stickinessValue ?? ''}" is in bucket ${bucket} of 100, ${isIn ? 'within' : 'above'} ${limit}`
}

function formatVariantDecision({ isEnabled, variantDecision: decision }: Explanation): string[] {
  if (!isEnabled || decision === undefined) return []
  const { chosen, override, bucket, stickiness, stickinessValue, ranges, total } = decision
  if (chosen === undefined) return ['    no variant: the list yields none']
  if (override !== undefined)
    return [`    variant ${chosen}: an override for ${override.contextName} ${override.value}`]
  const own = ranges.find(
    ({ name, from, to }) => name === chosen && bucket !== undefined && bucket > from && bucket <= to,
  )
  if (own === undefined || stickinessValue === undefined) return [`    variant ${chosen}: random`]
  return [
    `    variant ${chosen}: "${stickinessValue}" (${stickiness}) is in bucket ${bucket} of ${total}; buckets ${own.from + 1} to ${own.to} get it`,
  ]
}
