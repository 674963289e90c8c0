import type { Payload } from '@burgee/protocol/feature'
import type { Compilation } from './compilation.ts'
import { type CompiledDependency, checkDependency, compileDependencies, type FindParent } from './dependencies.ts'
import { type EvaluatedVariant, type Evaluation, NO_VARIANT, type VariantSource } from './evaluation.ts'
import { isRaw, type Raw } from './raw-value.ts'
import type { Request } from './request.ts'
import { type CompiledStrategy, compileStrategy, type FindSegment, isFlawed, isMet } from './strategy.ts'
import { compileVariants, type VariantChoice } from './variants.ts'

/** Outcome of a flag that is off: its index in the list of {@link buildOutcomes}. */
export const OFF = 0
/** Outcome of a flag that is on without a variant. The following outcomes are those with a variant. */
export const ON = 1
/** Maximum number of outcomes, because outcomes are 16-bit numbers. */
const MAX_OUTCOMES = 2 ** 16

/** Strategy of a flag, with the outcomes of its variants. */
export interface FlagStrategy {
  readonly strategy: CompiledStrategy
  /** Outcome for each variant, by index; undefined for a variant without a name, which is never returned. */
  readonly outcomes: readonly (number | undefined)[]
}

/**
 * Compiled flag. All parts are parsed and all possible evaluations are created in advance, so that `decide` only
 * selects one.
 */
export interface CompiledFeature {
  readonly name: string
  readonly definition: Raw
  /** The switch of the flag, which applies to all contexts. */
  readonly isOn: boolean
  /** Strategies in order. Undefined if the definition contains no list of strategies, in which case the flag is off. */
  readonly strategies: readonly FlagStrategy[] | undefined
  readonly dependencies: readonly CompiledDependency[]
  readonly variants: VariantChoice | undefined
  /** Outcomes of the variants of the flag itself, in the same form as {@link FlagStrategy.outcomes}. */
  readonly variantOutcomes: readonly (number | undefined)[]
  /** All possible evaluations, by outcome. */
  readonly outcomes: readonly Evaluation[]
}

/**
 * Compiles one flag. Malformed parts of the definition never hold and cause warnings. Throws RangeError if there are
 * too many variants.
 *
 * @param known outcomes of the flag, if they are known from an equal definition that was compiled before
 */
function compileFeature(
  name: string,
  definition: Raw,
  find: FindSegment,
  compilation: Compilation,
  known?: readonly Evaluation[],
): CompiledFeature {
  const variants = compileFeatureVariants(name, definition.variants, compilation)
  const outcomes = known ?? buildOutcomes(name, definition)
  const number = createNumbering(ON + 1)
  const strategies = compileStrategies(definition, find, compilation)
  const isOffByFlaw = compilation.profile.isFlagOffByFlaw && strategies?.some(isFlawed) === true
  if (isOffByFlaw) compilation.warn('is off, because a part of it cannot be evaluated')
  return {
    name,
    definition,
    outcomes,
    variants,
    isOn: Boolean(definition.enabled) && !isOffByFlaw,
    strategies: strategies?.map((strategy) => ({ strategy, outcomes: number(strategy.variants) })),
    dependencies: compileDependencies(definition.dependencies, compilation),
    variantOutcomes: number(variants),
  }
}

/** Compiles like {@link compileFeature}. A flag whose compilation throws is off for everyone and causes a warning. */
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
    const outcomes = Object.freeze([
      createEvaluation(name, definition, false),
      createEvaluation(name, definition, true),
    ])
    const nothing = { strategies: undefined, dependencies: [], variants: undefined, variantOutcomes: [] }
    return { name, definition, isOn: false, outcomes, ...nothing }
  }
}

/**
 * Creates every possible evaluation of a definition: off, on, then the named variants. Variants of strategies precede
 * the variants of the flag itself. The list is frozen. Never throws for a definition parsed from JSON.
 */
function buildOutcomes(name: string, definition: Raw): readonly Evaluation[] {
  const outcomes = [createEvaluation(name, definition, false), createEvaluation(name, definition, true)]
  const add = (list: unknown, source: VariantSource) => {
    if (!Array.isArray(list)) return
    for (const item of list.filter(isRaw)) {
      const variant = toEvaluatedVariant(item)
      if (variant) outcomes.push(createEvaluation(name, definition, true, variant, source))
    }
  }
  const strategies: unknown[] = Array.isArray(definition.strategies) ? definition.strategies : []
  for (const strategy of strategies) if (isRaw(strategy)) add(strategy.variants, 'strategy')
  add(definition.variants, 'feature')
  return Object.freeze(outcomes)
}

/** Numbers the variants of successive lists, in the order of {@link buildOutcomes}. */
function createNumbering(first: number): (choice: VariantChoice | undefined) => (number | undefined)[] {
  let next = first
  return (choice) =>
    (choice?.definitions ?? []).map(({ name }) => {
      if (typeof name !== 'string') return undefined
      // check here, because the outcomes may come from an equal definition whose compilation also failed
      if (next === MAX_OUTCOMES) throw new RangeError(`more than ${MAX_OUTCOMES - 2} variants`)
      next += 1
      return next - 1
    })
}

/**
 * Decides one flag and returns its outcome. Checks the switch, the dependencies, and the strategies in order. The
 * variant comes from the first strategy that matches or, if that strategy yields none, from the flag. Never throws.
 * Source: client-specification 01, 07, 16, 17.
 */
export function decide(feature: CompiledFeature, request: Request, findParent: FindParent): number {
  const { strategies } = feature
  if (!feature.isOn || !strategies) return OFF
  for (const dependency of feature.dependencies)
    if (checkDependency(dependency, request, findParent) !== 'satisfied') return OFF
  if (strategies.length === 0) return chooseFeatureVariant(feature, request)
  const first = strategies.find(({ strategy }) => isMet(strategy, request))
  if (!first) return OFF
  const chosen = first.strategy.variants?.choose(request) ?? -1
  return first.outcomes[chosen] ?? chooseFeatureVariant(feature, request)
}

/** Creates an evaluation, by default without a variant. Frozen. */
export function createEvaluation(
  name: string,
  definition: Raw | undefined,
  enabled: boolean,
  variant: EvaluatedVariant = NO_VARIANT,
  variantSource?: VariantSource,
): Evaluation {
  const impressionData = definition?.impressionData as boolean | null | undefined
  return Object.freeze({ name, enabled, variant, variantSource, impressionData, known: definition !== undefined })
}

/**
 * Returns the variant in the form that applications receive; undefined if the variant's definition has no name. The
 * result is frozen.
 */
export function toEvaluatedVariant(definition: Raw | undefined): EvaluatedVariant | undefined {
  const name = definition?.name
  if (typeof name !== 'string') return undefined
  const payload = definition?.payload as Payload | undefined
  return Object.freeze({ name, enabled: true, ...(payload !== undefined && { payload }) })
}

/** Returns the name of the variant that the flag would have if it were on; undefined for none. */
export function findVariantIfOn(feature: CompiledFeature, request: Request): string | undefined {
  const first = feature.strategies?.find(({ strategy }) => isMet(strategy, request))
  const chosen = first?.strategy.variants?.choose(request) ?? -1
  const outcome = first?.outcomes[chosen] ?? chooseFeatureVariant(feature, request)
  return outcome === ON ? undefined : feature.outcomes[outcome]?.variant.name
}

function chooseFeatureVariant(feature: CompiledFeature, request: Request): number {
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
    compilation.warn('strategies are not a list')
    return undefined
  }
  return list.map((item: unknown) => compileStrategy(item, find, compilation))
}

/** Compiles the variants of a flag. The stickiness of the first variant applies to all variants. */
function compileFeatureVariants(name: string, list: unknown, compilation: Compilation): VariantChoice | undefined {
  const first: unknown = Array.isArray(list) ? list[0] : undefined
  const stickiness = isRaw(first) ? (first.stickiness ?? undefined) : undefined
  return compileVariants(list, { source: 'feature', groupId: name, stickiness }, compilation)
}
