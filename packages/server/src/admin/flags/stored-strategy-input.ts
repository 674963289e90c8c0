import type { StrategyInput } from '@burgee/protocol/targeting/strategy'
import type { VariantInput } from '@burgee/protocol/targeting/variant'
import type { StrategyRow } from '@burgee/storage/queries/flags/strategies'

/** Properties of a stored strategy that request bodies also contain. */
export type StoredStrategyParts = Pick<
  StrategyRow,
  'name' | 'title' | 'parameters' | 'constraints' | 'segments' | 'variants'
>

/** Converts a stored strategy to a request body that would create an equal strategy. */
export function toStrategyInput(stored: StoredStrategyParts): StrategyInput {
  const { name, title, parameters, constraints, segments, variants } = stored
  return {
    name,
    title,
    parameters,
    segments,
    constraints: constraints as StrategyInput['constraints'] & object,
    variants: variants as VariantInput[],
  }
}
