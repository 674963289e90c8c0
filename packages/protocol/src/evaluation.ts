import Type, { type Static, type TSchema } from 'typebox'
import { HOLDING_LIMITS, Holding } from './administration/delivery-receipt.ts'
import { Payload } from './feature.ts'

/**
 * Evaluation results for SDKs, and the metrics and registrations that SDKs send. Source: spec "Evaluated toggle",
 * "Variant" and "Proxy endpoints".
 */

/**
 * Variant of a flag for one context; `{name: 'disabled', enabled: false}` if the flag has no variant. SDKs read either
 * `feature_enabled` (older) or `featureEnabled` (newer). Both properties are true if the flag is on.
 */
export const Variant = Type.Object({
  name: Type.String(),
  enabled: Type.Boolean(),
  payload: Type.Optional(Payload),
  feature_enabled: Type.Optional(Type.Boolean()),
  featureEnabled: Type.Optional(Type.Boolean({ deprecated: true })),
})
export type Variant = Static<typeof Variant>

/**
 * Evaluated feature. `impressionData` is copied from the flag's definition; it is absent or null if the definition has
 * none.
 */
export const EvaluatedToggle = Type.Object({
  name: Type.String(),
  enabled: Type.Boolean(),
  variant: Variant,
  impressionData: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
})
export type EvaluatedToggle = Static<typeof EvaluatedToggle>

/** Response of every evaluation endpoint. */
export const Toggles = Type.Object({ toggles: Type.Array(EvaluatedToggle) })
export type Toggles = Static<typeof Toggles>

/**
 * Schema option for input from clients: null counts as absent, because some languages serialize empty lists and strings
 * as null.
 */
const FROM_CLIENTS = { 'x-null-is-absent': true } as const

/** Context properties in a request body. Numbers, booleans and null are converted to strings. */
const BodyProperties = Type.Record(Type.String(), Type.String())

/**
 * Evaluation context in a request body. Values with unknown names are accepted, whatever their type, and treated as
 * properties.
 */
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

/**
 * Default maximum number of flag names per request. The number must be limited, because each name takes more bytes in
 * the response than in the request.
 */
export const MAX_NAMES = 10_000

/**
 * Creates the schema for the request body of `POST /proxy`, with at most `mostNames` flag names. If the body has
 * `toggles`, the response contains exactly these flags, whether on or off. Without `toggles`, the response contains all
 * flags that are on.
 */
export const createLookupToggles = (mostNames: number) =>
  Type.Object(
    {
      context: Type.Optional(ContextBody),
      toggles: Type.Optional(Type.Array(Type.String(), { maxItems: mostNames })),
    },
    FROM_CLIENTS,
  )

/** Request body of `POST /proxy` with at most `MAX_NAMES` flag names. */
export const LookupToggles = createLookupToggles(MAX_NAMES)
export type LookupToggles = Static<typeof LookupToggles>

/**
 * Body of `POST /api/frontend`. Differs from `LookupToggles` only in that the context fields can also be at the top
 * level, next to `toggles`. If the body has a `context`, context fields next to `toggles` are ignored. Source: wire
 * protocol "Endpoints Edge serves".
 */
export const FlatLookup = Type.Object({ ...ContextBody.properties, ...LookupToggles.properties }, FROM_CLIENTS)
export type FlatLookup = Static<typeof FlatLookup>

/**
 * Query of `GET /proxy`. Parameters with unknown names are treated as properties. A parameter `properties` without any
 * property names is ignored.
 */
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

/** Evaluation counts for an interval, by flag. */
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

/** Timestamp in the form that SDKs write: RFC 3339, with or without a time zone. */
const WireTime = Type.String({
  pattern:
    '^\\d{4}-(0\\d|1[0-2])-([0-2]\\d|3[01])[Tt ]([01]\\d|2[0-3]):[0-5]\\d:([0-5]\\d|60)(\\.\\d+)?([Zz]|[+-]\\d{2}(:?\\d{2})?)?$',
})

const LAST_TIME_MS = 8_640_000_000_000_000

/** Timestamp that the server accepts: RFC 3339 as in SDK reports, or milliseconds since 1970. Source: wire protocol */
export const ReportTime = Type.Union([WireTime, Type.Integer({ minimum: 1, maximum: LAST_TIME_MS })])
export type ReportTime = Static<typeof ReportTime>

const createMetricsSchema = <T extends TSchema>(time: T) =>
  Type.Object(
    {
      appName: Type.String(),
      instanceId: Type.Optional(Type.String()),
      environment: Type.Optional(Type.String()),
      /**
       * Evaluation counts for the interval. Clients that have no counts omit the bucket, and so report only that they
       * are running.
       */
      bucket: Type.Optional(
        Type.Object({ start: time, stop: time, toggles: MetricsToggles }, { additionalProperties: true }),
      ),
      /** Impact metrics of the application. A malformed metric is rejected without affecting the counts. */
      impactMetrics: Type.Optional(Type.Unknown()),
    },
    { additionalProperties: true, ...FROM_CLIENTS },
  )

/** Body of `POST /proxy/client/metrics`. */
export const ClientMetrics = createMetricsSchema(WireTime)
export type ClientMetrics = Static<typeof ClientMetrics>

/** Request body of `POST …/client/metrics` on the server. */
export const ServerMetrics = createMetricsSchema(ReportTime)
export type ServerMetrics = Static<typeof ServerMetrics>

/** Strategies that an SDK supports: names, or objects with a name. */
const SupportedStrategies = Type.Array(Type.Union([Type.String(), Type.Object({ name: Type.String() })]))

/** Returns the names of the strategies that an SDK has registered. */
export function listStrategyNames(strategies: Static<typeof SupportedStrategies> = []): string[] {
  return strategies.map((strategy) => (typeof strategy === 'string' ? strategy : strategy.name))
}

/** Body of `POST …/client/register`. */
export const ClientRegistration = Type.Object(
  {
    appName: Type.String(),
    interval: Type.Number(),
    started: Type.Union([WireTime, Type.Number()]),
    strategies: SupportedStrategies,
    instanceId: Type.Optional(Type.String()),
    sdkVersion: Type.Optional(Type.String()),
  },
  { additionalProperties: true, ...FROM_CLIENTS },
)
export type ClientRegistration = Static<typeof ClientRegistration>

const MAX_TOKEN_LENGTH = 1000
const MAX_TOKENS = 100

/** Request body of `POST /edge/validate`, which edge nodes send. */
export const TokensQuestion = Type.Object({
  tokens: Type.Array(Type.String({ maxLength: MAX_TOKEN_LENGTH }), { maxItems: MAX_TOKENS }),
})
export type TokensQuestion = Static<typeof TokensQuestion>

/**
 * Response of `POST /edge/validate`: the tokens that are valid, with their scopes. An edge node also returns `status`,
 * whose value is always `Validated`.
 */
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

/** Evaluation counts of one flag in one application. */
const BulkCounts = Type.Object({
  appName: Type.String(),
  featureName: Type.String(),
  timestamp: Type.Optional(Type.Union([Type.String(), Type.Integer()])),
  yes: Type.Optional(BulkCount),
  no: Type.Optional(BulkCount),
  variants: Type.Optional(Type.Record(Type.String(), BulkCount)),
})

/** Maximum number of applications, and maximum number of counts, in one report from an edge. */
const MAX_BULK_ITEMS = 100_000

/** Body of `POST /api/client/metrics/bulk`. */
export const ClientMetricsBulk = Type.Object(
  {
    applications: Type.Array(
      Type.Object({
        appName: Type.String(),
        instanceId: Type.Optional(Type.String()),
        sdkVersion: Type.Optional(Type.String()),
        strategies: Type.Optional(SupportedStrategies),
      }),
      { maxItems: MAX_BULK_ITEMS },
    ),
    metrics: Type.Array(BulkCounts, { maxItems: MAX_BULK_ITEMS }),
    /**
     * Impact metrics, which the reporting proxy has added up. A malformed metric is rejected without affecting the
     * counts.
     */
    impactMetrics: Type.Optional(Type.Unknown()),
    /** Revisions of the flags that clients connected to the reporting edge or proxy have. Burgee extension. */
    holdings: Type.Optional(Type.Array(Holding, { maxItems: HOLDING_LIMITS.rows })),
  },
  FROM_CLIENTS,
)
export type ClientMetricsBulk = Static<typeof ClientMetricsBulk>
