import Type, { type Static } from 'typebox'

/**
 * What SDKs and proxies download: features with their strategies, and the segments they refer to.
 * Documents come from other servers too, so only names are required; the engine decides what a missing part means.
 * Source: client-specification, protocol of `GET /api/client/features`.
 */

/** One condition on the context. Multi-valued operators read `values`, single-valued ones `value`. */
export const Constraint = Type.Object({
  contextName: Type.String(),
  operator: Type.String(),
  values: Type.Optional(Type.Array(Type.String())),
  value: Type.Optional(Type.String()),
  inverted: Type.Optional(Type.Boolean()),
  caseInsensitive: Type.Optional(Type.Boolean()),
})
export type Constraint = Static<typeof Constraint>

/** What a variant carries to the application; `value` is always text, a JSON payload is JSON in a string. */
export const Payload = Type.Object({ type: Type.String(), value: Type.String() })
export type Payload = Static<typeof Payload>

/** Gives a variant to listed context values, before any weight is looked at. */
export const VariantOverride = Type.Object({ contextName: Type.String(), values: Type.Array(Type.String()) })
export type VariantOverride = Static<typeof VariantOverride>

/** One possible outcome of an enabled feature; weights are parts of their sum (1000 on the server). */
export const VariantDefinition = Type.Object({
  name: Type.String(),
  weight: Type.Number({ minimum: 0, maximum: 1000 }),
  weightType: Type.Optional(Type.String()),
  stickiness: Type.Optional(Type.String()),
  payload: Type.Optional(Payload),
  overrides: Type.Optional(Type.Array(VariantOverride)),
})
export type VariantDefinition = Static<typeof VariantDefinition>

/** A rule that turns a feature on: its own test and all constraints and all segments. */
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

/** A parent that must be on (or off, or on with one of `variants`) before the child is looked at. */
export const Dependency = Type.Object({
  feature: Type.String(),
  enabled: Type.Optional(Type.Boolean()),
  variants: Type.Optional(Type.Array(Type.String())),
})
export type Dependency = Static<typeof Dependency>

/** One feature as an SDK of one environment sees it. */
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
  /** What it was declared as for OpenFeature, where that is not boolean; variants with payloads say it themselves. */
  valueType: Type.Optional(Type.String()),
})
export type Feature = Static<typeof Feature>

/** A named list of constraints that strategies share by id. */
export const Segment = Type.Object({
  id: Type.Integer(),
  name: Type.Optional(Type.String()),
  constraints: Type.Array(Constraint),
})
export type Segment = Static<typeof Segment>

/** Body of `GET /api/client/features`. */
export const ClientFeatures = Type.Object({
  version: Type.Integer(),
  features: Type.Array(Feature),
  segments: Type.Optional(Type.Array(Segment)),
  query: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  meta: Type.Optional(Type.Object({ revisionId: Type.Integer(), etag: Type.String(), queryHash: Type.String() })),
})
export type ClientFeatures = Static<typeof ClientFeatures>
