import type { Context } from '@burgee/protocol/context'
import type { EvaluationProfile } from '@burgee/protocol/evaluation-profile'
import type { CompileWarning, CustomStrategy } from './rules/compilation.ts'
import type { Evaluation } from './rules/evaluation.ts'
import type { Explanation } from './rules/explanation.ts'

/** Compile options. The clock, randomness and hostname are arguments, because the engine reads no global state. */
export interface CompileOptions {
  /**
   * Custom strategies. A custom strategy overrides a built-in strategy of the same name; if names are duplicated, the
   * last strategy wins.
   */
  readonly strategies?: readonly CustomStrategy[] | undefined
  /** Returns the current time in milliseconds since 1970, for contexts without `currentTime`. Default: `Date.now`. */
  readonly clock?: (() => number) | undefined
  /** Returns a number in [0, 1); called once for each random decision. Default: `Math.random`. */
  readonly random?: (() => number) | undefined
  /** Name of this host for the `applicationHostname` strategy, which never matches without a name. */
  readonly hostname?: string | undefined
  /** Evaluation profile: rules for decisions in which SDKs differ. Default: `node`. */
  readonly profile?: EvaluationProfile | undefined
  /**
   * If false, flags are evaluated directly from their definitions, without sharing, constant folding or caching, and
   * `getCacheKey` returns undefined. Without caches, evaluation is slow but compilation is fast, which suits
   * explanations. Tests compare the default mode with this mode. Default: true.
   */
  readonly caches?: boolean | undefined
  /**
   * Selects the flags that callers can see. Other flags are unknown to callers, but still serve as parents. Default:
   * all.
   */
  readonly isListed?: ((definition: Readonly<Record<string, unknown>>) => boolean) | undefined
  /**
   * Called when a custom strategy throws or returns a value that is not boolean. Exceptions thrown by this callback are
   * ignored.
   */
  readonly onError?: ((error: unknown, strategy: string) => void) | undefined
}

/** Input of a compilation: the body of `GET /api/client/features` before validation. */
export interface FeatureDocument {
  readonly features: readonly unknown[]
  readonly segments?: readonly unknown[] | undefined
}

/**
 * Compiled flags of one document. Immutable. Evaluation never throws, whatever the context contains. Each flag has a
 * fixed list of possible evaluations, called outcomes. A decision is an index into that list. Flag indexes refer to
 * `names`.
 */
export interface Engine {
  /**
   * Names of all flags that callers can see. Integer-like names come first, in ascending order, then all other names in
   * document order.
   */
  readonly names: readonly string[]
  /** Returns the index of a flag, or -1 if the document has no flag of this name. */
  indexOf(name: string): number
  /**
   * Returns all possible evaluations of flag `names[index]`: 0 is off, 1 is on without a variant, and the rest are its
   * variants. Returns an empty list if there is no flag with this index. The list is frozen, and incremental
   * compilations reuse it until the definition of the flag changes.
   */
  getOutcomes(index: number): readonly Evaluation[]
  /**
   * Decides all flags for one context. Entry i is the outcome of flag i. A flag that is also a parent is decided only
   * once. The array belongs to the engine; it is valid until the next call of the engine, and may be longer than
   * `names`.
   */
  decideAll(context: Context): Uint16Array
  /**
   * Decides the given flags for one context. Entry i is the outcome of flag `indexes[i]`, or 0 if no flag has this
   * index. A flag that is listed twice is decided only once. The array belongs to the engine; it is valid until the
   * next call of the engine, and may be longer than `indexes`.
   */
  decideSome(indexes: ArrayLike<number>, context: Context): Uint16Array
  /** Returns the outcome of one flag; 0 if the flag does not exist. */
  decideAt(index: number, context: Context): number
  /**
   * Returns the reason, as an index into `REASONS`, for the outcome that flag `names[index]` got in the last call of
   * `decideAll` or `decideAt`.
   */
  getReason(index: number, outcome: number): number
  /**
   * Returns a cache key for a context. The engine returns the same outcomes for all contexts with the same cache key.
   * The key consists of the context values that decisions depend on. Returns undefined if chance or a custom strategy
   * could affect the result, or if the key would be too long.
   */
  getCacheKey(context: Context): string | undefined
  /** Evaluates one flag. A flag that the document does not contain is returned as off, with `known: false`. */
  evaluate(name: string, context: Context): Evaluation
  /**
   * Evaluates all flags, whether on or off, in the order of `names`. A flag that is also a parent is decided only once.
   */
  evaluateAll(context: Context): Evaluation[]
  /** Explains the result of one flag: every strategy, constraint, segment, parent, bucket and limit. */
  explain(name: string, context: Context): Explanation
}

/** Compiled document, with warnings about its unusable parts. */
export interface Compiled {
  readonly engine: Engine
  readonly warnings: CompileWarning[]
}
