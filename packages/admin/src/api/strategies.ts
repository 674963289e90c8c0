import type { AdminStrategy, StrategyInput, VariantInput, Variants } from '@burgee/protocol/admin'
import { type FlagPlace, placePath } from './flags.ts'
import { call, path } from './http.ts'

/** A strategy of a flag in an environment. */
export interface StrategyRef extends FlagPlace {
  readonly id: string
}

const strategiesPath = (place: FlagPlace) => `${placePath(place)}/strategies`
const strategyPath = (ref: StrategyRef) => `${strategiesPath(ref)}${path(ref.id)}`

/** One strategy as it is now. */
export const strategy = (ref: StrategyRef) => call<AdminStrategy>('GET', strategyPath(ref))

/** Adds a strategy. */
export const addStrategy = (place: FlagPlace, body: StrategyInput) =>
  call<AdminStrategy>('POST', strategiesPath(place), body)

/** Replaces a strategy. */
export const replaceStrategy = (ref: StrategyRef, body: StrategyInput) =>
  call<AdminStrategy>('PUT', strategyPath(ref), body)

/** Removes a strategy. */
export const removeStrategy = (ref: StrategyRef) => call<void>('DELETE', strategyPath(ref))

/** Puts strategies into the order of `ids`. */
export const sortStrategies = (place: FlagPlace, ids: readonly string[]) =>
  call<void>(
    'POST',
    `${strategiesPath(place)}/set-sort-order`,
    ids.map((id, sortOrder) => ({ id, sortOrder })),
  )

/** Replaces the variants of a flag in an environment. */
export const setVariants = (place: FlagPlace, variants: readonly VariantInput[]) =>
  call<Variants>('PUT', `${placePath(place)}/variants`, variants)
