import Type, { type Static } from 'typebox'
import { StrategyInput } from '../targeting/strategy.ts'
import { VariantInput } from '../targeting/variant.ts'

/** What an edit of a flag would change for front ends that were seen lately. Additions of this server. */

/** A figure is not told where fewer different people are behind it. */
export const FEWEST_PEOPLE = 5

/** Body of a question: an edit that is not saved. What is left out stays as it is. */
export const FlagEdit = Type.Object(
  {
    /** Replaces the strategy of this id, else comes behind the others. */
    strategy: Type.Optional(Type.Object({ ...StrategyInput.properties, id: Type.Optional(Type.String()) })),
    /** Id of a strategy that is taken out. */
    removeStrategy: Type.Optional(Type.String()),
    variants: Type.Optional(Type.Array(VariantInput, { maxItems: 500 })),
    enabled: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false, minProperties: 1 },
)
export type FlagEdit = Static<typeof FlagEdit>

/** Null: some, of fewer than five different people, which is not counted out. */
const Figure = Type.Union([Type.Integer({ minimum: 0 }), Type.Null()])
const TimeOrNull = Type.Union([Type.String(), Type.Null()])

/** What an edit would change for the contexts that the node that answers has sampled. */
export const Impact = Type.Object({
  /** Whether contexts of this environment are sampled; where they are not, everything is 0. */
  sampling: Type.Boolean(),
  /** Sampled evaluations of this flag that were decided again, with the flag as it is and as it would be. */
  evaluations: Type.Integer({ minimum: 0 }),
  offToOn: Figure,
  onToOff: Figure,
  /** On before and after, with another variant or another payload. */
  otherVariant: Figure,
  /** When the oldest and the newest of them came. */
  from: TimeOrNull,
  to: TimeOrNull,
})
export type Impact = Static<typeof Impact>

/** Body that switches sampling on or off. */
export const TrafficSamplingInput = Type.Object({ enabled: Type.Boolean() }, { additionalProperties: false })
export type TrafficSamplingInput = Static<typeof TrafficSamplingInput>

/** Whether contexts of an environment are sampled, and what the node that answers has in memory. */
export const TrafficSampling = Type.Object({
  enabled: Type.Boolean(),
  contexts: Type.Integer({ minimum: 0 }),
  bytes: Type.Integer({ minimum: 0 }),
  /** Contexts that were too long. */
  leftOut: Type.Integer({ minimum: 0 }),
  /** When the oldest came. */
  since: TimeOrNull,
})
export type TrafficSampling = Static<typeof TrafficSampling>
