import Type, { type Static } from 'typebox'
import { Feature, Segment } from './feature.ts'

/** SDKs read it as an unsigned number of 32 bits, and never compare it. Source: wire protocol "Delta events" */
const eventId = Type.Integer({ minimum: 0, maximum: 2 ** 32 - 1 })

/** Everything: takes the place of all that was known. */
export const Hydration = Type.Object({
  type: Type.Literal('hydration'),
  eventId,
  features: Type.Array(Feature),
  segments: Type.Array(Segment),
})

/** One change of what an SDK holds; applied in the order of their list. */
export const DeltaEvent = Type.Union([
  Hydration,
  Type.Object({ type: Type.Literal('feature-updated'), eventId, feature: Feature }),
  Type.Object({ type: Type.Literal('feature-removed'), eventId, featureName: Type.String(), project: Type.String() }),
  Type.Object({ type: Type.Literal('segment-updated'), eventId, segment: Segment }),
  Type.Object({ type: Type.Literal('segment-removed'), eventId, segmentId: Type.Integer() }),
])
export type DeltaEvent = Static<typeof DeltaEvent>

/** Reply of `GET /api/client/delta`, and the data of what `GET /api/client/streaming` sends. */
export const DeltaEvents = Type.Object({ events: Type.Array(DeltaEvent) })
export type DeltaEvents = Static<typeof DeltaEvents>

/** Names of the events of a stream; an SDK that hears of the first is ready. Source: wire protocol "The stream" */
export const STREAM_EVENTS = { connected: 'unleash-connected', updated: 'unleash-updated' } as const
