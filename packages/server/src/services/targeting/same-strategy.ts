import type { Constraint, VariantDefinition } from '@burgee/protocol/feature'

/** What a strategy is, whatever its id and its place. */
export interface StrategyParts {
  readonly name: string
  readonly title?: string | null | undefined
  readonly disabled?: boolean | number | null | undefined
  readonly parameters?: Readonly<Record<string, string>> | undefined
  readonly constraints?: readonly Constraint[] | undefined
  readonly variants?: readonly VariantDefinition[] | undefined
  readonly segments?: readonly number[] | undefined
}

/** Whether two strategies of a flag are the same but for ids and places; what is left out is what the server takes then. */
export function isSameStrategy(feature: string, one: StrategyParts, other: StrategyParts): boolean {
  return strategyKey(feature, one) === strategyKey(feature, other)
}

/** Whether two lists of strategies of a flag are the same, in the same order. */
export function areSameStrategies(
  feature: string,
  some: readonly StrategyParts[],
  others: readonly StrategyParts[],
): boolean {
  return (
    some.length === others.length &&
    some.every((one, index) => isSameStrategy(feature, one, others[index] as StrategyParts))
  )
}

/** Whether two lists of variants are the same, in the same order. */
export function areSameVariants(some: readonly VariantDefinition[], others: readonly VariantDefinition[]): boolean {
  return JSON.stringify(some.map(variantKey)) === JSON.stringify(others.map(variantKey))
}

/** Whether constraints that must all hold mean the same: neither their order matters nor that of their values. */
export function areSameConstraints(some: readonly Constraint[], others: readonly Constraint[]): boolean {
  const keyOf = (constraints: readonly Constraint[]) =>
    constraints
      .map((constraint) =>
        JSON.stringify(constraintKey({ ...constraint, values: [...(constraint.values ?? [])].sort() })),
      )
      .sort()
  return JSON.stringify(keyOf(some)) === JSON.stringify(keyOf(others))
}

/** A text that is the same for strategies of a flag that are the same but for ids and places. */
export function strategyKey(feature: string, strategy: StrategyParts): string {
  const { name, title = null, disabled, parameters = {}, constraints = [], variants = [], segments = [] } = strategy
  const filled = Object.entries(filledParameters(feature, name, parameters)).sort(([a], [b]) => (a < b ? -1 : 1))
  const sorted = [...segments].sort((a, b) => a - b)
  const conditions = constraints.map(constraintKey)
  const sticky = parameters.stickiness ?? 'default'
  // a variant without stickiness sticks as its strategy does
  const keyOfVariant = (variant: VariantDefinition) => variantKey({ stickiness: sticky, ...variant })
  return JSON.stringify([
    name,
    title || null,
    Boolean(disabled),
    filled,
    conditions,
    variants.map(keyOfVariant),
    sorted,
  ])
}

function constraintKey(constraint: Constraint) {
  const { contextName, operator, values = [], value = null, inverted = false, caseInsensitive = false } = constraint
  return [contextName, operator, values, value, inverted, caseInsensitive]
}

function variantKey({ name, weight, weightType, stickiness, payload, overrides = [] }: VariantDefinition) {
  const given = payload === undefined ? null : [payload.type, payload.value]
  const forced = overrides.map(({ contextName, values }) => [contextName, values])
  return [name, weight, weightType ?? 'variable', stickiness ?? 'default', given, forced]
}

/**
 * Parameters as they are stored: a gradual rollout sticks to its flag unless told otherwise. One without a percentage is for
 * nobody, and stays as it was sent. Source: wire protocol
 */
export function filledParameters(
  feature: string,
  type: string,
  parameters: Readonly<Record<string, string>>,
): Record<string, string> {
  const { rollout } = parameters
  if (type !== 'flexibleRollout' || rollout === undefined) return { ...parameters }
  return { rollout, stickiness: 'default', groupId: feature, ...parameters }
}
