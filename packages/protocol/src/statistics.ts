import Type, { type Static } from 'typebox'

/** What runs here and how much it holds. */

const Count = Type.Integer()

/** Reply of `GET /api/admin/instance-admin/statistics`. Source: wire protocol; what does not exist here is left out. */
export const InstanceStatistics = Type.Object({
  instanceId: Type.String(),
  timestamp: Type.String(),
  /** Of this server. An addition. */
  version: Type.String(),
  /** As `ui-config` says it. */
  versionOSS: Type.String(),
  /** An addition. */
  database: Type.Enum(['sqlite', 'postgres']),
  /** An addition: for how many days what is no state is kept; 0 for ever. */
  retentionDays: Type.Object({
    events: Count,
    /** By the hour; then by the day. */
    hourlyUsage: Count,
    usage: Count,
    /** Applications, their processes and unknown flags, since they were last heard of. */
    unseen: Count,
    /** Who has logged in, and who tried. */
    logins: Count,
    expiredTokens: Count,
    /** Since they were applied, rejected or cancelled. */
    changeRequests: Count,
  }),
  /** An addition: how large the database is and how many rows its growing tables have; null until the first look, a minute after the start. */
  stored: Type.Union([Type.Object({ bytes: Type.Number(), rows: Type.Record(Type.String(), Count) }), Type.Null()]),
  /** Empty: there is one edition. */
  versionEnterprise: Type.String(),
  users: Count,
  serviceAccounts: Count,
  groups: Count,
  /** Of the installation and of projects. */
  roles: Count,
  customRootRoles: Count,
  customRootRolesInUse: Count,
  SAMLenabled: Type.Boolean(),
  OIDCenabled: Type.Boolean(),
  /** People whose last login is at most so many days ago. */
  activeUsers: Type.Object({ last7: Count, last30: Count, last60: Count, last90: Count }),
  projects: Count,
  environments: Count,
  /** Flags that are not archived. */
  featureToggles: Count,
  archivedFeatureToggles: Count,
  segments: Count,
  strategies: Count,
  contextFields: Count,
  apiTokens: Type.Object({ client: Count, frontend: Count, admin: Count }),
  /** Applications that asked for flags, within some time. */
  clientApps: Type.Array(Type.Object({ range: Type.Enum(['allTime', '30d', '7d']), count: Count })),
  /** An addition: processes of the last day by the SDK that they run on, most first; null where they did not say. */
  sdks: Type.Array(
    Type.Object({ sdkVersion: Type.Union([Type.String(), Type.Null()]), instances: Count, lastSeen: Type.String() }),
  ),
  /** Events in environments of type production within so many days. */
  productionChanges: Type.Object({ last30: Count, last60: Count, last90: Count }),
  /** Exports and imports of flags as a document, as far as events are kept. */
  featureExports: Count,
  featureImports: Count,
  /** Counts of usage that were stored for the day (UTC) before: one for each flag, application, environment and hour. */
  previousDayMetricsBucketsCount: Type.Object({
    enabledCount: Count,
    /** And variant. */
    variantCount: Count,
  }),
  /** SHA-256 (hex) of the JSON of all before it, in this order, without blanks. */
  sum: Type.String(),
})
export type InstanceStatistics = Static<typeof InstanceStatistics>

const NoTrends = Type.Array(Type.Object({}), { maxItems: 0 })

/** Reply of `GET /api/admin/insights`: how it is now. How it was is not kept by the week; `stats` of projects go back. */
export const Insights = Type.Object({
  /** Who was there lately is active, as for the list of inactive users. */
  users: Type.Object({ total: Count, inactive: Count, active: Count }),
  flags: Type.Object({ total: Count }),
  userTrends: NoTrends,
  flagTrends: NoTrends,
  projectFlagTrends: NoTrends,
  metricsSummaryTrends: NoTrends,
  environmentTypeTrends: NoTrends,
})
export type Insights = Static<typeof Insights>

/** Reply of `GET /api/admin/telemetry/settings`: what a server tells its makers. */
export const TelemetrySettings = Type.Object({
  versionInfoCollectionEnabled: Type.Boolean(),
  featureInfoCollectionEnabled: Type.Boolean(),
})
