import { ALWAYS } from './compilation.ts'
import { checkDependency as dependencyReason, type FindParent } from './dependencies.ts'
import type { CompiledFeature } from './feature.ts'
import type { Request } from './request.ts'
import { type CompiledStrategy, isInSegment } from './strategy.ts'
import type { VariantChoice } from './variants.ts'

/** Reasons of a decision, on or off, by number. Source: OFREP 0.3.0, `reason`. */
export const REASONS = ['ERROR', 'DISABLED', 'STATIC', 'TARGETING_MATCH', 'SPLIT'] as const

/** The flag cannot be compiled and is off. */
export const BROKEN = 0
/** The flag's switch is off. */
export const DISABLED = 1
/** The decision does not depend on the request. */
export const STATIC = 2
/** Decided by constraints, segments, a parent, or a strategy that reads the request. */
export const TARGETING = 3
/** Decided by a percentage below 100, or by the weights of variants. */
export const SPLIT = 4

const FULL_PERCENTAGE = 100

/** Returns the reason for a flag whose result is constant, ignoring parents. `isEnabled` is true if the flag is on. */
export function getConstantReason(feature: CompiledFeature, isEnabled: boolean): number {
  if (!feature.strategies) return BROKEN
  if (!feature.isOn) return DISABLED
  const least = feature.dependencies.length > 0 ? TARGETING : STATIC
  if (isEnabled) return least
  return feature.strategies.reduce((most, { strategy }) => Math.max(most, getExclusionReason(strategy)), least)
}

/** Returns the strongest of the reasons why a strategy can exclude a request. */
function getExclusionReason(strategy: CompiledStrategy): number {
  if (isPartial(strategy)) return SPLIT
  return readsRequest(strategy) ? TARGETING : STATIC
}

/**
 * Returns the reason for a decision by evaluating the flag again: the reason of the strategy that matched or, if none
 * matched, the strongest reason for an exclusion. Random numbers are drawn again in the process. This does not change
 * the result, because a random decision has the reason SPLIT in either case.
 */
export function getReason(feature: CompiledFeature, request: Request, findParent: FindParent): number {
  const { strategies, dependencies } = feature
  if (!strategies) return BROKEN
  if (!feature.isOn) return DISABLED
  if (dependencies.some((one) => dependencyReason(one, request, findParent) !== 'satisfied')) return TARGETING
  const least = dependencies.length > 0 ? TARGETING : STATIC
  if (strategies.length === 0) return isWeighted(feature.variants) ? SPLIT : least
  let most = least
  for (const { strategy } of strategies) {
    if (matchesRequest(strategy, request)) {
      if (isPartial(strategy) || isWeighted(strategy.variants ?? feature.variants)) return SPLIT
      return readsRequest(strategy) ? TARGETING : most
    }
    most = Math.max(most, getRefusalReason(strategy, request))
  }
  return most
}

function matchesRequest(strategy: CompiledStrategy, request: Request): boolean {
  return meetsConditions(strategy, request) && (mayIncludeByChance(strategy, request) || strategy.own.test(request))
}

function getRefusalReason(strategy: CompiledStrategy, request: Request): number {
  if (meetsConditions(strategy, request)) return getExclusionReason(strategy)
  return readsRequest(strategy) ? TARGETING : STATIC
}

function meetsConditions({ isValid, constraints, segments }: CompiledStrategy, request: Request): boolean {
  return (
    isValid &&
    constraints.every(({ test }) => test(request)) &&
    segments.every((segment) => segment === undefined || isInSegment(segment, request))
  )
}

function isPartial({ own }: CompiledStrategy): boolean {
  return own.rollout !== undefined && !(own.rollout.limit >= FULL_PERCENTAGE)
}

/**
 * Returns true if the strategy's result depends on the request. This includes a percentage of 100 by a context field,
 * because contexts without the field are excluded.
 */
function readsRequest({ constraints, segments, own }: CompiledStrategy): boolean {
  if (constraints.length + segments.length > 0) return true
  return own.rollout === undefined ? own.test !== ALWAYS : !own.rollout.stickiness.drawsWithoutId
}

/** Returns true if the strategy can include the request at random. */
function mayIncludeByChance({ own }: CompiledStrategy, request: Request): boolean {
  if (!(Number(own.rollout?.limit) >= 1)) return false
  const stickiness = own.rollout?.stickiness
  return stickiness?.drawsWithoutId === true && stickiness.id(request) === undefined
}

/** Returns true if more than one variant is possible. */
function isWeighted(choice: VariantChoice | undefined): boolean {
  return choice !== undefined && choice.total > 0 && choice.isVaried
}
