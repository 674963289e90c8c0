import Type, { type Static } from 'typebox'

/** Counts of one application for one feature, environment and hour. */
export const FeatureUsageRow = Type.Object({
  featureName: Type.String(),
  appName: Type.String(),
  environment: Type.String(),
  /** Start of the hour. */
  timestamp: Type.String(),
  yes: Type.Integer(),
  no: Type.Integer(),
  variants: Type.Record(Type.String(), Type.Integer()),
})
export type FeatureUsageRow = Static<typeof FeatureUsageRow>

/** Reply of `GET /api/admin/client-metrics/features/:feature/raw`. */
export const FeatureUsage = Type.Object({
  version: Type.Integer(),
  maturity: Type.String(),
  featureName: Type.String(),
  data: Type.Array(FeatureUsageRow),
})
export type FeatureUsage = Static<typeof FeatureUsage>

/** Reply of `GET /api/admin/client-metrics/features/:feature`: the current and the last hour, and who asked at all. */
export const FeatureUsageSummary = Type.Object({
  version: Type.Integer(),
  maturity: Type.String(),
  featureName: Type.String(),
  lastHourUsage: Type.Array(
    Type.Object({ environment: Type.String(), timestamp: Type.String(), yes: Type.Integer(), no: Type.Integer() }),
  ),
  seenApplications: Type.Array(Type.String()),
})
export type FeatureUsageSummary = Static<typeof FeatureUsageSummary>

/** A name that SDKs ask for and that no flag has. */
export const UnknownFlag = Type.Object({
  name: Type.String(),
  lastSeenAt: Type.String(),
  /** When something last happened to a flag of that name: it was archived and deleted, or moved away; null: never. */
  lastEventAt: Type.Union([Type.String(), Type.Null()]),
  /** Who asks for it, and where. */
  reports: Type.Array(
    Type.Object({
      appName: Type.String(),
      environments: Type.Array(Type.Object({ environment: Type.String(), seenAt: Type.String() })),
    }),
  ),
})
export type UnknownFlag = Static<typeof UnknownFlag>

/** Reply of `GET /api/admin/metrics/unknown-flags`, the newest first. Source: wire protocol */
export const UnknownFlags = Type.Object({ unknownFlags: Type.Array(UnknownFlag) })
export type UnknownFlags = Static<typeof UnknownFlags>
