import Type, { type Static } from 'typebox'
import { StrategyInput } from '../targeting/strategy.ts'
import { VariantInput } from '../targeting/variant.ts'

/** Schemas for the impact of an edit on recently seen front ends. Burgee extension. */

/** Minimum number of distinct people behind a published figure. Figures for fewer people are withheld. */
export const MIN_PEOPLE = 5

/** Body with an unsaved edit. Omitted parts stay unchanged. */
export const FlagEdit = Type.Object(
  {
    /** Strategy that replaces the strategy with this id or, if there is no such strategy, is appended. */
    strategy: Type.Optional(Type.Object({ ...StrategyInput.properties, id: Type.Optional(Type.String()) })),
    /** Id of a strategy to remove. */
    removeStrategy: Type.Optional(Type.String()),
    /**
     * Strategies that replace all strategies, in evaluation order. Must not be combined with `strategy` or
     * `removeStrategy`.
     */
    strategies: Type.Optional(Type.Array(StrategyInput, { maxItems: 1000 })),
    variants: Type.Optional(Type.Array(VariantInput, { maxItems: 500 })),
    enabled: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false, minProperties: 1 },
)
export type FlagEdit = Static<typeof FlagEdit>

/**
 * Number of evaluations. Null if the evaluations come from one to four distinct people; the number is withheld in this
 * case.
 */
const Figure = Type.Union([Type.Integer({ minimum: 0 }), Type.Null()])
const TimeOrNull = Type.Union([Type.String(), Type.Null()])

/** Effect of an edit on the contexts that the responding node has sampled. */
export const Impact = Type.Object({
  /** True if contexts of this environment are sampled; otherwise all figures are 0. */
  sampling: Type.Boolean(),
  /**
   * Number of sampled evaluations of this flag. Each sampled evaluation was repeated with the current flag and with the
   * edited flag.
   */
  evaluations: Type.Integer({ minimum: 0 }),
  offToOn: Figure,
  onToOff: Figure,
  /** Evaluations that are on before and after the edit, but with another variant or payload. */
  otherVariant: Figure,
  /** Times of the oldest and the newest sampled context. */
  from: TimeOrNull,
  to: TimeOrNull,
})
export type Impact = Static<typeof Impact>

/** Body that turns sampling on or off. */
export const TrafficSamplingInput = Type.Object({ enabled: Type.Boolean() }, { additionalProperties: false })
export type TrafficSamplingInput = Static<typeof TrafficSamplingInput>

/** Sampling status of an environment, with the memory usage of the responding node. */
export const TrafficSampling = Type.Object({
  enabled: Type.Boolean(),
  contexts: Type.Integer({ minimum: 0 }),
  bytes: Type.Integer({ minimum: 0 }),
  /** Number of contexts that were too long to sample. */
  leftOut: Type.Integer({ minimum: 0 }),
  /** Time of the oldest context. */
  since: TimeOrNull,
})
export type TrafficSampling = Static<typeof TrafficSampling>
