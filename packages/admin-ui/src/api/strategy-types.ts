import type { CreateStrategyType, StrategyTypeView, UpdateStrategyType } from '@burgee/protocol/targeting/strategy-type'
import { buildPath, call } from './http.ts'

const TYPES = '/api/admin/strategies'

/** Fetches all strategy types: built-in types first, then custom types by name. */
export const fetchStrategyTypes = async () => (await call<{ strategies: StrategyTypeView[] }>('GET', TYPES)).strategies

/** Creates a strategy type, which SDKs must implement. */
export const createStrategyType = (body: CreateStrategyType) => call<StrategyTypeView>('POST', TYPES, body)

/** Replaces all properties of a strategy type except its name. */
export const replaceStrategyType = (name: string, body: UpdateStrategyType) =>
  call<void>('PUT', `${TYPES}${buildPath(name)}`, body)

/** Deprecates or reactivates a strategy type. Existing strategies keep working. */
export const setDeprecated = (name: string, isDeprecated: boolean) =>
  call<void>('POST', `${TYPES}${buildPath(name, isDeprecated ? 'deprecate' : 'reactivate')}`)

/** Removes an unused strategy type. */
export const removeStrategyType = (name: string) => call<void>('DELETE', `${TYPES}${buildPath(name)}`)
