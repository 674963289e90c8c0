import Type, { type Static } from 'typebox'

/** Schemas for the statistics of an instance. */

const Count = Type.Integer()

/**
 * Response of `GET /api/admin/instance-admin/statistics`. Source: wire protocol; fields that do not apply are omitted.
 */
export const InstanceStatistics = Type.Object({
  instanceId: Type.String(),
  timestamp: Type.String(),
  /** Version of this server. Burgee extension. */
  version: Type.String(),
  /** Version in the form that `ui-config` returns. */
  versionOSS: Type.String(),
  /** Kind of the database. Burgee extension. */
  database: Type.Enum(['sqlite', 'postgres']),
  /** Retention period, in days, for each kind of old data; 0 means unlimited. Burgee extension. */
  retentionDays: Type.Object({
    events: Count,
    /** Hourly usage counts. Counts older than this are added up by day. */
    hourlyUsage: Count,
    usage: Count,
    /**
     * Data about applications, their processes, and unknown flags. The retention period begins with their last report.
     */
    unseen: Count,
    /** Records of successful and failed logins. */
    logins: Count,
    expiredTokens: Count,
    /** Closed change requests. The retention period begins when a change request was applied, rejected or cancelled. */
    changeRequests: Count,
  }),
  /**
   * Size of the database in bytes, and number of rows in each of the tables that grow with use. Null until the first
   * measurement, one minute after startup. Burgee extension.
   */
  stored: Type.Union([Type.Object({ bytes: Type.Number(), rows: Type.Record(Type.String(), Count) }), Type.Null()]),
  /** Always empty, because only one edition exists. */
  versionEnterprise: Type.String(),
  users: Count,
  serviceAccounts: Count,
  groups: Count,
  /** Number of global roles and project roles. */
  roles: Count,
  customRootRoles: Count,
  customRootRolesInUse: Count,
  SAMLenabled: Type.Boolean(),
  OIDCenabled: Type.Boolean(),
  /** Number of users who last logged in at most this many days ago. */
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
  /** Number of applications that used flags within this period. */
  clientApps: Type.Array(Type.Object({ range: Type.Enum(['allTime', '30d', '7d']), count: Count })),
  /**
   * Number of processes seen within the last day, by SDK, most frequent SDK first; `sdkVersion` is null for an unknown
   * SDK. Burgee extension.
   */
  sdks: Type.Array(
    Type.Object({ sdkVersion: Type.Union([Type.String(), Type.Null()]), instances: Count, lastSeen: Type.String() }),
  ),
  /** Number of events in production environments in the last 30, 60 and 90 days. */
  productionChanges: Type.Object({ last30: Count, last60: Count, last90: Count }),
  /** Number of times that flags were exported or imported as a document, as far as the events are still stored. */
  featureExports: Count,
  featureImports: Count,
  /**
   * Number of usage counts stored for the previous day (UTC): there is one for each flag, application, environment and
   * hour.
   */
  previousDayMetricsBucketsCount: Type.Object({
    enabledCount: Count,
    /** Number of usage counts per variant stored for the previous day (UTC). */
    variantCount: Count,
  }),
  /** SHA-256 hash, in hexadecimal, of the JSON of all preceding properties, in this order and without whitespace. */
  sum: Type.String(),
})
export type InstanceStatistics = Static<typeof InstanceStatistics>

const NoTrends = Type.Array(Type.Object({}), { maxItems: 0 })

/**
 * Response of `GET /api/admin/insights`. Contains only current values, because no weekly history is stored. For earlier
 * periods, see `stats` of each project.
 */
export const Insights = Type.Object({
  /**
   * Numbers of users. Users who were seen recently count as active, by the same rule as in the list of inactive users.
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

/** Response of `GET /api/admin/telemetry/settings`: which data a server reports to its vendor. */
export const TelemetrySettings = Type.Object({
  versionInfoCollectionEnabled: Type.Boolean(),
  featureInfoCollectionEnabled: Type.Boolean(),
})
