import { invalid } from '@burgee/kit/input/refusals'
import type { VariantDefinition } from '@burgee/protocol/feature'
import type { VariantInput } from '@burgee/protocol/targeting/variant'

const FULL_WEIGHT = 1000

/**
 * Returns variants in stored form. Fixed weights stay unchanged. The rest of 1000 is divided evenly among the variable
 * variants, and the first of them get the remainder: with 300 fixed, three variable variants get 234, 233 and 233.
 * Variants whose weights are already divided in this way keep their weights, so that a restore reproduces the weights
 * in any order. Throws ValidationError for duplicate names, for fixed weights above 1000, and if no variant is
 * variable.
 *
 * A variant without `stickiness` is stored without `stickiness`. In a strategy, such a variant uses the stickiness of
 * the strategy.
 */
export function spreadWeights(variants: readonly VariantInput[]): VariantDefinition[] {
  if (variants.length === 0) return []
  rejectDuplicates(variants)
  const fixed = variants.filter((variant) => variant.weightType === 'fix')
  const variable = variants.length - fixed.length
  if (variable === 0) throw invalid('There must be at least one "variable" variant', 'body/variants')
  const left = FULL_WEIGHT - fixed.reduce((sum, variant) => sum + variant.weight, 0)
  if (left < 0) throw invalid('The weights of "fix" variants must not exceed 1000', 'body/variants')
  const share = Math.floor(left / variable)
  let rest = left % variable
  if (isSpread(variants, { share, rest })) return variants.map((variant) => toStoredVariant(variant, variant.weight))
  return variants.map((variant) => {
    if (variant.weightType === 'fix') return toStoredVariant(variant, variant.weight)
    const weight = share + (rest > 0 ? 1 : 0)
    rest -= 1
    return toStoredVariant(variant, weight)
  })
}

/** Returns variants with their given weights, for imported documents. Throws ValidationError for duplicate names. */
export function keepWeights(variants: readonly VariantInput[]): VariantDefinition[] {
  rejectDuplicates(variants)
  return variants.map((variant) => toStoredVariant(variant, variant.weight))
}

/**
 * Returns the variants of a flag in stored form. A flag itself has no stickiness, so a missing stickiness becomes
 * `default`.
 */
export function toFlagVariants(variants: readonly VariantInput[], isAsGiven = false): VariantDefinition[] {
  const weighted = isAsGiven ? keepWeights(variants) : spreadWeights(variants)
  return weighted.map(({ name, weight, weightType, stickiness = 'default', ...more }) => ({
    name,
    weight,
    ...(weightType === undefined ? {} : { weightType }),
    stickiness,
    ...more,
  }))
}

/** Returns true if every variable variant has the weight `share`, except that exactly `rest` of them have one more. */
function isSpread(variants: readonly VariantInput[], { share, rest }: { share: number; rest: number }): boolean {
  const variable = variants.filter(({ weightType }) => weightType !== 'fix')
  const more = variable.filter(({ weight }) => weight === share + 1).length
  return more === rest && variable.every(({ weight }) => weight === share || weight === share + 1)
}

function rejectDuplicates(variants: readonly VariantInput[]): void {
  const names = new Set<string>()
  for (const { name } of variants) {
    if (names.has(name)) throw invalid(`The variant name "${name}" is used twice`, 'body/variants')
    names.add(name)
  }
}

function toStoredVariant(variant: VariantInput, weight: number): VariantDefinition {
  const { payload, overrides } = variant
  return {
    name: variant.name,
    weight,
    weightType: variant.weightType ?? 'variable',
    ...(variant.stickiness === undefined ? {} : { stickiness: variant.stickiness }),
    ...(payload === undefined ? {} : { payload: { type: payload.type, value: payload.value } }),
    ...(overrides === undefined || overrides.length === 0 ? {} : { overrides }),
  }
}
