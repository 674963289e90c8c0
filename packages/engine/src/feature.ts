import type { Payload } from '@burgee/protocol/feature'
import { type CompiledDependency, compileDependencies, type FindParent, reasonOf } from './dependencies.ts'
import { type EvaluatedVariant, type Evaluation, NO_VARIANT, type VariantSource } from './evaluation.ts'
import type { Request } from './request.ts'
import type { Scope } from './scope.ts'
import { type CompiledSegment, type CompiledStrategy, compileStrategy, isMet } from './strategy.ts'
import { isRaw, type Raw } from './text.ts'
import { compileVariants, type VariantChoice } from './variants.ts'

/** A strategy with the evaluations its variants lead to. */
interface Way {
  readonly strategy: CompiledStrategy
  /** By index of the variant; undefined for a variant without a name, which nobody gets. */
  readonly outcomes: readonly (Evaluation | undefined)[]
}

/** One flag, everything parsed and every possible evaluation made; `decide` only picks. */
export interface CompiledFeature {
  readonly name: string
  readonly definition: Raw
  /** The definition's switch, for all contexts. */
  readonly isOn: boolean
  /** Undefined when strategies are no list: then the flag is off. */
  readonly ways: readonly Way[] | undefined
  readonly dependencies: readonly CompiledDependency[]
  readonly variants: VariantChoice | undefined
  readonly outcomes: readonly (Evaluation | undefined)[]
  readonly off: Evaluation
  readonly on: Evaluation
}

/** Compiles one flag. Malformed parts never hold and are warned about. Throws nothing on JSON. */
export function compileFeature(
  name: string,
  definition: Raw,
  segments: ReadonlyMap<unknown, CompiledSegment>,
  scope: Scope,
): CompiledFeature {
  const variants = compileFeatureVariants(name, definition.variants, scope)
  return {
    name,
    definition,
    isOn: Boolean(definition.enabled),
    ways: compileWays(name, definition, segments, scope),
    dependencies: compileDependencies(definition.dependencies, scope),
    variants,
    outcomes: variantOutcomes(name, definition, variants, 'feature'),
    off: evaluationOf(name, definition, false),
    on: evaluationOf(name, definition, true),
  }
}

/** A flag that could not be compiled: off for everybody. */
export function brokenFeature(name: string, definition: Raw): CompiledFeature {
  const off = evaluationOf(name, definition, false)
  return {
    ...{ name, definition, isOn: false, ways: undefined, dependencies: [], variants: undefined, outcomes: [] },
    ...{ off, on: off },
  }
}

/**
 * Decides one flag: dependencies, switch, strategies in order, variant of the first strategy that holds, else of the
 * flag. Throws nothing. Source: client-specification 01, 07, 16, 17.
 */
export function decide(feature: CompiledFeature, request: Request, find: FindParent): Evaluation {
  const { ways, off } = feature
  if (!feature.isOn || !ways) return off
  for (const dependency of feature.dependencies) if (reasonOf(dependency, request, find) !== 'satisfied') return off
  if (ways.length === 0) return withFeatureVariant(feature, request)
  const way = ways.find(({ strategy }) => isMet(strategy, request))
  if (!way) return off
  const chosen = way.strategy.variants?.choose(request) ?? -1
  return way.outcomes[chosen] ?? withFeatureVariant(feature, request)
}

/** An evaluation without a variant. Frozen. */
export function evaluationOf(
  name: string,
  definition: Raw | undefined,
  enabled: boolean,
  variant: EvaluatedVariant = NO_VARIANT,
  variantSource?: VariantSource,
): Evaluation {
  const impressionData = definition?.impressionData as boolean | null | undefined
  return Object.freeze({ name, enabled, variant, variantSource, impressionData, known: definition !== undefined })
}

/** What a variant's definition gives to the application; undefined when it has no name. Frozen. */
export function evaluatedVariant(definition: Raw | undefined): EvaluatedVariant | undefined {
  const name = definition?.name
  if (typeof name !== 'string') return undefined
  const payload = definition?.payload as Payload | undefined
  return Object.freeze({ name, enabled: true, ...(payload !== undefined && { payload }) })
}

function withFeatureVariant(feature: CompiledFeature, request: Request): Evaluation {
  const chosen = feature.variants?.choose(request) ?? -1
  return feature.outcomes[chosen] ?? feature.on
}

function compileWays(
  name: string,
  definition: Raw,
  segments: ReadonlyMap<unknown, CompiledSegment>,
  scope: Scope,
): Way[] | undefined {
  const list: unknown = definition.strategies
  if (!Array.isArray(list)) {
    scope.warn('strategies are no list')
    return undefined
  }
  return list.map((item: unknown) => {
    const strategy = compileStrategy(item, segments, scope)
    return { strategy, outcomes: variantOutcomes(name, definition, strategy.variants, 'strategy') }
  })
}

/** Variants of a flag stick as their first one says. */
function compileFeatureVariants(name: string, list: unknown, scope: Scope): VariantChoice | undefined {
  const first: unknown = Array.isArray(list) ? list[0] : undefined
  const stickiness = isRaw(first) ? (first.stickiness ?? undefined) : undefined
  return compileVariants(list, { source: 'feature', groupId: name, stickiness }, scope)
}

function variantOutcomes(name: string, definition: Raw, choice: VariantChoice | undefined, source: VariantSource) {
  return (choice?.definitions ?? []).map((variantDefinition) => {
    const variant = evaluatedVariant(variantDefinition)
    return variant && evaluationOf(name, definition, true, variant, source)
  })
}
