import type { AdminStrategy, DefaultStrategy } from '@burgee/protocol/targeting/strategy'

/** Adds the fields that every stored strategy has but a default strategy may omit. */
export function toWholeStrategy(strategy: DefaultStrategy): AdminStrategy {
  return {
    id: '',
    sortOrder: 0,
    title: null,
    disabled: false,
    parameters: {},
    constraints: [],
    segments: [],
    variants: [],
    ...strategy,
  } as AdminStrategy
}
