import type { FlagEdit, Impact } from '@burgee/protocol/administration/impact'
import type { ConstraintInput } from '@burgee/protocol/targeting/constraint'
import type { AdminStrategy, StrategyInput } from '@burgee/protocol/targeting/strategy'
import type { VariantInput, Variants } from '@burgee/protocol/targeting/variant'
import { type FlagEnvironment, type FlagRef, getFlagEnvironmentPath, getFlagPath } from './flags.ts'
import { buildPath, call, fetchWithEtag, postQuery } from './http.ts'

/** Strategy of a flag in an environment. */
export interface StrategyRef extends FlagEnvironment {
  readonly id: string
}

const getStrategiesPath = (place: FlagEnvironment) => `${getFlagEnvironmentPath(place)}/strategies`
const getStrategyPath = (ref: StrategyRef) => `${getStrategiesPath(ref)}${buildPath(ref.id)}`

/** Fetches one strategy with its ETag. */
export const fetchStrategy = (ref: StrategyRef) => fetchWithEtag<AdminStrategy>(getStrategyPath(ref))

/** Returns true if a flag has an enabled strategy in an environment. */
export async function hasEnabledStrategy(place: FlagEnvironment): Promise<boolean> {
  return (await call<AdminStrategy[]>('GET', getStrategiesPath(place))).some(({ disabled }) => !disabled)
}

/** Returns the ids of a flag's disabled strategies in an environment. */
export async function fetchDisabledStrategies(place: FlagEnvironment): Promise<string[]> {
  const all = await call<AdminStrategy[]>('GET', getStrategiesPath(place))
  return all.filter(({ disabled }) => disabled).map(({ id }) => id)
}

/** Disables or enables a strategy. A disabled strategy matches no one. */
export const setDisabled = (ref: StrategyRef, value: boolean) =>
  call<AdminStrategy>('PATCH', getStrategyPath(ref), [{ op: 'replace', path: '/disabled', value }])

/** Adds a strategy. */
export const addStrategy = (place: FlagEnvironment, body: StrategyInput) =>
  call<AdminStrategy>('POST', getStrategiesPath(place), body)

/**
 * Replaces a strategy. Fails with 412 if the strategy no longer matches `ifMatch`. Allows the save to remove all
 * constraints or segments, because the user has already confirmed this.
 */
export const replaceStrategy = (ref: StrategyRef, body: StrategyInput, ifMatch?: string) =>
  call<AdminStrategy>('PUT', `${getStrategyPath(ref)}${lacksTargeting(body) ? '?allowEmpty=true' : ''}`, body, ifMatch)

function lacksTargeting({ constraints = [], segments = [] }: StrategyInput): boolean {
  return constraints.length === 0 || segments.length === 0
}

/** Removes a strategy. */
export const removeStrategy = (ref: StrategyRef) => call<void>('DELETE', getStrategyPath(ref))

/** Sorts strategies in the order of `ids`. */
export const sortStrategies = (place: FlagEnvironment, ids: readonly string[]) =>
  call<void>(
    'POST',
    `${getStrategiesPath(place)}/set-sort-order`,
    ids.map((id, sortOrder) => ({ id, sortOrder })),
  )

/** Replaces the variants of a flag in an environment. */
export const setVariants = (place: FlagEnvironment, variants: readonly VariantInput[]) =>
  call<Variants>('PUT', `${getFlagEnvironmentPath(place)}/variants`, variants)

/** Replaces the variants of a flag in several environments, atomically (in all environments or in none). */
export const setVariantsIn = (ref: FlagRef, environments: readonly string[], variants: readonly VariantInput[]) =>
  call<void>('PUT', `${getFlagPath(ref)}/variants-batch`, { environments, variants })

/** Validates a constraint on the server. Rejects with ApiError 400 if the constraint is invalid. */
export const checkConstraint = (constraint: ConstraintInput) =>
  call<void>('POST', '/api/admin/constraints/validate', constraint)

/** Calculates how an unsaved edit would change the results for recent traffic. `signal` aborts the request. */
export const fetchImpact = (place: FlagEnvironment, edit: FlagEdit, signal: AbortSignal) =>
  postQuery<Impact>(`${getFlagEnvironmentPath(place)}/impact`, edit, signal)
