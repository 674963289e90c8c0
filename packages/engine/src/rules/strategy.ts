import { compileStrategyTest, type StrategyTest } from './built-in-strategies.ts'
import type { Compilation } from './compilation.ts'
import { type CompiledConstraint, compileConstraints } from './constraints.ts'
import { isRaw, type Raw, toText } from './raw-value.ts'
import type { Request } from './request.ts'
import { compileVariants, type VariantChoice } from './variants.ts'

/** Segment, compiled once and shared by the strategies that reference it. */
export interface CompiledSegment {
  readonly definition: Raw
  readonly constraints: readonly CompiledConstraint[]
  /** False if the constraints are not a list, in which case the segment never holds. */
  readonly isValid: boolean
}

/** Strategy of a flag: its constraints, segments, type-specific test and variants. */
export interface CompiledStrategy {
  readonly definition: Raw
  readonly constraints: readonly CompiledConstraint[]
  /** Segments by id, in order; undefined for an id that is missing in the document. */
  readonly segments: readonly (CompiledSegment | undefined)[]
  /** False if constraints or segments are malformed or missing, in which case the strategy never holds. */
  readonly isValid: boolean
  readonly own: StrategyTest
  readonly variants: VariantChoice | undefined
}

/** Finds a segment by its id, compared strictly: 1 is not "1". */
export type FindSegment = (id: unknown) => CompiledSegment | undefined

/** Compiles one segment. A malformed segment never holds and causes a warning. Never throws. */
export function compileSegment(definition: Raw, compilation: Compilation): CompiledSegment {
  const warn = (message: string) => compilation.warn(`segment ${toText(definition.id) ?? 'without id'}: ${message}`)
  const constraints = compileConstraints(definition.constraints, { ...compilation, warn })
  return { definition, constraints: constraints ?? [], isValid: constraints !== undefined }
}

/** Compiles one strategy. A malformed strategy never holds and causes a warning. Never throws. */
export function compileStrategy(strategy: unknown, find: FindSegment, compilation: Compilation): CompiledStrategy {
  const definition = isRaw(strategy) ? strategy : {}
  const parameters = isRaw(definition.parameters) ? definition.parameters : {}
  const constraints = compileConstraints(definition.constraints, compilation)
  const named = findSegments(definition.segments, find, compilation)
  return {
    definition,
    constraints: constraints ?? [],
    segments: named ?? [],
    isValid: constraints !== undefined && named?.every((segment) => segment?.isValid) === true,
    own: compileStrategyTest(toText(definition.name) ?? '', definition.parameters, compilation),
    variants: compileStrategyVariants(definition.variants, parameters, compilation),
  }
}

/** Returns true if the strategy never holds because a part of it is missing or invalid. */
export function isFlawed({ isValid, constraints, segments, own }: CompiledStrategy): boolean {
  if (!isValid || own.rollout?.isFlawed) return true
  const conditions = [...constraints, ...segments.flatMap((segment) => segment?.constraints ?? [])]
  return conditions.some(({ subject }) => subject === undefined)
}

/** Returns true if the strategy matches the request. Never throws. Source: client-specification 07, 09, 15. */
export function isMet(strategy: CompiledStrategy, request: Request): boolean {
  if (!strategy.isValid) return false
  for (const constraint of strategy.constraints) if (!constraint.test(request)) return false
  for (const segment of strategy.segments) if (segment && !isInSegment(segment, request)) return false
  return strategy.own.test(request)
}

/** Returns true if all constraints of a segment hold. A segment without constraints holds. Never throws. */
export function isInSegment(segment: CompiledSegment, request: Request): boolean {
  return segment.isValid && segment.constraints.every((constraint) => constraint.test(request))
}

function findSegments(ids: unknown, find: FindSegment, compilation: Compilation) {
  if (ids === null || ids === undefined) return []
  if (!Array.isArray(ids)) {
    compilation.warn('segments of a strategy are not a list')
    return undefined
  }
  return ids.map((id: unknown) => {
    const segment = find(id)
    if (!segment) compilation.warn(`segment ${toText(id) ?? 'without id'} does not exist`)
    return segment
  })
}

/**
 * Compiles the variants of a strategy. The profile determines group and stickiness. Source: client-specification 16.
 */
function compileStrategyVariants(list: unknown, parameters: Raw, compilation: Compilation): VariantChoice | undefined {
  const first: unknown = Array.isArray(list) ? list[0] : undefined
  const rule = compilation.profile.strategyVariants(parameters, isRaw(first) ? first : undefined, compilation.flag)
  return compileVariants(list, { source: 'strategy', groupId: rule.groupId, stickiness: rule.stickiness }, compilation)
}
