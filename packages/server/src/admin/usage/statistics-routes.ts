import { formatCsv } from '@burgee/kit/csv'
import { Reply } from '@burgee/kit/http/route'
import { Insights, InstanceStatistics, TelemetrySettings } from '@burgee/protocol/statistics'
import type { Actor } from '../../core/access/rights/rights.ts'
import { LIST } from '../../core/http/problem-lists.ts'
import { type HttpWorld, type Routes, route } from '../../core/http/route.ts'
import type { ServerOptions } from '../../core/options/options.ts'
import { VERSION, WIRE_VERSION } from '../../core/version.ts'
import { getInactivityCutoff } from '../access/people/inactive-users.ts'
import { readInsights } from '../projects/insights.ts'
import { countEverything, readYesterdaysBuckets, withChecksum } from '../projects/statistics.ts'

const STATISTICS = '/api/admin/instance-admin/statistics'
const common = { method: 'GET', permission: null, tag: 'System' } as const

/** Routes for instance statistics, and for the telemetry settings. Telemetry is always off. Source: wire protocol */
export const statisticsRoutes: Routes = [
  route({
    ...common,
    url: STATISTICS,
    summary: 'Returns version, size and connected SDKs of this server.',
    replies: { 200: { description: 'Counts', schema: InstanceStatistics } },
    problems: LIST,
    handle: ({ access: { actor } }, world) => loadStatistics(world, actor),
  }),
  route({
    ...common,
    url: `${STATISTICS}/csv`,
    summary: 'Returns the same statistics as CSV.',
    replies: {
      200: { description: 'Names and values; other types than numbers and strings are JSON', contentType: 'text/csv' },
    },
    problems: LIST,
    handle: async ({ access: { actor } }, world) => {
      const statistics = await loadStatistics(world, actor)
      const name = `unleash-${statistics.instanceId}-${Date.parse(statistics.timestamp)}.csv`
      return new Reply(200, formatCsv([statistics]), {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="${name}"`,
      })
    },
  }),
  route({
    ...common,
    url: '/api/admin/insights',
    summary: 'Counts active users and flags; there is no history.',
    replies: { 200: { description: 'Insights', schema: Insights } },
    problems: LIST,
    handle: (_input, { db, clock, options }) =>
      db.view((reader) => readInsights(reader, getInactivityCutoff(clock(), options))),
  }),
  route({
    ...common,
    url: '/api/admin/telemetry/settings',
    summary: 'Returns the telemetry sent to the vendor: none.',
    replies: { 200: { description: 'Collected data', schema: TelemetrySettings } },
    problems: LIST,
    handle: () => ({ versionInfoCollectionEnabled: false, featureInfoCollectionEnabled: false }),
  }),
]

async function loadStatistics(world: HttpWorld, { hidden }: Actor): Promise<InstanceStatistics> {
  const known = { now: world.clock(), isOidcOn: world.signIn.oidc().enabled, hidden }
  const counted = await world.db.scan(async (reader) => ({
    ...(await countEverything(reader, known)),
    previousDayMetricsBucketsCount: await readYesterdaysBuckets(reader, known.now),
  }))
  return withChecksum({
    instanceId: world.settings.instanceId(),
    version: VERSION,
    versionOSS: WIRE_VERSION,
    database: world.db.kind,
    retentionDays: getRetention(world.options),
    stored: toStoredSizes(world),
    ...counted,
  })
}

function toStoredSizes({ sizes }: HttpWorld): InstanceStatistics['stored'] {
  const last = sizes()
  return last === undefined ? null : { bytes: last.bytes, rows: Object.fromEntries(last.rows) }
}

function getRetention(options: ServerOptions): InstanceStatistics['retentionDays'] {
  return {
    events: options.eventRetentionDays,
    hourlyUsage: options.hourlyUsageRetentionDays,
    usage: options.usageRetentionDays,
    unseen: options.unseenRetentionDays,
    logins: options.loginRetentionDays,
    expiredTokens: options.expiredTokenRetentionDays,
    changeRequests: options.changeRequestRetentionDays,
  }
}
