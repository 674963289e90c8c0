import Type, { type Static } from 'typebox'
import { Feature, Segment } from './feature.ts'

/**
 * Event id. SDKs parse the id as an unsigned 32-bit integer and never compare ids. Source: wire protocol "Delta events"
 */
const eventId = Type.Integer({ minimum: 0, maximum: 2 ** 32 - 1 })

/** Complete state, which replaces all data that an SDK has. */
export const Hydration = Type.Object({
  type: Type.Literal('hydration'),
  eventId,
  features: Type.Array(Feature),
  segments: Type.Array(Segment),
})

/** One change to the data that an SDK has. Events are applied in the order of the list. */
export const DeltaEvent = Type.Union([
  Hydration,
  Type.Object({ type: Type.Literal('feature-updated'), eventId, feature: Feature }),
  Type.Object({ type: Type.Literal('feature-removed'), eventId, featureName: Type.String(), project: Type.String() }),
  Type.Object({ type: Type.Literal('segment-updated'), eventId, segment: Segment }),
  Type.Object({ type: Type.Literal('segment-removed'), eventId, segmentId: Type.Integer() }),
])
export type DeltaEvent = Static<typeof DeltaEvent>

/** Response of `GET /api/client/delta`, and data of each event of `GET /api/client/streaming`. */
export const DeltaEvents = Type.Object({ events: Type.Array(DeltaEvent) })
export type DeltaEvents = Static<typeof DeltaEvents>

/**
 * Names of the events in a flag stream. An SDK becomes ready when it receives `connected`. Source: wire protocol "The
 * stream"
 */
export const STREAM_EVENTS = { connected: 'unleash-connected', updated: 'unleash-updated' } as const
