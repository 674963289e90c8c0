import Type, { type Static } from 'typebox'
import { Payload } from './feature.ts'

/**
 * What evaluation answers: evaluated toggles for SDKs, and what the SDKs send back (metrics, registration).
 * Source: spec "Evaluated toggle", "Variant", "Proxy endpoints".
 */

/**
 * The variant of a feature for one context; `{name: 'disabled', enabled: false}` when there is none.
 * SDKs of different age read `feature_enabled` or `featureEnabled`: both say whether the feature itself is on.
 */
export const Variant = Type.Object({
  name: Type.String(),
  enabled: Type.Boolean(),
  payload: Type.Optional(Payload),
  feature_enabled: Type.Optional(Type.Boolean()),
  featureEnabled: Type.Optional(Type.Boolean()),
})
export type Variant = Static<typeof Variant>

/** One feature, evaluated. `impressionData` is the definition's value, absent or null where the definition says so. */
export const EvaluatedToggle = Type.Object({
  name: Type.String(),
  enabled: Type.Boolean(),
  variant: Variant,
  impressionData: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
})
export type EvaluatedToggle = Static<typeof EvaluatedToggle>

/** Reply of every evaluation endpoint. */
export const Toggles = Type.Object({ toggles: Type.Array(EvaluatedToggle) })
export type Toggles = Static<typeof Toggles>

/** Properties of a context as a body may give them: scalars, read as text. */
const BodyProperties = Type.Record(Type.String(), Type.String())

/** Evaluation context in a body. Further names of any type are allowed and count as properties. */
export const ContextBody = Type.Object(
  {
    appName: Type.Optional(Type.String()),
    environment: Type.Optional(Type.String()),
    userId: Type.Optional(Type.String()),
    sessionId: Type.Optional(Type.String()),
    remoteAddress: Type.Optional(Type.String()),
    currentTime: Type.Optional(Type.Union([Type.String(), Type.Number()])),
    properties: Type.Optional(BodyProperties),
  },
  { additionalProperties: true },
)
export type ContextBody = Static<typeof ContextBody>

/** Body of `POST /proxy`. With `toggles` only those are answered, on or off; without, all that are on. */
export const LookupToggles = Type.Object({
  context: Type.Optional(ContextBody),
  toggles: Type.Optional(Type.Array(Type.String())),
})
export type LookupToggles = Static<typeof LookupToggles>

/** Query of `GET /proxy`. Further names count as properties. */
export const ContextQuery = Type.Object(
  {
    appName: Type.Optional(Type.String()),
    userId: Type.Optional(Type.String()),
    sessionId: Type.Optional(Type.String()),
    remoteAddress: Type.Optional(Type.String()),
    currentTime: Type.Optional(Type.String()),
    properties: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  { additionalProperties: true },
)
export type ContextQuery = Static<typeof ContextQuery>

const Count = Type.Integer({ minimum: 0 })

/** How often toggles were asked for in a stretch of time. */
export const MetricsToggles = Type.Record(
  Type.String(),
  Type.Object(
    {
      yes: Type.Optional(Count),
      no: Type.Optional(Count),
      variants: Type.Optional(Type.Record(Type.String(), Count)),
    },
    { additionalProperties: true },
  ),
)
export type MetricsToggles = Static<typeof MetricsToggles>

/** A point in time as SDKs write it: RFC 3339, but some leave the zone away. */
const WireTime = Type.String({
  pattern:
    '^\\d{4}-(0\\d|1[0-2])-([0-2]\\d|3[01])[Tt ]([01]\\d|2[0-3]):[0-5]\\d:([0-5]\\d|60)(\\.\\d+)?([Zz]|[+-]\\d{2}(:?\\d{2})?)?$',
})

/** Body of `POST …/client/metrics`. */
export const ClientMetrics = Type.Object(
  {
    appName: Type.String(),
    instanceId: Type.Optional(Type.String()),
    environment: Type.Optional(Type.String()),
    bucket: Type.Object(
      {
        start: WireTime,
        stop: WireTime,
        toggles: MetricsToggles,
      },
      { additionalProperties: true },
    ),
  },
  { additionalProperties: true },
)
export type ClientMetrics = Static<typeof ClientMetrics>

/** Body of `POST …/client/register`. */
export const ClientRegistration = Type.Object(
  {
    appName: Type.String(),
    interval: Type.Number(),
    started: Type.Union([WireTime, Type.Number()]),
    strategies: Type.Array(Type.String()),
    instanceId: Type.Optional(Type.String()),
    sdkVersion: Type.Optional(Type.String()),
  },
  { additionalProperties: true },
)
export type ClientRegistration = Static<typeof ClientRegistration>
