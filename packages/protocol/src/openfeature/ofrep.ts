import Type, { type Static } from 'typebox'

/**
 * OpenFeature's remote evaluation protocol: what providers of any vendor's SDK ask and are answered. Source: OFREP 0.3.0.
 */

/** Who is asking. `targetingKey` is the user; known fields of a context count as such, all other names as properties. */
const OfrepContext = Type.Record(Type.String(), Type.Unknown())

/** Body of an evaluation; without a context the flags are evaluated for nobody in particular. */
export const OfrepRequest = Type.Object({ context: Type.Optional(OfrepContext) })
export type OfrepRequest = Static<typeof OfrepRequest>

/** What a provider has heard of by an event, when it asks again because of it. */
export const OfrepBulkQuery = Type.Object({
  flagConfigEtag: Type.Optional(Type.String()),
  flagConfigLastModified: Type.Optional(Type.String()),
})

const Metadata = Type.Record(Type.String(), Type.Union([Type.Boolean(), Type.String(), Type.Number()]))

/** One flag, evaluated. Without a `value` the application's own default counts. */
export const OfrepEvaluation = Type.Object({
  key: Type.String(),
  /** Of the flag's own type: boolean, text, number, or what a JSON payload holds. */
  value: Type.Optional(Type.Unknown()),
  reason: Type.Enum(['STATIC', 'TARGETING_MATCH', 'SPLIT', 'DISABLED', 'UNKNOWN']),
  variant: Type.Optional(Type.String()),
  metadata: Type.Optional(Metadata),
})
export type OfrepEvaluation = Static<typeof OfrepEvaluation>

/** Why one flag could not be evaluated. */
export const OfrepFailure = Type.Object({
  key: Type.String(),
  errorCode: Type.Enum(['PARSE_ERROR', 'TARGETING_KEY_MISSING', 'INVALID_CONTEXT', 'GENERAL']),
  errorDetails: Type.Optional(Type.String()),
  metadata: Type.Optional(Metadata),
})
export type OfrepFailure = Static<typeof OfrepFailure>

/** A flag that the caller may not see, or that is not there: nobody is told which. */
export const OfrepNotFound = Type.Object({
  key: Type.String(),
  errorCode: Type.Literal('FLAG_NOT_FOUND'),
  errorDetails: Type.Optional(Type.String()),
})

/** Why a request for all flags was refused. */
export const OfrepBulkFailure = Type.Object({
  errorCode: Type.Enum(['PARSE_ERROR', 'TARGETING_KEY_MISSING', 'INVALID_CONTEXT', 'GENERAL']),
  errorDetails: Type.Optional(Type.String()),
})

/** Why the server or proxy could not answer. */
export const OfrepGeneralError = Type.Object({ errorDetails: Type.Optional(Type.String()) })

/** Where a provider hears of changes. The address is good by itself: nothing goes with it. */
export const OfrepEventStream = Type.Object({
  type: Type.String(),
  url: Type.Optional(Type.String()),
  endpoint: Type.Optional(Type.Object({ requestUri: Type.String(), origin: Type.Optional(Type.String()) })),
  inactivityDelaySec: Type.Optional(Type.Integer({ minimum: 1 })),
})
export type OfrepEventStream = Static<typeof OfrepEventStream>

/** All flags of the caller, true and false, by name. */
export const OfrepBulk = Type.Object({
  flags: Type.Array(Type.Union([OfrepEvaluation, OfrepFailure])),
  metadata: Type.Optional(Metadata),
  eventStreams: Type.Optional(Type.Array(OfrepEventStream)),
})
export type OfrepBulk = Static<typeof OfrepBulk>

/** What an event of a stream says. */
export const OfrepStreamEvent = Type.Object({
  type: Type.String(),
  etag: Type.Optional(Type.String()),
  lastModified: Type.Optional(Type.Union([Type.Integer(), Type.String()])),
})
