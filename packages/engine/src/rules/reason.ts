import { ALWAYS } from './compilation.ts'
import { reasonOf as dependencyReason, type FindParent } from './dependencies.ts'
import type { CompiledFeature } from './feature.ts'
import type { Request } from './request.ts'
import { type CompiledStrategy, isInSegment } from './strategy.ts'
import type { VariantChoice } from './variants.ts'

/** How a flag was decided, true or false alike, by number. Source: OFREP 0.3.0, `reason`. */
export const REASONS = ['ERROR', 'DISABLED', 'STATIC', 'TARGETING_MATCH', 'SPLIT'] as const

/** It cannot be compiled, and is off. */
export const BROKEN = 0
/** Off for everybody, by its own switch. */
export const DISABLED = 1
/** Nothing of the request was looked at. */
export const STATIC = 2
/** Constraints, segments, a strategy that looks at the request, or a parent. */
export const TARGETING = 3
/** A percentage below 100, or variants by weight. */
export const SPLIT = 4

const WHOLE = 100

/** The reason of a flag that is the same for everybody, as `isHeld` says on or off, parents aside. */
export function constantReason(feature: CompiledFeature, isHeld: boolean): number {
  if (!feature.strategies) return BROKEN
  if (!feature.isOn) return DISABLED
  const least = feature.dependencies.length > 0 ? TARGETING : STATIC
  if (isHeld) return least
  return feature.strategies.reduce((most, { strategy }) => Math.max(most, reasonToRefuse(strategy)), least)
}

/** What a strategy may turn somebody away by. */
function reasonToRefuse(strategy: CompiledStrategy): number {
  if (isPartial(strategy)) return SPLIT
  return looksAtRequest(strategy) ? TARGETING : STATIC
}

/**
 * How a flag is decided, in the plainest way: by the strategy that let the request in, else by what turned it away.
 * Chance is asked again: where it decides, the reason is SPLIT whatever it says.
 */
export function reasonFor(feature: CompiledFeature, request: Request, findParent: FindParent): number {
  const { strategies, dependencies } = feature
  if (!strategies) return BROKEN
  if (!feature.isOn) return DISABLED
  if (dependencies.some((one) => dependencyReason(one, request, findParent) !== 'satisfied')) return TARGETING
  const least = dependencies.length > 0 ? TARGETING : STATIC
  if (strategies.length === 0) return isWeighted(feature.variants) ? SPLIT : least
  let most = least
  for (const { strategy } of strategies) {
    if (holds(strategy, request)) {
      if (isPartial(strategy) || isWeighted(strategy.variants ?? feature.variants)) return SPLIT
      return looksAtRequest(strategy) ? TARGETING : most
    }
    most = Math.max(most, refusalOf(strategy, request))
  }
  return most
}

function holds(strategy: CompiledStrategy, request: Request): boolean {
  return meetsConditions(strategy, request) && (isChance(strategy, request) || strategy.own.test(request))
}

function refusalOf(strategy: CompiledStrategy, request: Request): number {
  if (meetsConditions(strategy, request)) return reasonToRefuse(strategy)
  return looksAtRequest(strategy) ? TARGETING : STATIC
}

function meetsConditions({ isValid, constraints, segments }: CompiledStrategy, request: Request): boolean {
  return (
    isValid &&
    constraints.every(({ test }) => test(request)) &&
    segments.every((segment) => segment === undefined || isInSegment(segment, request))
  )
}

function isPartial({ own }: CompiledStrategy): boolean {
  return own.rollout !== undefined && !(own.rollout.limit >= WHOLE)
}

/** At 100 % a field still decides: whoever has none of it is out. */
function looksAtRequest({ constraints, segments, own }: CompiledStrategy): boolean {
  if (constraints.length + segments.length > 0) return true
  return own.rollout === undefined ? own.test !== ALWAYS : !own.rollout.stickiness.drawsWithoutId
}

/** Whether chance could let the request in. */
function isChance({ own }: CompiledStrategy, request: Request): boolean {
  if (!(Number(own.rollout?.limit) >= 1)) return false
  const stickiness = own.rollout?.stickiness
  return stickiness?.drawsWithoutId === true && stickiness.id(request) === undefined
}

/** Whether more than one variant has a share. */
function isWeighted(choice: VariantChoice | undefined): boolean {
  return choice !== undefined && choice.total > 0 && choice.slices.length > 1
}
