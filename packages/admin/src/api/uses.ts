import type { StrategyUse } from '@burgee/protocol/targeting/context-field'
import { call, path } from './http.ts'

/** Something that strategies use: a segment, a context field or a type of strategy, as paths of the API name it. */
export interface Used {
  readonly kind: 'segments' | 'context' | 'strategies'
  readonly id: string | number
}

/** Strategies that use something, by flag and environment. */
export const usesOf = async ({ kind, id }: Used) =>
  (await call<{ strategies: StrategyUse[] }>('GET', path('api', 'admin', kind, id, 'strategies'))).strategies
