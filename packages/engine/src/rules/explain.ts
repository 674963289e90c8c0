import type { CompiledConstraint } from './constraints.ts'
import { checkDependency, type FindParent, type Parent } from './dependencies.ts'
import { type EvaluatedVariant, NO_VARIANT, type VariantSource } from './evaluation.ts'
import type {
  ExplainedConstraint,
  ExplainedDependency,
  ExplainedSegment,
  ExplainedStrategy,
  Explanation,
  StrategyResult,
} from './explanation.ts'
import { type CompiledFeature, findVariantIfOn, toEvaluatedVariant } from './feature.ts'
import { isRaw, type Raw, toText } from './raw-value.ts'
import type { Request } from './request.ts'
import { type CompiledSegment, type CompiledStrategy, isInSegment } from './strategy.ts'
import type { VariantChoice, VariantDecision } from './variants.ts'

/**
 * Evaluates one flag and records the reason of every part. Evaluates every strategy, even after one that matches. A
 * disabled strategy is listed as not evaluated, but its constraints and segments are evaluated.
 *
 * The result agrees with `decide` for flags without disabled strategies, unless chance is involved. Never throws.
 */
export function explainFeature(
  feature: CompiledFeature,
  request: Request,
  findFeature: (name: string) => CompiledFeature | undefined,
): Explanation {
  const strategies = feature.strategies?.map(({ strategy }) => explainStrategy(strategy, request))
  const dependencies = feature.dependencies.length === 0 ? NONE : explainDependencies(feature, request, findFeature)
  const hasUnsatisfiedDependency = dependencies.some(({ satisfied }) => !satisfied)
  const result = strategies ? combineResults(strategies, feature.isOn) : false
  const isEnabled = result === true && feature.isOn && !hasUnsatisfiedDependency
  const { variant, variantSource, variants, variantDecision } = explainOutcome(
    feature,
    isEnabled,
    strategies ?? NONE,
    request,
  )
  return {
    name: feature.name,
    known: true,
    isEnabled,
    enabledInEnvironment: feature.isOn,
    result,
    hasUnsatisfiedDependency,
    dependencies,
    variant,
    variantSource,
    variants,
    ...(variantDecision && { variantDecision }),
    strategies: strategies ?? NONE,
  }
}

const NONE: readonly never[] = Object.freeze([])

function explainDependencies(
  feature: CompiledFeature,
  request: Request,
  findFeature: (name: string) => CompiledFeature | undefined,
): ExplainedDependency[] {
  const find = createParentFinder(findFeature)
  return feature.dependencies.map((dependency) => {
    const reason = checkDependency(dependency, request, find)
    const parent = dependency.parent === undefined ? undefined : find(dependency.parent)
    const shown = parent && !parent.hasParents ? parent.decide(request) : undefined
    const { enabled, variant } = shown ?? { enabled: false, variant: NO_VARIANT }
    return {
      feature: dependency.parent,
      satisfied: reason === 'satisfied',
      reason,
      ...(shown && { parent: { enabled, variant } }),
    }
  })
}

/** Creates the explanation for a name that the document does not contain. */
export function explainUnknown(name: string): Explanation {
  return {
    name,
    known: false,
    isEnabled: false,
    enabledInEnvironment: false,
    result: false,
    hasUnsatisfiedDependency: false,
    dependencies: [],
    strategies: [],
    variant: NO_VARIANT,
    variantSource: undefined,
    variants: [],
  }
}

/**
 * Decides parents in the way that a client sees them. Each parent is decided only once, so that the reason is
 * consistent with the displayed result.
 */
function createParentFinder(findFeature: (name: string) => CompiledFeature | undefined): FindParent {
  const decided = new Map<string, ReturnType<Parent['decide']>>()
  return (name) => {
    const feature = findFeature(name)
    if (!feature) return undefined
    const decide = (request: Request) => {
      const known = decided.get(name)
      if (known) return known
      const { isEnabled, variant } = explainFeature(feature, request, findFeature)
      const decision = { enabled: isEnabled, variant }
      decided.set(name, decision)
      return decision
    }
    const hasParents = feature.dependencies.length > 0
    return { hasParents, decide, variantIfOn: (request) => findVariantIfOn(feature, request) }
  }
}

interface Outcome {
  readonly variant: EvaluatedVariant
  readonly variantSource: VariantSource | undefined
  readonly variants: readonly Raw[]
  readonly variantDecision?: VariantDecision
}

function explainOutcome(
  feature: CompiledFeature,
  isEnabled: boolean,
  strategies: readonly ExplainedStrategy[],
  request: Request,
): Outcome {
  const definitions = feature.variants?.definitions ?? NONE
  const none = { variant: NO_VARIANT, variantSource: undefined, variants: definitions }
  if (!isEnabled) return none
  const deciding = strategies.find(({ result }) => result === true)
  if (deciding?.variant) {
    const { variant, variants = [], variantDecision } = deciding
    return { variant, variantSource: 'strategy', variants, ...(variantDecision && { variantDecision }) }
  }
  const yielded = feature.variants && explainVariants(feature.variants, request)
  const variantDecision = yielded?.variantDecision ?? deciding?.variantDecision
  const { variant, variantSource } = yielded?.variant
    ? { variant: yielded.variant, variantSource: 'feature' as const }
    : none
  return { variant, variantSource, variants: definitions, ...(variantDecision && { variantDecision }) }
}

function explainStrategy(strategy: CompiledStrategy, request: Request): ExplainedStrategy {
  const { definition, own, isValid } = strategy
  const constraints = strategy.constraints.map((constraint) => explainConstraint(constraint, request))
  const ids = definition.segments
  const segments = strategy.segments.map((segment, i) =>
    explainSegment(segment, Array.isArray(ids) ? ids[i] : undefined, request),
  )
  const holds = isValid && constraints.every(isTrue) && segments.every(isTrue)
  const rollout = own.rollout?.explain(request)
  const disabled = Boolean(definition.disabled)
  const yielded = strategy.variants && explainVariants(strategy.variants, request)
  return {
    name: toText(definition.name) ?? '',
    id: toText(definition.id),
    title: toText(definition.title),
    disabled,
    parameters: isRaw(definition.parameters) ? definition.parameters : {},
    result: disabled ? UNEVALUATED : getStrategyResult(strategy, holds, () => rollout?.result ?? own.test(request)),
    constraints,
    segments,
    ...(rollout && { rollout: rollout.decision }),
    ...(yielded?.variant && { variant: yielded.variant, variants: strategy.variants?.definitions ?? NONE }),
    ...(yielded && { variantDecision: yielded.variantDecision }),
  }
}

function isTrue({ result }: { readonly result: boolean }): boolean {
  return result
}

const UNEVALUATED: StrategyResult = Object.freeze({ evaluationStatus: 'unevaluated', enabled: 'unknown' })

function getStrategyResult(strategy: CompiledStrategy, holds: boolean, test: () => boolean): StrategyResult {
  if (!strategy.own.isRunnable) return { evaluationStatus: 'incomplete', enabled: holds ? 'unknown' : false }
  return holds && test()
}

function combineResults(strategies: readonly ExplainedStrategy[], isOn: boolean): boolean | 'unknown' {
  if (strategies.length === 0) return isOn
  const results = strategies.map(({ result }) => (typeof result === 'boolean' ? result : result.enabled))
  if (results.includes(true)) return true
  return results.includes('unknown') ? 'unknown' : false
}

function explainConstraint({ definition, test }: CompiledConstraint, request: Request): ExplainedConstraint {
  return { ...definition, result: test(request) }
}

function explainSegment(segment: CompiledSegment | undefined, id: unknown, request: Request): ExplainedSegment {
  return {
    id,
    name: toText(segment?.definition.name),
    result: segment !== undefined && isInSegment(segment, request),
    constraints: segment?.constraints.map((constraint) => explainConstraint(constraint, request)) ?? NONE,
  }
}

function explainVariants(choice: VariantChoice, request: Request) {
  const { index, decision } = choice.explain(request)
  return { variant: toEvaluatedVariant(choice.definitions[index]), variantDecision: decision }
}
