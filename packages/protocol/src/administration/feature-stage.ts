import Type, { type Static } from 'typebox'

/** Stages in the life of a flag. Source: wire protocol */

/** A stage that a flag has reached, and when. */
export const FeatureStage = Type.Object({
  stage: Type.Enum(['initial', 'pre-live', 'live', 'completed', 'archived']),
  enteredStageAt: Type.String(),
  /** Of a completed flag: what becomes of it in the code. An addition of later versions of the protocol. */
  status: Type.Optional(Type.Enum(['kept', 'discarded'])),
  /** The name of the variant that was kept, where somebody said so. */
  statusValue: Type.Optional(Type.String()),
})
export type FeatureStage = Static<typeof FeatureStage>

/** Reply of `GET …/features/{name}/lifecycle`: by time. */
export const FeatureStages = Type.Array(FeatureStage)

/** Body that says that a flag has done its work: the code keeps what it switched on (left out: this), or drops it. */
export const CompleteFeature = Type.Object(
  {
    status: Type.Optional(Type.Enum(['kept', 'discarded'])),
    statusValue: Type.Optional(Type.String({ maxLength: 100 })),
  },
  { additionalProperties: false },
)
export type CompleteFeature = Static<typeof CompleteFeature>
