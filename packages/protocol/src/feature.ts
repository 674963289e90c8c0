import Type, { type Static } from 'typebox'

/**
 * Flags with their strategies and segments, in the form in which SDKs and proxies download them. Documents can come
 * from other servers, so only names are required; the engine handles parts that are missing. Source:
 * client-specification, protocol of `GET /api/client/features`.
 */

/**
 * Condition on the evaluation context. Operators with several values read `values`; operators with a single value read
 * `value`.
 */
export const Constraint = Type.Object({
  contextName: Type.String(),
  operator: Type.String(),
  values: Type.Optional(Type.Array(Type.String())),
  value: Type.Optional(Type.String()),
  inverted: Type.Optional(Type.Boolean()),
  caseInsensitive: Type.Optional(Type.Boolean()),
})
export type Constraint = Static<typeof Constraint>

/**
 * Data that a variant provides to the application. `value` is always a string; if `type` is `json`, the string contains
 * JSON.
 */
export const Payload = Type.Object({ type: Type.String(), value: Type.String() })
export type Payload = Static<typeof Payload>

/** Assigns a variant to contexts with one of the listed values, before weights are applied. */
export const VariantOverride = Type.Object({ contextName: Type.String(), values: Type.Array(Type.String()) })
export type VariantOverride = Static<typeof VariantOverride>

/** Variant that a flag can have while it is on. Weights are relative to their sum (1000 on the server). */
export const VariantDefinition = Type.Object({
  name: Type.String(),
  weight: Type.Number({ minimum: 0, maximum: 1000 }),
  weightType: Type.Optional(Type.String()),
  stickiness: Type.Optional(Type.String()),
  payload: Type.Optional(Payload),
  overrides: Type.Optional(Type.Array(VariantOverride)),
})
export type VariantDefinition = Static<typeof VariantDefinition>

/** Rule that turns a flag on if the strategy's own test and all of its constraints and segments are met. */
export const Strategy = Type.Object({
  id: Type.Optional(Type.String()),
  name: Type.String(),
  title: Type.Optional(Type.String()),
  disabled: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
  parameters: Type.Optional(Type.Record(Type.String(), Type.String())),
  constraints: Type.Optional(Type.Array(Constraint)),
  segments: Type.Optional(Type.Array(Type.Integer())),
  variants: Type.Optional(Type.Array(VariantDefinition)),
})
export type Strategy = Static<typeof Strategy>

/** Parent flag that must be on (or off, or on with one of `variants`) for the child flag to be evaluated. */
export const Dependency = Type.Object({
  feature: Type.String(),
  enabled: Type.Optional(Type.Boolean()),
  variants: Type.Optional(Type.Array(Type.String())),
})
export type Dependency = Static<typeof Dependency>

/** Flag in one environment, in the form that SDKs receive. */
export const Feature = Type.Object({
  name: Type.String(),
  type: Type.Optional(Type.String()),
  description: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  enabled: Type.Boolean(),
  project: Type.Optional(Type.String()),
  stale: Type.Optional(Type.Boolean()),
  impressionData: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
  strategies: Type.Array(Strategy),
  variants: Type.Optional(Type.Array(VariantDefinition)),
  dependencies: Type.Optional(Type.Array(Dependency)),
  /**
   * Declared OpenFeature type of the flag, unless it is boolean. If the variants have payloads, the type of the
   * payloads takes precedence.
   */
  valueType: Type.Optional(Type.String()),
})
export type Feature = Static<typeof Feature>

/** List of constraints with a name, which strategies reference by id. */
export const Segment = Type.Object({
  id: Type.Integer(),
  name: Type.Optional(Type.String()),
  constraints: Type.Array(Constraint),
})
export type Segment = Static<typeof Segment>

/** Response of `GET /api/client/features`. */
export const ClientFeatures = Type.Object({
  version: Type.Integer(),
  features: Type.Array(Feature),
  segments: Type.Optional(Type.Array(Segment)),
  query: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  meta: Type.Optional(Type.Object({ revisionId: Type.Integer(), etag: Type.String(), queryHash: Type.String() })),
})
export type ClientFeatures = Static<typeof ClientFeatures>
