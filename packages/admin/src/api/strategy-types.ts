import type { CreateStrategyType, StrategyTypeView, UpdateStrategyType } from '@burgee/protocol/targeting/strategy-type'
import { call, path } from './http.ts'

const TYPES = '/api/admin/strategies'

/** All types of strategies: the built-in ones, then people's own by name. */
export const strategyTypes = async () => (await call<{ strategies: StrategyTypeView[] }>('GET', TYPES)).strategies

/** Adds a type of strategy, which SDKs must bring along. */
export const createStrategyType = (body: CreateStrategyType) => call<StrategyTypeView>('POST', TYPES, body)

/** Replaces everything of a type of strategy but its name. */
export const replaceStrategyType = (name: string, body: UpdateStrategyType) =>
  call<void>('PUT', `${TYPES}${path(name)}`, body)

/** Says that a type of strategy should not be used any more, or may be again; strategies of it go on. */
export const setDeprecated = (name: string, isDeprecated: boolean) =>
  call<void>('POST', `${TYPES}${path(name, isDeprecated ? 'deprecate' : 'reactivate')}`)

/** Removes a type that no strategy is of. */
export const removeStrategyType = (name: string) => call<void>('DELETE', `${TYPES}${path(name)}`)
