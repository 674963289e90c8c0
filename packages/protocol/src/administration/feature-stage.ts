import Type, { type Static } from 'typebox'

/** Schemas for the lifecycle of a flag. Source: wire protocol */

/** Lifecycle stage of a flag, with the time at which the flag reached it. */
export const FeatureStage = Type.Object({
  stage: Type.Enum(['initial', 'pre-live', 'live', 'completed', 'archived']),
  enteredStageAt: Type.String(),
  /** Outcome for the code when a flag is completed. Added in a later version of the protocol. */
  status: Type.Optional(Type.Enum(['kept', 'discarded'])),
  /** Name of the variant whose code remains, if given. */
  statusValue: Type.Optional(Type.String()),
})
export type FeatureStage = Static<typeof FeatureStage>

/** Response of `GET …/features/{name}/lifecycle`, in chronological order. */
export const FeatureStages = Type.Array(FeatureStage)

/**
 * Body that completes a flag. With `kept` (the default), the feature stays in the code; with `discarded`, it is
 * removed.
 */
export const CompleteFeature = Type.Object(
  {
    status: Type.Optional(Type.Enum(['kept', 'discarded'])),
    statusValue: Type.Optional(Type.String({ maxLength: 100 })),
  },
  { additionalProperties: false },
)
export type CompleteFeature = Static<typeof CompleteFeature>
