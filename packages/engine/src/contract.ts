import type { Context } from '@burgee/protocol/context'
import type { EvaluationProfile } from '@burgee/protocol/evaluation-profile'
import type { CompileWarning, CustomStrategy } from './rules/compilation.ts'
import type { Evaluation } from './rules/evaluation.ts'
import type { Explanation } from './rules/explanation.ts'

/** What a document is compiled with. Time, chance and the host are arguments: the engine reads nothing by itself. */
export interface CompileOptions {
  /** Strategies of the operator's own; they precede built-in ones of the same name, the last of a name wins. */
  readonly strategies?: readonly CustomStrategy[] | undefined
  /** Now, in milliseconds since 1970, for contexts without `currentTime`. `Date.now` by default. */
  readonly clock?: (() => number) | undefined
  /** A number from 0 up to, not including, 1; drawn once per random decision. `Math.random` by default. */
  readonly random?: (() => number) | undefined
  /** Name of this host for the strategy `applicationHostname`, which is false without it. */
  readonly hostname?: string | undefined
  /** How flags are decided where SDKs differ; `node` by default. */
  readonly profile?: EvaluationProfile | undefined
  /**
   * False: flags are walked as they are defined, nothing is shared, folded or remembered, and `keyOf` knows no key. That is
   * slow, but quick to compile where flags are only explained; and the fast form is tested against it. True by default.
   */
  readonly caches?: boolean | undefined
  /**
   * Which flags callers may see: the others are unknown to whoever asks, and there for the flags that depend on them.
   * All by default.
   */
  readonly isListed?: ((definition: Readonly<Record<string, unknown>>) => boolean) | undefined
  /** Hears of custom strategies that throw or answer no boolean. What it throws is dropped. */
  readonly onError?: ((error: unknown, strategy: string) => void) | undefined
}

/** What is compiled: the body of `GET /api/client/features`, as it came, whatever it holds. */
export interface FeatureDocument {
  readonly features: readonly unknown[]
  readonly segments?: readonly unknown[] | undefined
}

/**
 * Flags of one document, ready to be asked. Immutable; asking throws nothing, whatever the context holds.
 *
 * A flag has a fixed list of possible evaluations, and deciding it picks one of them by number. Flags are numbered as
 * in `names`.
 */
export interface Engine {
  /** Names of all listed flags: integer-like ones first, ascending, then as the document lists them. */
  readonly names: readonly string[]
  /** Number of a flag; -1 when the document has none of this name. */
  indexOf(name: string): number
  /**
   * Every evaluation that flag `names[index]` can have, by number: 0 is off, 1 is on without a variant, then its
   * variants. Empty when there is no such flag. Frozen; the same array as long as the flag's definition stays the same
   * over any number of incremental compilations.
   */
  outcomesOf(index: number): readonly Evaluation[]
  /**
   * All flags for one context: entry i is the number of the outcome of flag i. Every flag is decided once, also as a
   * parent. The list belongs to the engine, is valid until its next call and may be longer than `names`.
   */
  decideAll(context: Context): Uint16Array
  /**
   * Some flags, by number, for one context: entry i is the number of the outcome of flag `indexes[i]`, 0 where there is
   * no such flag. Every flag is decided once, also when it is listed twice. The list belongs to the engine, is valid
   * until its next call and may be longer than `indexes`.
   */
  decideSome(indexes: ArrayLike<number>, context: Context): Uint16Array
  /** One flag, by number: the number of its outcome; 0 when there is no such flag. */
  decideAt(index: number, context: Context): number
  /**
   * How flag `names[index]` came to this outcome in the call of `decideAll` or `decideAt` that was the engine's last:
   * its number in `REASONS`.
   */
  reasonOf(index: number, outcome: number): number
  /**
   * Contexts with the same key have the same outcomes in this engine. Made of what some flag reads; undefined when
   * chance or a custom strategy could decide for this context, and when the key would be long.
   */
  keyOf(context: Context): string | undefined
  /** One flag for one context; one that the document does not have is off, with `known: false`. */
  evaluate(name: string, context: Context): Evaluation
  /** All flags, on and off, in the order of `names`. Every flag is decided once, also as a parent. */
  evaluateAll(context: Context): Evaluation[]
  /** Why one flag is what it is: every strategy, constraint, segment, parent, bucket and limit. */
  explain(name: string, context: Context): Explanation
}

/** A compiled document, and the parts of it that cannot work. */
export interface Compiled {
  readonly engine: Engine
  readonly warnings: CompileWarning[]
}
