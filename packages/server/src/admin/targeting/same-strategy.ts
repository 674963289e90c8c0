import type { Constraint, VariantDefinition } from '@burgee/protocol/feature'
import { compareVariants } from '../flags/variant-order.ts'

/** Strategy without its id and sort order. */
export interface StrategyParts {
  readonly name: string
  readonly title?: string | null | undefined
  readonly disabled?: boolean | number | null | undefined
  readonly parameters?: Readonly<Record<string, string>> | undefined
  readonly constraints?: readonly Constraint[] | undefined
  readonly variants?: readonly VariantDefinition[] | undefined
  readonly segments?: readonly number[] | undefined
}

/**
 * Returns true if two strategies of a flag are equal except for ids and sort order; omitted properties count as their
 * defaults.
 */
export function isSameStrategy(feature: string, one: StrategyParts, other: StrategyParts): boolean {
  return getStrategyKey(feature, one) === getStrategyKey(feature, other)
}

/** Returns true if two lists of strategies of a flag are equal and in the same order. */
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

/**
 * Returns true if two lists contain the same variants. Ignores the order of the variants, because no edit can change
 * the order.
 */
export function areSameVariants(some: readonly VariantDefinition[], others: readonly VariantDefinition[]): boolean {
  const keyOf = (variants: readonly VariantDefinition[]) =>
    JSON.stringify(variants.toSorted(compareVariants).map(getVariantKey))
  return keyOf(some) === keyOf(others)
}

/**
 * Returns true if the strategies of two lists have their variants in the same order. The order determines which users
 * get which variant.
 */
export function haveSameVariantOrder(some: readonly StrategyParts[], others: readonly StrategyParts[]): boolean {
  const namesOf = (strategies: readonly StrategyParts[]) =>
    JSON.stringify(strategies.map(({ variants = [] }) => variants.map(({ name }) => name)))
  return namesOf(some) === namesOf(others)
}

/**
 * Returns true if two lists of constraints, all of which must be met, are equivalent; ignores the order of constraints
 * and values.
 */
export function areSameConstraints(some: readonly Constraint[], others: readonly Constraint[]): boolean {
  const keyOf = (constraints: readonly Constraint[]) =>
    constraints
      .map((constraint) =>
        JSON.stringify(getConstraintKey({ ...constraint, values: [...(constraint.values ?? [])].sort() })),
      )
      .sort()
  return JSON.stringify(keyOf(some)) === JSON.stringify(keyOf(others))
}

/**
 * Returns a key that is the same for strategies of a flag that differ only in ids, sort order and order of variants.
 */
export function getStrategyKey(feature: string, strategy: StrategyParts): string {
  const { name, title = null, disabled, parameters = {}, constraints = [], variants = [], segments = [] } = strategy
  const filled = Object.entries(fillParameters(feature, name, parameters)).sort(([a], [b]) => (a < b ? -1 : 1))
  const sorted = [...segments].sort((a, b) => a - b)
  const conditions = constraints.map(getConstraintKey)
  const sticky = parameters.stickiness ?? 'default'
  // a variant without stickiness uses the stickiness of its strategy
  const keyOfVariant = (variant: VariantDefinition) => getVariantKey({ stickiness: sticky, ...variant })
  return JSON.stringify([
    name,
    title || null,
    Boolean(disabled),
    filled,
    conditions,
    variants.toSorted(compareVariants).map(keyOfVariant),
    sorted,
  ])
}

function getConstraintKey(constraint: Constraint) {
  const { contextName, operator, values = [], value = null, inverted = false, caseInsensitive = false } = constraint
  return [contextName, operator, values, value, inverted, caseInsensitive]
}

function getVariantKey({ name, weight, weightType, stickiness, payload, overrides = [] }: VariantDefinition) {
  const given = payload === undefined ? null : [payload.type, payload.value]
  const forced = overrides.map(({ contextName, values }) => [contextName, values])
  return [name, weight, weightType ?? 'variable', stickiness ?? 'default', given, forced]
}

/**
 * Fills in parameters for storage: the `groupId` of a gradual rollout defaults to the name of the flag. A gradual
 * rollout without a percentage matches no user and stays unchanged. Source: wire protocol
 */
export function fillParameters(
  feature: string,
  type: string,
  parameters: Readonly<Record<string, string>>,
): Record<string, string> {
  const { rollout } = parameters
  if (type !== 'flexibleRollout' || rollout === undefined) return { ...parameters }
  return { rollout, stickiness: 'default', groupId: feature, ...parameters }
}
