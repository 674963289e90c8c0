import type { VariantInput } from '@burgee/protocol/targeting/variant'

/** Sum of all weights, in thousandths. */
export const TOTAL_WEIGHT = 1000

/**
 * Distributes the weight that the fixed variants leave over among the other variants, in the same way as the server.
 * The first of these variants get the remainder of the division.
 */
export function distributeWeights(variants: readonly VariantInput[]): VariantInput[] {
  const fixed = variants.filter(isFixed).reduce((sum, { weight }) => sum + weight, 0)
  const free = variants.filter((variant) => !isFixed(variant)).length
  const rest = Math.max(0, TOTAL_WEIGHT - fixed)
  let left = rest - Math.floor(rest / Math.max(1, free)) * free
  return variants.map((variant) => {
    if (isFixed(variant)) return variant
    left -= 1
    return { ...variant, weight: Math.floor(rest / free) + (left >= 0 ? 1 : 0) }
  })
}

/**
 * Returns the reason why weights are invalid: too much fixed weight, or no variable variant. Returns undefined if the
 * weights are valid.
 */
export function findWeightProblem(variants: readonly VariantInput[]): 'overweight' | 'oneVariable' | undefined {
  if (variants.length === 0) return undefined
  const fixed = variants.filter(isFixed).reduce((sum, { weight }) => sum + weight, 0)
  if (fixed > TOTAL_WEIGHT) return 'overweight'
  return variants.every(isFixed) ? 'oneVariable' : undefined
}

/** Returns true if the weight was set manually. */
export const isFixed = ({ weightType }: VariantInput): boolean => weightType === 'fix'
