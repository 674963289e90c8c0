import type { StrategyUse } from '@burgee/protocol/targeting/context-field'
import { buildPath, call } from './http.ts'

/**
 * Resource that strategies use: a segment, context field or strategy type, with the name that API paths have for it.
 */
export interface UsedResource {
  readonly kind: 'segments' | 'context' | 'strategies'
  readonly id: string | number
}

/** Fetches the strategies that use a resource, sorted by flag and environment. */
export const fetchUsages = async ({ kind, id }: UsedResource) =>
  (await call<{ strategies: StrategyUse[] }>('GET', buildPath('api', 'admin', kind, id, 'strategies'))).strategies
