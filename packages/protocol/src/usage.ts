import Type, { type Static } from 'typebox'
import { CodeReference } from './administration/removal.ts'

/** Evaluation counts that one application reported for one flag, environment and hour. */
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

/** Response of `GET /api/admin/client-metrics/features/:feature/raw`. */
export const FeatureUsage = Type.Object({
  version: Type.Integer(),
  maturity: Type.String(),
  featureName: Type.String(),
  data: Type.Array(FeatureUsageRow),
})
export type FeatureUsage = Static<typeof FeatureUsage>

/**
 * Response of `GET /api/admin/client-metrics/features/:feature`: usage in the current and the previous hour, and all
 * applications that have used the flag.
 */
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

/** Maximum number of places in the code that are listed for a name. */
export const MAX_REFERENCES_PER_NAME = 5

/** Flag name that SDKs request although no flag has this name. */
export const UnknownFlag = Type.Object({
  name: Type.String(),
  lastSeenAt: Type.String(),
  /** Time of the last event of any flag with this name, such as its deletion; null if there was no such event. */
  lastEventAt: Type.Union([Type.String(), Type.Null()]),
  /** Applications and environments that request the name. */
  reports: Type.Array(
    Type.Object({
      appName: Type.String(),
      environments: Type.Array(Type.Object({ environment: Type.String(), seenAt: Type.String() })),
    }),
  ),
  /** Number of places in the default branches of scanned repositories that evaluate the name. */
  referenceCount: Type.Integer(),
  /** The first of these places. */
  references: Type.Array(CodeReference, { maxItems: MAX_REFERENCES_PER_NAME }),
})
export type UnknownFlag = Static<typeof UnknownFlag>

/** Response of `GET /api/admin/metrics/unknown-flags`, most recently requested name first. Source: wire protocol */
export const UnknownFlags = Type.Object({ unknownFlags: Type.Array(UnknownFlag) })
export type UnknownFlags = Static<typeof UnknownFlags>
