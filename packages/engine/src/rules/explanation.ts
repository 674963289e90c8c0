import type { DependencyReason } from './dependencies.ts'
import type { EvaluatedVariant, VariantSource } from './evaluation.ts'
import type { Raw } from './raw-value.ts'
import type { RolloutDecision } from './rollout.ts'
import type { VariantDecision } from './variants.ts'

/** A constraint as defined, with what it came to, `inverted` included. */
export type ExplainedConstraint = Raw & { readonly result: boolean }

/** A segment of a strategy. One the document does not have has its id alone and is never true. */
export interface ExplainedSegment {
  readonly id: unknown
  readonly name: string | undefined
  readonly result: boolean
  readonly constraints: readonly ExplainedConstraint[]
}

/**
 * What a strategy came to: a plain boolean, or why there is none. `incomplete` is a strategy nobody implements here
 * (false when a constraint or segment fails anyway), `unevaluated` a disabled one. Source: spec "Playground response".
 */
export type StrategyResult =
  | boolean
  | { readonly evaluationStatus: 'incomplete' | 'unevaluated'; readonly enabled: false | 'unknown' }

/** One strategy of a flag, evaluated whether or not an earlier one already decided. */
export interface ExplainedStrategy {
  readonly name: string
  readonly id: string | undefined
  readonly title: string | undefined
  readonly disabled: boolean
  readonly parameters: Raw
  readonly result: StrategyResult
  readonly constraints: readonly ExplainedConstraint[]
  readonly segments: readonly ExplainedSegment[]
  /** The bucket and the limit, when a percentage decides; also when constraints fail. */
  readonly rollout?: RolloutDecision
  /** The variant the strategy's own list yields, and that list. */
  readonly variant?: EvaluatedVariant
  readonly variants?: readonly Raw[]
  readonly variantDecision?: VariantDecision
}

/** One parent of a flag. */
export interface ExplainedDependency {
  readonly feature: string | undefined
  readonly satisfied: boolean
  readonly reason: DependencyReason
  /** What a client would get for the parent; absent when the document does not have it. */
  readonly parent?: { readonly enabled: boolean; readonly variant: EvaluatedVariant }
}

/** Why a flag is what it is for one context. Source: spec "Playground response". */
export interface Explanation {
  readonly name: string
  /** False when the document has no flag of this name. */
  readonly known: boolean
  /** What a client would get: disabled strategies never reach it, and a flag with no other ones is off. */
  readonly isEnabled: boolean
  /** The definition's switch. */
  readonly enabledInEnvironment: boolean
  /** Over all strategies, whatever the switch and the parents say; `unknown` when one cannot tell and none is true. */
  readonly result: boolean | 'unknown'
  readonly hasUnsatisfiedDependency: boolean
  readonly dependencies: readonly ExplainedDependency[]
  readonly variant: EvaluatedVariant
  readonly variantSource: VariantSource | undefined
  /** The definitions that apply: the deciding strategy's when they yielded the variant, else the flag's. */
  readonly variants: readonly Raw[]
  readonly strategies: readonly ExplainedStrategy[]
  /** How the variant came about; absent when the flag is off or has no variants. */
  readonly variantDecision?: VariantDecision
}
