import type { InstanceStatistics } from '@burgee/protocol/statistics'
import type { Reader } from '../../store/database.ts'
import {
  accessCounts,
  applicationTimes,
  flagCounts,
  loginTimes,
  rowCount,
  sdksSince,
  tokenCounts,
} from '../../store/projects/statistics.ts'

const DAY_MS = 86_400_000

/** What there is none of here, as whoever reads the figures by name wants to hear it. */
const NOT_HERE = { versionEnterprise: '', SAMLenabled: false, OIDCenabled: false }

/** What an installation holds and who talks to it, counted now; some fifteen queries however much it is. */
export async function countEverything(
  reader: Reader,
  now: number,
): Promise<Omit<InstanceStatistics, 'instanceId' | 'version' | 'versionOSS' | 'database' | 'retentionDays'>> {
  const logins = await loginTimes(reader)
  const apps = await applicationTimes(reader)
  const flags = await flagCounts(reader)
  const tokens = await tokenCounts(reader)
  const within = (days: number) => (time: number | null) => time !== null && time > now - days * DAY_MS
  const active = (days: number) => logins.filter(within(days)).length
  const appsWithin = (days: number) => apps.filter(within(days)).length
  return {
    timestamp: new Date(now).toISOString(),
    users: logins.length,
    ...NOT_HERE,
    ...(await accessCounts(reader)),
    activeUsers: { last7: active(7), last30: active(30), last60: active(60), last90: active(90) },
    projects: await rowCount(reader, 'projects'),
    environments: await rowCount(reader, 'environments'),
    featureToggles: flags.live,
    archivedFeatureToggles: flags.archived,
    segments: await rowCount(reader, 'segments'),
    strategies: await rowCount(reader, 'feature_strategies'),
    contextFields: await rowCount(reader, 'context_fields'),
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
    sdks: await sdksSince(reader, now),
  }
}
