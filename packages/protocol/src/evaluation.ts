import Type, { type Static, type TSchema } from 'typebox'
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
  featureEnabled: Type.Optional(Type.Boolean({ deprecated: true })),
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

/** What clients post: null stands for what they leave out, as in languages whose empty list or text is null. */
const FROM_CLIENTS = { 'x-null-is-absent': true } as const

/** Properties of a context as a body may give them: scalars, read as text. */
const BodyProperties = Type.Record(Type.String(), Type.String())

/** Evaluation context in a body. Further names of any type are allowed and count as properties. */
export const ContextBody = Type.Object(
  {
    appName: Type.Optional(Type.String()),
    environment: Type.Optional(Type.String({ deprecated: true })),
    userId: Type.Optional(Type.String()),
    sessionId: Type.Optional(Type.String()),
    remoteAddress: Type.Optional(Type.String()),
    currentTime: Type.Optional(Type.Union([Type.String(), Type.Number()])),
    properties: Type.Optional(BodyProperties),
  },
  { additionalProperties: true, ...FROM_CLIENTS },
)
export type ContextBody = Static<typeof ContextBody>

/** Most names of toggles in one request, unless an operator says otherwise: each takes more bytes to answer than to ask. */
export const MOST_NAMES = 10_000

/**
 * Body of `POST /proxy`, of at most `mostNames` names. With `toggles` only those are answered, on or off; without, all
 * that are on.
 */
export const lookupToggles = (mostNames: number) =>
  Type.Object(
    {
      context: Type.Optional(ContextBody),
      toggles: Type.Optional(Type.Array(Type.String(), { maxItems: mostNames })),
    },
    FROM_CLIENTS,
  )

/** The same, of at most `MOST_NAMES` names. */
export const LookupToggles = lookupToggles(MOST_NAMES)
export type LookupToggles = Static<typeof LookupToggles>

/**
 * Body of `POST /api/frontend`: the same, or the context's fields beside `toggles` instead of within `context`; where
 * there is a `context`, it alone counts. Source: wire protocol "Endpoints Edge serves".
 */
export const FlatLookup = Type.Object({ ...ContextBody.properties, ...LookupToggles.properties }, FROM_CLIENTS)
export type FlatLookup = Static<typeof FlatLookup>

/** Query of `GET /proxy`. Further names count as properties; a `properties` without names in it counts for nothing. */
export const ContextQuery = Type.Object(
  {
    appName: Type.Optional(Type.String()),
    userId: Type.Optional(Type.String()),
    sessionId: Type.Optional(Type.String()),
    remoteAddress: Type.Optional(Type.String()),
    currentTime: Type.Optional(Type.String()),
    properties: Type.Optional(Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Unknown()])),
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

const LAST_TIME_MS = 8_640_000_000_000_000

/** A point in time as the server takes it: as above, or in milliseconds since 1970. Source: wire protocol */
export const ReportTime = Type.Union([WireTime, Type.Integer({ minimum: 1, maximum: LAST_TIME_MS })])
export type ReportTime = Static<typeof ReportTime>

const metricsWith = <T extends TSchema>(time: T) =>
  Type.Object(
    {
      appName: Type.String(),
      instanceId: Type.Optional(Type.String()),
      environment: Type.Optional(Type.String()),
      /** Clients without counts leave it out, and say by the rest that they are there. */
      bucket: Type.Optional(
        Type.Object({ start: time, stop: time, toggles: MetricsToggles }, { additionalProperties: true }),
      ),
    },
    { additionalProperties: true, ...FROM_CLIENTS },
  )

/** Body of `POST /proxy/client/metrics`. */
export const ClientMetrics = metricsWith(WireTime)
export type ClientMetrics = Static<typeof ClientMetrics>

/** Body of `POST …/client/metrics` of the server. */
export const ServerMetrics = metricsWith(ReportTime)
export type ServerMetrics = Static<typeof ServerMetrics>

/** Strategies that an SDK knows: names, or objects with one. */
const KnownStrategies = Type.Array(Type.Union([Type.String(), Type.Object({ name: Type.String() })]))

/** Names of strategies that a registration lists. */
export function strategyNames(strategies: Static<typeof KnownStrategies> = []): string[] {
  return strategies.map((strategy) => (typeof strategy === 'string' ? strategy : strategy.name))
}

/** Body of `POST …/client/register`. */
export const ClientRegistration = Type.Object(
  {
    appName: Type.String(),
    interval: Type.Number(),
    started: Type.Union([WireTime, Type.Number()]),
    strategies: KnownStrategies,
    instanceId: Type.Optional(Type.String()),
    sdkVersion: Type.Optional(Type.String()),
  },
  { additionalProperties: true, ...FROM_CLIENTS },
)
export type ClientRegistration = Static<typeof ClientRegistration>

const LONGEST_TOKEN = 1000
const MOST_TOKENS = 100

/** Body of `POST /edge/validate`, which nodes between SDKs and a server ask. */
export const TokensQuestion = Type.Object({
  tokens: Type.Array(Type.String({ maxLength: LONGEST_TOKEN }), { maxItems: MOST_TOKENS }),
})
export type TokensQuestion = Static<typeof TokensQuestion>

/** Its reply: the good ones, and what for. A node says `status` as well, which is always `Validated`. */
export const ValidTokens = Type.Object({
  tokens: Type.Array(
    Type.Object({
      token: Type.String(),
      type: Type.String(),
      projects: Type.Array(Type.String()),
      environment: Type.String(),
      status: Type.Optional(Type.String()),
    }),
  ),
})
export type ValidTokens = Static<typeof ValidTokens>

const BulkCount = Type.Number({ minimum: 0 })

/** Counts of one flag of one application. */
const BulkCounts = Type.Object({
  appName: Type.String(),
  featureName: Type.String(),
  timestamp: Type.Optional(Type.Union([Type.String(), Type.Integer()])),
  yes: Type.Optional(BulkCount),
  no: Type.Optional(BulkCount),
  variants: Type.Optional(Type.Record(Type.String(), BulkCount)),
})

/** Body of `POST /api/client/metrics/bulk`. */
export const ClientMetricsBulk = Type.Object(
  {
    applications: Type.Array(
      Type.Object({
        appName: Type.String(),
        instanceId: Type.Optional(Type.String()),
        sdkVersion: Type.Optional(Type.String()),
        strategies: Type.Optional(KnownStrategies),
      }),
    ),
    metrics: Type.Array(BulkCounts),
  },
  FROM_CLIENTS,
)
export type ClientMetricsBulk = Static<typeof ClientMetricsBulk>
