import Type, { type Static } from 'typebox'

/**
 * Schemas for the OpenFeature Remote Evaluation Protocol (OFREP), which providers for SDKs of any vendor use. Source:
 * OFREP 0.3.0.
 */

/** Evaluation context. `targetingKey` is the user id; other names are known context fields or properties. */
const OfrepContext = Type.Record(Type.String(), Type.Unknown())

/** Request body of an evaluation. If the context is omitted, flags are evaluated for an empty context. */
export const OfrepRequest = Type.Object({ context: Type.Optional(OfrepContext) })
export type OfrepRequest = Static<typeof OfrepRequest>

/**
 * Query of a provider that fetches flags again because it has received an event. The values are copied from the event.
 */
export const OfrepBulkQuery = Type.Object({
  flagConfigEtag: Type.Optional(Type.String()),
  flagConfigLastModified: Type.Optional(Type.String()),
})

const Metadata = Type.Record(Type.String(), Type.Union([Type.Boolean(), Type.String(), Type.Number()]))

/** Evaluated flag. If `value` is absent, the default value in the application's code applies. */
export const OfrepEvaluation = Type.Object({
  key: Type.String(),
  /** Value whose type is the type of the flag: a boolean, string or number, or the content of a JSON payload. */
  value: Type.Optional(Type.Unknown()),
  reason: Type.Enum(['STATIC', 'TARGETING_MATCH', 'SPLIT', 'DISABLED', 'UNKNOWN']),
  variant: Type.Optional(Type.String()),
  metadata: Type.Optional(Metadata),
})
export type OfrepEvaluation = Static<typeof OfrepEvaluation>

/** Error for a flag that could not be evaluated. */
export const OfrepFailure = Type.Object({
  key: Type.String(),
  errorCode: Type.Enum(['PARSE_ERROR', 'TARGETING_KEY_MISSING', 'INVALID_CONTEXT', 'GENERAL']),
  errorDetails: Type.Optional(Type.String()),
  metadata: Type.Optional(Metadata),
})
export type OfrepFailure = Static<typeof OfrepFailure>

/** Error for a flag that does not exist or is hidden from the caller. Callers cannot distinguish the two cases. */
export const OfrepNotFound = Type.Object({
  key: Type.String(),
  errorCode: Type.Literal('FLAG_NOT_FOUND'),
  errorDetails: Type.Optional(Type.String()),
})

/** Error response to a request for all flags. */
export const OfrepBulkFailure = Type.Object({
  errorCode: Type.Enum(['PARSE_ERROR', 'TARGETING_KEY_MISSING', 'INVALID_CONTEXT', 'GENERAL']),
  errorDetails: Type.Optional(Type.String()),
})

/** Event stream that reports when flags have changed. The URL needs no further credentials. */
export const OfrepEventStream = Type.Object({
  type: Type.String(),
  url: Type.Optional(Type.String()),
  endpoint: Type.Optional(Type.Object({ requestUri: Type.String(), origin: Type.Optional(Type.String()) })),
  inactivityDelaySec: Type.Optional(Type.Integer({ minimum: 1 })),
})
export type OfrepEventStream = Static<typeof OfrepEventStream>

/** Evaluations of all flags that the caller may see, on or off, sorted by name. */
export const OfrepBulk = Type.Object({
  flags: Type.Array(Type.Union([OfrepEvaluation, OfrepFailure])),
  metadata: Type.Optional(Metadata),
  eventStreams: Type.Optional(Type.Array(OfrepEventStream)),
})
export type OfrepBulk = Static<typeof OfrepBulk>

/** Event in the event stream. */
export const OfrepStreamEvent = Type.Object({
  type: Type.String(),
  etag: Type.Optional(Type.String()),
  lastModified: Type.Optional(Type.Union([Type.Integer(), Type.String()])),
})
