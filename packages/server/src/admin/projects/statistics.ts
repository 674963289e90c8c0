import { hash } from 'node:crypto'
import type { EventType } from '@burgee/protocol/event'
import type { InstanceStatistics } from '@burgee/protocol/statistics'
import type { Reader } from '@burgee/storage/database'
import { countEventsByType, countProductionEvents } from '@burgee/storage/queries/events/event-counts'
import {
  countAccess,
  countLiveAndArchivedFlags,
  countSdksSince,
  countTableRows,
  countTokensByType,
  listApplicationTimes,
  listLoginTimes,
} from '@burgee/storage/queries/projects/statistics'
import { countStoredBuckets, DAY_MS, startOfDay } from '@burgee/storage/queries/usage/usage-reads'

/** Fixed values for fields that belong to Unleash features which this server lacks. */
const UNSUPPORTED_FEATURES = { versionEnterprise: '', SAMLenabled: false }

/** Fields that describe the server itself or are read from usage data. */
type Rest =
  | 'instanceId'
  | 'version'
  | 'versionOSS'
  | 'database'
  | 'retentionDays'
  | 'stored'
  | 'previousDayMetricsBucketsCount'
  | 'sum'

/** Current time, and values that are available without the database. */
export interface StatisticsContext {
  readonly now: number
  /** True if OpenID Connect login is enabled. */
  readonly isOidcOn: boolean
  /** Projects to hide: their SDK instances are counted as instances of an unknown SDK. */
  readonly hidden?: readonly string[] | undefined
}

/** Counts the content and the clients of an installation, with about twenty queries regardless of its size. */
export async function countEverything(
  reader: Reader,
  { now, isOidcOn, hidden }: StatisticsContext,
): Promise<Omit<InstanceStatistics, Rest>> {
  const logins = await listLoginTimes(reader)
  const apps = await listApplicationTimes(reader)
  const flags = await countLiveAndArchivedFlags(reader)
  const tokens = await countTokensByType(reader)
  const within = (days: number) => (time: number | null) => time !== null && time > now - days * DAY_MS
  const active = (days: number) => logins.filter(within(days)).length
  const appsWithin = (days: number) => apps.filter(within(days)).length
  return {
    timestamp: new Date(now).toISOString(),
    users: logins.length,
    ...UNSUPPORTED_FEATURES,
    OIDCenabled: isOidcOn,
    ...(await countAccess(reader)),
    activeUsers: { last7: active(7), last30: active(30), last60: active(60), last90: active(90) },
    projects: await countTableRows(reader, 'projects'),
    environments: await countTableRows(reader, 'environments'),
    featureToggles: flags.live,
    archivedFeatureToggles: flags.archived,
    segments: await countTableRows(reader, 'segments'),
    strategies: await countTableRows(reader, 'strategy_types'),
    contextFields: await countTableRows(reader, 'context_fields'),
    apiTokens: {
      client: tokens.get('client') ?? 0,
      frontend: tokens.get('frontend') ?? 0,
      admin: tokens.get('admin') ?? 0,
    },
    clientApps: [
      { range: 'allTime', count: apps.length },
      { range: '30d', count: appsWithin(30) },
      { range: '7d', count: appsWithin(7) },
    ],
    sdks: await countSdksSince(reader, now, hidden),
    productionChanges: await readProductionChanges(reader, now),
    ...(await readTransfers(reader)),
  }
}

/** Returns the number of usage counts that were stored for the previous day. */
export function readYesterdaysBuckets(
  reader: Reader,
  now: number,
): Promise<InstanceStatistics['previousDayMetricsBucketsCount']> {
  const today = startOfDay(now)
  return countStoredBuckets(reader, { from: today - DAY_MS, until: today })
}

/** Adds a checksum of the figures, so that a receiver can detect changes. */
export function withChecksum(figures: Omit<InstanceStatistics, 'sum'>): InstanceStatistics {
  return { ...figures, sum: hash('sha256', JSON.stringify(figures)) }
}

async function readProductionChanges(reader: Reader, now: number): Promise<InstanceStatistics['productionChanges']> {
  const [last30 = 0, last60 = 0, last90 = 0] = await countProductionEvents(
    reader,
    [30, 60, 90].map((days) => now - days * DAY_MS),
  )
  return { last30, last60, last90 }
}

async function readTransfers(reader: Reader): Promise<Pick<InstanceStatistics, 'featureExports' | 'featureImports'>> {
  const counts = await countEventsByType(reader, ['features-exported', 'features-imported'])
  const of = (type: EventType) => counts.get(type) ?? 0
  return { featureExports: of('features-exported'), featureImports: of('features-imported') }
}
