import type { DependencyReason } from './dependencies.ts'
import type { EvaluatedVariant, VariantSource } from './evaluation.ts'
import type { Raw } from './raw-value.ts'
import type { RolloutDecision } from './rollout.ts'
import type { VariantDecision } from './variants.ts'

/** Constraint as defined, plus its result after `inverted`. */
export type ExplainedConstraint = Raw & { readonly result: boolean }

/** Segment of a strategy. A segment that is missing in the document has only its id and never holds. */
export interface ExplainedSegment {
  readonly id: unknown
  readonly name: string | undefined
  readonly result: boolean
  readonly constraints: readonly ExplainedConstraint[]
}

/**
 * Result of a strategy: a boolean, or the reason why it has no result. `incomplete`: this server does not implement the
 * strategy (if a constraint or segment fails, the result is false instead). `unevaluated`: the strategy is disabled.
 * Source: spec "Playground response".
 */
export type StrategyResult =
  | boolean
  | { readonly evaluationStatus: 'incomplete' | 'unevaluated'; readonly enabled: false | 'unknown' }

/** Strategy of a flag. It is evaluated even if an earlier strategy has matched. */
export interface ExplainedStrategy {
  readonly name: string
  readonly id: string | undefined
  readonly title: string | undefined
  readonly disabled: boolean
  readonly parameters: Raw
  readonly result: StrategyResult
  readonly constraints: readonly ExplainedConstraint[]
  readonly segments: readonly ExplainedSegment[]
  /** Bucket and limit, if a percentage is part of the strategy, even if constraints fail; otherwise absent. */
  readonly rollout?: RolloutDecision
  /** Variant from the strategy's list of variants. */
  readonly variant?: EvaluatedVariant
  readonly variants?: readonly Raw[]
  readonly variantDecision?: VariantDecision
}

/** Parent of a flag. */
export interface ExplainedDependency {
  readonly feature: string | undefined
  readonly satisfied: boolean
  readonly reason: DependencyReason
  /**
   * Result that a client would get for the parent. Absent if the document does not contain the parent, or if the parent
   * itself has parents.
   */
  readonly parent?: { readonly enabled: boolean; readonly variant: EvaluatedVariant }
}

/** Explanation of a flag's result for one context. Source: spec "Playground response". */
export interface Explanation {
  readonly name: string
  /** False if the document contains no flag with this name. */
  readonly known: boolean
  /**
   * Result that a client would get. Clients never receive disabled strategies. A flag that has only disabled strategies
   * is off.
   */
  readonly isEnabled: boolean
  /** Value of `enabled` in the definition. */
  readonly enabledInEnvironment: boolean
  /**
   * Combined result of all strategies, regardless of the flag's switch and parents. `unknown` if no strategy is true
   * and at least one strategy cannot be evaluated.
   */
  readonly result: boolean | 'unknown'
  readonly hasUnsatisfiedDependency: boolean
  readonly dependencies: readonly ExplainedDependency[]
  readonly variant: EvaluatedVariant
  readonly variantSource: VariantSource | undefined
  /**
   * Variants that were considered: those of the deciding strategy if one was chosen from them, otherwise those of the
   * flag.
   */
  readonly variants: readonly Raw[]
  readonly strategies: readonly ExplainedStrategy[]
  /** Details of how the variant was chosen; absent if the flag is off or has no variants. */
  readonly variantDecision?: VariantDecision
}
