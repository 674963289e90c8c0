import type { StrategyUse } from '@burgee/protocol/targeting/context-field'
import { call, path } from './http.ts'

/** Resource that strategies use: a segment, context field or strategy type, named as in API paths. */
export interface Used {
  readonly kind: 'segments' | 'context' | 'strategies'
  readonly id: string | number
}

/** Fetches the strategies that use a resource, sorted by flag and environment. */
export const usesOf = async ({ kind, id }: Used) =>
  (await call<{ strategies: StrategyUse[] }>('GET', path('api', 'admin', kind, id, 'strategies'))).strategies
