import type { AdminStrategy, DefaultStrategy } from '@burgee/protocol/targeting/strategy'

/** Adds the fields that a stored strategy has and a default strategy can omit. */
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
