import type { FlagEdit, Impact } from '@burgee/protocol/administration/impact'
import type { ConstraintInput } from '@burgee/protocol/targeting/constraint'
import type { AdminStrategy, StrategyInput } from '@burgee/protocol/targeting/strategy'
import type { VariantInput, Variants } from '@burgee/protocol/targeting/variant'
import { type FlagPlace, type FlagRef, flagPath, placePath } from './flags.ts'
import { ask, call, path, readTagged } from './http.ts'

/** A strategy of a flag in an environment. */
export interface StrategyRef extends FlagPlace {
  readonly id: string
}

const strategiesPath = (place: FlagPlace) => `${placePath(place)}/strategies`
const strategyPath = (ref: StrategyRef) => `${strategiesPath(ref)}${path(ref.id)}`

/** Fetches one strategy with its ETag. */
export const strategy = (ref: StrategyRef) => readTagged<AdminStrategy>(strategyPath(ref))

/** Returns true if a flag has an enabled strategy in an environment. */
export async function hasEnabledStrategy(place: FlagPlace): Promise<boolean> {
  return (await call<AdminStrategy[]>('GET', strategiesPath(place))).some(({ disabled }) => !disabled)
}

/** Returns the ids of a flag's disabled strategies in an environment. */
export async function disabledStrategies(place: FlagPlace): Promise<string[]> {
  const all = await call<AdminStrategy[]>('GET', strategiesPath(place))
  return all.filter(({ disabled }) => disabled).map(({ id }) => id)
}

/** Disables or enables a strategy. A disabled strategy matches no one. */
export const setDisabled = (ref: StrategyRef, value: boolean) =>
  call<AdminStrategy>('PATCH', strategyPath(ref), [{ op: 'replace', path: '/disabled', value }])

/** Adds a strategy. */
export const addStrategy = (place: FlagPlace, body: StrategyInput) =>
  call<AdminStrategy>('POST', strategiesPath(place), body)

/**
 * Replaces a strategy. Fails with 412 if it no longer matches `ifMatch`. Allows removing all constraints or segments,
 * because the user has already confirmed it.
 */
export const replaceStrategy = (ref: StrategyRef, body: StrategyInput, ifMatch?: string) =>
  call<AdminStrategy>('PUT', `${strategyPath(ref)}${isWithoutList(body) ? '?allowEmpty=true' : ''}`, body, ifMatch)

function isWithoutList({ constraints = [], segments = [] }: StrategyInput): boolean {
  return constraints.length === 0 || segments.length === 0
}

/** Removes a strategy. */
export const removeStrategy = (ref: StrategyRef) => call<void>('DELETE', strategyPath(ref))

/** Sorts strategies in the order of `ids`. */
export const sortStrategies = (place: FlagPlace, ids: readonly string[]) =>
  call<void>(
    'POST',
    `${strategiesPath(place)}/set-sort-order`,
    ids.map((id, sortOrder) => ({ id, sortOrder })),
  )

/** Replaces the variants of a flag in an environment. */
export const setVariants = (place: FlagPlace, variants: readonly VariantInput[]) =>
  call<Variants>('PUT', `${placePath(place)}/variants`, variants)

/** Replaces the variants of a flag in several environments, all or none. */
export const setVariantsIn = (ref: FlagRef, environments: readonly string[], variants: readonly VariantInput[]) =>
  call<void>('PUT', `${flagPath(ref)}/variants-batch`, { environments, variants })

/** Validates a constraint on the server. Rejects with ApiError 400 if it is invalid. */
export const checkConstraint = (constraint: ConstraintInput) =>
  call<void>('POST', '/api/admin/constraints/validate', constraint)

/** Calculates how an unsaved edit would change recent traffic. `signal` aborts the request. */
export const impactOf = (place: FlagPlace, edit: FlagEdit, signal: AbortSignal) =>
  ask<Impact>(`${placePath(place)}/impact`, edit, signal)
