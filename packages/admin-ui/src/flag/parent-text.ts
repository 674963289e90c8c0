import type { DependencyInput } from '@burgee/protocol/batch'
import type { FLAG_TEXTS } from './texts.ts'

/** Describes the required state of a parent in a few words. */
export function describeParent(
  words: (typeof FLAG_TEXTS)['en']['dependencies'],
  { enabled = true, variants = [] }: DependencyInput,
): string {
  if (!enabled) return words.off
  return variants.length === 0 ? words.on : words.withVariants(variants.join(', '))
}
