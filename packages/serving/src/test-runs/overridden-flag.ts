import type { FlagOverride } from '@burgee/protocol/administration/test-run'
import type { Feature, Strategy, VariantDefinition } from '@burgee/protocol/feature'

const EVERYONE: readonly Strategy[] = [{ name: 'default', constraints: [], parameters: {}, variants: [] }]
const FULL_WEIGHT = 1000

/**
 * Returns a flag with an override. `true` turns the flag on for everyone, without its parents; its own variants are
 * assigned as before. A variant is assigned to everyone, with the payload that it has in the environment.
 */
export function overrideFlag(feature: Feature, override: FlagOverride): Feature {
  if (override === false) return { ...feature, enabled: false }
  const { dependencies: _parents, ...rest } = feature
  const on: Feature = { ...rest, enabled: true, strategies: [...EVERYONE] }
  return override === true ? on : { ...on, variants: [toOnlyVariant(feature, override.variant)] }
}

/** Returns true if an environment has a variant of a flag, in the flag itself or in one of its strategies. */
export function hasVariant(feature: Feature, name: string): boolean {
  return findVariant(feature, name) !== undefined
}

function findVariant({ variants = [], strategies }: Feature, name: string): VariantDefinition | undefined {
  return [...variants, ...strategies.flatMap((strategy) => strategy.variants ?? [])].find((one) => one.name === name)
}

function toOnlyVariant(feature: Feature, name: string): VariantDefinition {
  const payload = findVariant(feature, name)?.payload
  const variant = { name, weight: FULL_WEIGHT, weightType: 'variable', stickiness: 'default' }
  return payload === undefined ? variant : { ...variant, payload }
}
