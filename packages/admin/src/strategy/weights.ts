import type { VariantInput } from '@burgee/protocol/targeting/variant'

/** Sum of all weights: a thousand parts. */
export const WHOLE = 1000

/** Shares what fixed weights leave among the other variants, as the server does; earlier ones get what is left over. */
export function spread(variants: readonly VariantInput[]): VariantInput[] {
  const fixed = variants.filter(isFixed).reduce((sum, { weight }) => sum + weight, 0)
  const free = variants.filter((variant) => !isFixed(variant)).length
  const rest = Math.max(0, WHOLE - fixed)
  let left = rest - Math.floor(rest / Math.max(1, free)) * free
  return variants.map((variant) => {
    if (isFixed(variant)) return variant
    left -= 1
    return { ...variant, weight: Math.floor(rest / free) + (left >= 0 ? 1 : 0) }
  })
}

/** What keeps the variants from being saved: too much fixed weight, or nothing that takes the rest. */
export function weightProblem(variants: readonly VariantInput[]): 'overweight' | 'oneVariable' | undefined {
  if (variants.length === 0) return undefined
  const fixed = variants.filter(isFixed).reduce((sum, { weight }) => sum + weight, 0)
  if (fixed > WHOLE) return 'overweight'
  return variants.every(isFixed) ? 'oneVariable' : undefined
}

/** Whether a weight was set by hand. */
export const isFixed = ({ weightType }: VariantInput): boolean => weightType === 'fix'
