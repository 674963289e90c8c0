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

/** One strategy as it is now, and its state. */
export const strategy = (ref: StrategyRef) => readTagged<AdminStrategy>(strategyPath(ref))

/** Whether a flag has a strategy in an environment that is not disabled. */
export async function hasEnabledStrategy(place: FlagPlace): Promise<boolean> {
  return (await call<AdminStrategy[]>('GET', strategiesPath(place))).some(({ disabled }) => !disabled)
}

/** Ids of the strategies of a flag in an environment that are disabled. */
export async function disabledStrategies(place: FlagPlace): Promise<string[]> {
  const all = await call<AdminStrategy[]>('GET', strategiesPath(place))
  return all.filter(({ disabled }) => disabled).map(({ id }) => id)
}

/** Disables a strategy, which then lets nobody in, or enables it. */
export const setDisabled = (ref: StrategyRef, value: boolean) =>
  call<AdminStrategy>('PATCH', strategyPath(ref), [{ op: 'replace', path: '/disabled', value }])

/** Adds a strategy. */
export const addStrategy = (place: FlagPlace, body: StrategyInput) =>
  call<AdminStrategy>('POST', strategiesPath(place), body)

/** Replaces a strategy that is still in the state `ifMatch`; else 412. It may lose constraints and segments: people were asked. */
export const replaceStrategy = (ref: StrategyRef, body: StrategyInput, ifMatch?: string) =>
  call<AdminStrategy>('PUT', `${strategyPath(ref)}${isWithoutList(body) ? '?allowEmpty=true' : ''}`, body, ifMatch)

function isWithoutList({ constraints = [], segments = [] }: StrategyInput): boolean {
  return constraints.length === 0 || segments.length === 0
}

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

/** Replaces the variants of a flag in several environments, all or none. */
export const setVariantsIn = (ref: FlagRef, environments: readonly string[], variants: readonly VariantInput[]) =>
  call<void>('PUT', `${flagPath(ref)}/variants-batch`, { environments, variants })

/** Says whether the server could use a constraint; what is wrong with it comes as an ApiError (400). */
export const checkConstraint = (constraint: ConstraintInput) =>
  call<void>('POST', '/api/admin/constraints/validate', constraint)

/** What an edit that is not saved would change for recent traffic; `signal` takes the question back. */
export const impactOf = (place: FlagPlace, edit: FlagEdit, signal: AbortSignal) =>
  ask<Impact>(`${placePath(place)}/impact`, edit, signal)
