import { compileStrategyTest, type StrategyTest } from './built-in-strategies.ts'
import type { Compilation } from './compilation.ts'
import { type CompiledConstraint, compileConstraints } from './constraints.ts'
import { isRaw, type Raw, textOf } from './raw-value.ts'
import type { Request } from './request.ts'
import { compileVariants, type VariantChoice } from './variants.ts'

/** A segment, compiled once and shared by the strategies that name it. */
export interface CompiledSegment {
  readonly definition: Raw
  readonly constraints: readonly CompiledConstraint[]
  /** False when its constraints are no list: then it never holds. */
  readonly isValid: boolean
}

/** One strategy of a flag: all own constraints, all segments, its own test; and its variants. */
export interface CompiledStrategy {
  readonly definition: Raw
  readonly constraints: readonly CompiledConstraint[]
  /** By id, in order; undefined for an id the document does not have. */
  readonly segments: readonly (CompiledSegment | undefined)[]
  /** False when constraints or segments are malformed or missing: then the strategy never holds. */
  readonly isValid: boolean
  readonly own: StrategyTest
  readonly variants: VariantChoice | undefined
}

/** A segment by id, strictly: 1 is not "1". */
export type FindSegment = (id: unknown) => CompiledSegment | undefined

/** Compiles one segment. What is malformed never holds and is warned about. Throws nothing. */
export function compileSegment(definition: Raw, compilation: Compilation): CompiledSegment {
  const warn = (message: string) => compilation.warn(`segment ${textOf(definition.id) ?? 'without id'}: ${message}`)
  const constraints = compileConstraints(definition.constraints, { ...compilation, warn })
  return { definition, constraints: constraints ?? [], isValid: constraints !== undefined }
}

/** Compiles one strategy. Whatever is malformed never holds and is warned about. Throws nothing. */
export function compileStrategy(strategy: unknown, find: FindSegment, compilation: Compilation): CompiledStrategy {
  const definition = isRaw(strategy) ? strategy : {}
  const parameters = isRaw(definition.parameters) ? definition.parameters : {}
  const constraints = compileConstraints(definition.constraints, compilation)
  const named = namedSegments(definition.segments, find, compilation)
  return {
    definition,
    constraints: constraints ?? [],
    segments: named ?? [],
    isValid: constraints !== undefined && named?.every((segment) => segment?.isValid) === true,
    own: compileStrategyTest(textOf(definition.name) ?? '', definition.parameters, compilation),
    variants: compileStrategyVariants(definition.variants, parameters, compilation),
  }
}

/** True if a part of the strategy is missing or cannot be evaluated, so that it never holds. */
export function isFlawed({ isValid, constraints, segments, own }: CompiledStrategy): boolean {
  if (!isValid || own.rollout?.isFlawed) return true
  const conditions = [...constraints, ...segments.flatMap((segment) => segment?.constraints ?? [])]
  return conditions.some(({ subject }) => subject === undefined)
}

/** True when the strategy lets the request in. Throws nothing. Source: client-specification 07, 09, 15. */
export function isMet(strategy: CompiledStrategy, request: Request): boolean {
  if (!strategy.isValid) return false
  for (const constraint of strategy.constraints) if (!constraint.test(request)) return false
  for (const segment of strategy.segments) if (segment && !isInSegment(segment, request)) return false
  return strategy.own.test(request)
}

/** True when all constraints of a segment hold; a segment without constraints holds. Throws nothing. */
export function isInSegment(segment: CompiledSegment, request: Request): boolean {
  return segment.isValid && segment.constraints.every((constraint) => constraint.test(request))
}

function namedSegments(ids: unknown, find: FindSegment, compilation: Compilation) {
  if (ids === null || ids === undefined) return []
  if (!Array.isArray(ids)) {
    compilation.warn('segments of a strategy are no list')
    return undefined
  }
  return ids.map((id: unknown) => {
    const segment = find(id)
    if (!segment) compilation.warn(`segment ${textOf(id) ?? 'without id'} does not exist`)
    return segment
  })
}

/** Compiles the variants of a strategy, with group and stickiness by the profile. Source: client-specification 16. */
function compileStrategyVariants(list: unknown, parameters: Raw, compilation: Compilation): VariantChoice | undefined {
  const first: unknown = Array.isArray(list) ? list[0] : undefined
  const rule = compilation.profile.strategyVariants(parameters, isRaw(first) ? first : undefined, compilation.flag)
  return compileVariants(list, { source: 'strategy', groupId: rule.groupId, stickiness: rule.stickiness }, compilation)
}
