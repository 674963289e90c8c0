import Type, { type Static } from 'typebox'

/** Schemas for instance statistics. */

const Count = Type.Integer()

/**
 * Response of `GET /api/admin/instance-admin/statistics`. Source: wire protocol; fields that do not apply are omitted.
 */
export const InstanceStatistics = Type.Object({
  instanceId: Type.String(),
  timestamp: Type.String(),
  /** Version of this server. Burgee extension. */
  version: Type.String(),
  /** Version, the same as in `ui-config`. */
  versionOSS: Type.String(),
  /** Kind of the database. Burgee extension. */
  database: Type.Enum(['sqlite', 'postgres']),
  /** Retention in days of each kind of old data; 0 means unlimited. Burgee extension. */
  retentionDays: Type.Object({
    events: Count,
    /** Hourly usage counts. Older counts are aggregated by day. */
    hourlyUsage: Count,
    usage: Count,
    /** Applications, their processes, and unknown flags. The retention period starts at their last report. */
    unseen: Count,
    /** Successful and failed logins. */
    logins: Count,
    expiredTokens: Count,
    /** Closed change requests. The retention period starts when a request was applied, rejected or cancelled. */
    changeRequests: Count,
  }),
  /**
   * Size of the database, and rows of its growing tables. Null until the first measurement, one minute after startup.
   * Burgee extension.
   */
  stored: Type.Union([Type.Object({ bytes: Type.Number(), rows: Type.Record(Type.String(), Count) }), Type.Null()]),
  /** Always empty, because there is only one edition. */
  versionEnterprise: Type.String(),
  users: Count,
  serviceAccounts: Count,
  groups: Count,
  /** Number of roles, both global and project roles. */
  roles: Count,
  customRootRoles: Count,
  customRootRolesInUse: Count,
  SAMLenabled: Type.Boolean(),
  OIDCenabled: Type.Boolean(),
  /** Number of users whose last login is at most this many days ago. */
  activeUsers: Type.Object({ last7: Count, last30: Count, last60: Count, last90: Count }),
  projects: Count,
  environments: Count,
  /** Number of flags that are not archived. */
  featureToggles: Count,
  archivedFeatureToggles: Count,
  segments: Count,
  strategies: Count,
  contextFields: Count,
  apiTokens: Type.Object({ client: Count, frontend: Count, admin: Count }),
  /** Number of applications that used flags in this period. */
  clientApps: Type.Array(Type.Object({ range: Type.Enum(['allTime', '30d', '7d']), count: Count })),
  /** Processes of the last day by SDK, most common first; null for an unknown SDK. Burgee extension. */
  sdks: Type.Array(
    Type.Object({ sdkVersion: Type.Union([Type.String(), Type.Null()]), instances: Count, lastSeen: Type.String() }),
  ),
  /** Number of events in production environments in the last 30, 60 and 90 days. */
  productionChanges: Type.Object({ last30: Count, last60: Count, last90: Count }),
  /** Number of exports and imports of flags as a document, within the retention of events. */
  featureExports: Count,
  featureImports: Count,
  /** Usage counts stored for the previous day (UTC): one for each flag, application, environment and hour. */
  previousDayMetricsBucketsCount: Type.Object({
    enabledCount: Count,
    /** Usage counts per variant stored for the previous day (UTC). */
    variantCount: Count,
  }),
  /** SHA-256 (hex) of the JSON of all preceding properties, in this order, without whitespace. */
  sum: Type.String(),
})
export type InstanceStatistics = Static<typeof InstanceStatistics>

const NoTrends = Type.Array(Type.Object({}), { maxItems: 0 })

/**
 * Response of `GET /api/admin/insights`. Contains current values only, because weekly history is not stored. `stats` of
 * projects covers past periods.
 */
export const Insights = Type.Object({
  /**
   * Numbers of users. Users who have been seen recently are active; the rule is the same as in the list of inactive
   * users.
   */
  users: Type.Object({ total: Count, inactive: Count, active: Count }),
  flags: Type.Object({ total: Count }),
  userTrends: NoTrends,
  flagTrends: NoTrends,
  projectFlagTrends: NoTrends,
  metricsSummaryTrends: NoTrends,
  environmentTypeTrends: NoTrends,
})
export type Insights = Static<typeof Insights>

/** Response of `GET /api/admin/telemetry/settings`: data that a server reports to its vendor. */
export const TelemetrySettings = Type.Object({
  versionInfoCollectionEnabled: Type.Boolean(),
  featureInfoCollectionEnabled: Type.Boolean(),
})
