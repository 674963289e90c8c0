import Type, { type Static } from 'typebox'
import { StrategyInput } from '../targeting/strategy.ts'
import { VariantInput } from '../targeting/variant.ts'

/** Schemas for estimating the impact of an edit on recently seen frontends. Burgee extension. */

/**
 * Minimum number of distinct people that a published figure must cover. Figures that cover fewer people are withheld.
 */
export const MIN_PEOPLE = 5

/** Body with an edit that has not been saved. Parts that the body omits are unchanged. */
export const FlagEdit = Type.Object(
  {
    /** Strategy that replaces the strategy with the same id; appended if no strategy has this id. */
    strategy: Type.Optional(Type.Object({ ...StrategyInput.properties, id: Type.Optional(Type.String()) })),
    /** Id of the strategy to remove. */
    removeStrategy: Type.Optional(Type.String()),
    /**
     * Strategies that replace all existing ones, in evaluation order. Must not be combined with `strategy` or
     * `removeStrategy`.
     */
    strategies: Type.Optional(Type.Array(StrategyInput, { maxItems: 1000 })),
    variants: Type.Optional(Type.Array(VariantInput, { maxItems: 500 })),
    enabled: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false, minProperties: 1 },
)
export type FlagEdit = Static<typeof FlagEdit>

/** Number of evaluations. Null, that is, withheld, if the evaluations come from one to four distinct people. */
const Figure = Type.Union([Type.Integer({ minimum: 0 }), Type.Null()])
const TimeOrNull = Type.Union([Type.String(), Type.Null()])

/** Effect of an edit on the contexts that the node that answers has sampled. */
export const Impact = Type.Object({
  /** True if contexts are sampled in this environment; otherwise all figures are 0. */
  sampling: Type.Boolean(),
  /**
   * Number of sampled evaluations of the flag. Each of them was repeated with the current flag and with the edited
   * flag.
   */
  evaluations: Type.Integer({ minimum: 0 }),
  offToOn: Figure,
  onToOff: Figure,
  /** Number of evaluations that are on before and after the edit, but with a different variant or payload. */
  otherVariant: Figure,
  /** Times of the oldest and the newest context that was sampled. */
  from: TimeOrNull,
  to: TimeOrNull,
})
export type Impact = Static<typeof Impact>

/** Body that turns the sampling of contexts on or off. */
export const TrafficSamplingInput = Type.Object({ enabled: Type.Boolean() }, { additionalProperties: false })
export type TrafficSamplingInput = Static<typeof TrafficSamplingInput>

/** Sampling status of an environment, with the memory that samples use on the node that answers. */
export const TrafficSampling = Type.Object({
  enabled: Type.Boolean(),
  contexts: Type.Integer({ minimum: 0 }),
  bytes: Type.Integer({ minimum: 0 }),
  /** Number of contexts that were too long to be sampled. */
  leftOut: Type.Integer({ minimum: 0 }),
  /** Time of the oldest sampled context. */
  since: TimeOrNull,
})
export type TrafficSampling = Static<typeof TrafficSampling>
