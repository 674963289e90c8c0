import type { Payload } from '@burgee/protocol/feature'
import type { Compilation } from './compilation.ts'
import { type CompiledDependency, compileDependencies, type FindParent, reasonOf } from './dependencies.ts'
import { type EvaluatedVariant, type Evaluation, NO_VARIANT, type VariantSource } from './evaluation.ts'
import { isRaw, type Raw } from './raw-value.ts'
import type { Request } from './request.ts'
import { type CompiledStrategy, compileStrategy, type FindSegment, isFlawed, isMet } from './strategy.ts'
import { compileVariants, type VariantChoice } from './variants.ts'

/** Number of the outcome of a flag that is off: its place in the list of {@link outcomesOf}. */
export const OFF = 0
/** Number of the outcome of a flag that is on without a variant. The ones that follow are its variants. */
export const ON = 1
/** Outcomes are numbered in 16 bits. */
const MOST_OUTCOMES = 2 ** 16

/** A strategy of a flag, with the outcomes that its variants lead to. */
export interface FlagStrategy {
  readonly strategy: CompiledStrategy
  /** Number of the outcome by index of the variant; undefined for a variant without a name, which nobody gets. */
  readonly outcomes: readonly (number | undefined)[]
}

/** One flag, everything parsed and every possible evaluation made; `decide` only picks. */
export interface CompiledFeature {
  readonly name: string
  readonly definition: Raw
  /** The definition's switch, for all contexts. */
  readonly isOn: boolean
  /** Undefined when strategies are no list: then the flag is off. */
  readonly strategies: readonly FlagStrategy[] | undefined
  readonly dependencies: readonly CompiledDependency[]
  readonly variants: VariantChoice | undefined
  /** As in {@link FlagStrategy}, for the flag's own variants. */
  readonly variantOutcomes: readonly (number | undefined)[]
  /** Every evaluation the flag can have, by number. */
  readonly outcomes: readonly Evaluation[]
}

/**
 * Compiles one flag. Malformed parts never hold and are warned about. Throws nothing on JSON.
 *
 * @param known the flag's outcomes, where an equal definition was compiled before
 */
function compileFeature(
  name: string,
  definition: Raw,
  find: FindSegment,
  compilation: Compilation,
  known?: readonly Evaluation[],
): CompiledFeature {
  const variants = compileFeatureVariants(name, definition.variants, compilation)
  const outcomes = known ?? outcomesOf(name, definition)
  const number = numbersFrom(ON + 1)
  const strategies = compileStrategies(definition, find, compilation)
  const isOffByFlaw = compilation.profile.isFlagOffByFlaw && strategies?.some(isFlawed) === true
  if (isOffByFlaw) compilation.warn('is off, because a part of it cannot be evaluated')
  return {
    ...{ name, definition, outcomes, variants },
    isOn: Boolean(definition.enabled) && !isOffByFlaw,
    strategies: strategies?.map((strategy) => ({ strategy, outcomes: number(strategy.variants) })),
    dependencies: compileDependencies(definition.dependencies, compilation),
    variantOutcomes: number(variants),
  }
}

/** As {@link compileFeature}; a flag whose compilation throws is off for everybody and is warned about. */
export function compileSafely(
  name: string,
  definition: Raw,
  find: FindSegment,
  compilation: Compilation,
  known?: readonly Evaluation[],
): CompiledFeature {
  try {
    return compileFeature(name, definition, find, compilation, known)
  } catch (error) {
    compilation.warn(`cannot be compiled: ${error}`)
    const outcomes = Object.freeze([evaluationOf(name, definition, false), evaluationOf(name, definition, true)])
    const nothing = { strategies: undefined, dependencies: [], variants: undefined, variantOutcomes: [] }
    return { ...{ name, definition, isOn: false, outcomes }, ...nothing }
  }
}

/**
 * Every evaluation that a definition can lead to: off, on, then the variants that have a name, those of its strategies
 * first. Frozen. Throws nothing on JSON.
 */
function outcomesOf(name: string, definition: Raw): readonly Evaluation[] {
  const outcomes = [evaluationOf(name, definition, false), evaluationOf(name, definition, true)]
  const add = (list: unknown, source: VariantSource) => {
    if (!Array.isArray(list)) return
    for (const item of list.filter(isRaw)) {
      const variant = evaluatedVariant(item)
      if (variant) outcomes.push(evaluationOf(name, definition, true, variant, source))
    }
  }
  const strategies: unknown[] = Array.isArray(definition.strategies) ? definition.strategies : []
  for (const strategy of strategies) if (isRaw(strategy)) add(strategy.variants, 'strategy')
  add(definition.variants, 'feature')
  return Object.freeze(outcomes)
}

/** Numbers the variants of one list after the other, in the order of {@link outcomesOf}. */
function numbersFrom(first: number): (choice: VariantChoice | undefined) => (number | undefined)[] {
  let next = first
  return (choice) =>
    (choice?.definitions ?? []).map(({ name }) => {
      if (typeof name !== 'string') return undefined
      // counted here, for outcomes may be those of an equal definition that could not be compiled either
      if (next === MOST_OUTCOMES) throw new RangeError(`more than ${MOST_OUTCOMES - 2} variants`)
      next += 1
      return next - 1
    })
}

/**
 * Decides one flag: dependencies, switch, strategies in order, variant of the first strategy that holds, else of the
 * flag. Answers the number of the outcome. Throws nothing. Source: client-specification 01, 07, 16, 17.
 */
export function decide(feature: CompiledFeature, request: Request, findParent: FindParent): number {
  const { strategies } = feature
  if (!feature.isOn || !strategies) return OFF
  for (const dependency of feature.dependencies)
    if (reasonOf(dependency, request, findParent) !== 'satisfied') return OFF
  if (strategies.length === 0) return withFeatureVariant(feature, request)
  const first = strategies.find(({ strategy }) => isMet(strategy, request))
  if (!first) return OFF
  const chosen = first.strategy.variants?.choose(request) ?? -1
  return first.outcomes[chosen] ?? withFeatureVariant(feature, request)
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

/** Returns the variant that a flag would have if it were on, by name; undefined for none. */
export function variantIfOn(feature: CompiledFeature, request: Request): string | undefined {
  const first = feature.strategies?.find(({ strategy }) => isMet(strategy, request))
  const chosen = first?.strategy.variants?.choose(request) ?? -1
  const outcome = first?.outcomes[chosen] ?? withFeatureVariant(feature, request)
  return outcome === ON ? undefined : feature.outcomes[outcome]?.variant.name
}

function withFeatureVariant(feature: CompiledFeature, request: Request): number {
  const chosen = feature.variants?.choose(request) ?? -1
  return feature.variantOutcomes[chosen] ?? ON
}

function compileStrategies(
  definition: Raw,
  find: FindSegment,
  compilation: Compilation,
): CompiledStrategy[] | undefined {
  const list: unknown = definition.strategies
  if (!Array.isArray(list)) {
    compilation.warn('strategies are no list')
    return undefined
  }
  return list.map((item: unknown) => compileStrategy(item, find, compilation))
}

/** Variants of a flag stick as their first one says. */
function compileFeatureVariants(name: string, list: unknown, compilation: Compilation): VariantChoice | undefined {
  const first: unknown = Array.isArray(list) ? list[0] : undefined
  const stickiness = isRaw(first) ? (first.stickiness ?? undefined) : undefined
  return compileVariants(list, { source: 'feature', groupId: name, stickiness }, compilation)
}
