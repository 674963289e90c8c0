import { MAX_LISTED_REFERENCES } from '@burgee/protocol/administration/removal'
import {
  FeatureUsage,
  type FeatureUsageRow,
  FeatureUsageSummary,
  MAX_REFERENCES_PER_NAME,
  type UnknownFlag,
  UnknownFlags,
} from '@burgee/protocol/usage'
import { sumCounts } from '@burgee/protocol/usage/count-sum'
import { type NamePlaces, readUnknownPlaces } from '@burgee/storage/queries/code-references/unknown-places'
import { getFoldedBefore } from '@burgee/storage/queries/retention/old-usage'
import { listUnknownFlags, type UnknownFlagRow } from '@burgee/storage/queries/usage/unknown-flags'
import { getStoredSince, listFeatureUsage, startOfHour } from '@burgee/storage/queries/usage/usage-reads'
import Type from 'typebox'
import { LIST, SEARCH } from '../../core/http/problem-lists.ts'
import { type Routes, route } from '../../core/http/route.ts'
import { toReferences } from '../removal/code-links.ts'

const MAX_HOURS = 24 * 90
const DEFAULT_HOURS = 48
const COMMON = {
  method: 'GET',
  permission: null,
  tag: 'Usage',
  params: Type.Object({ featureName: Type.String() }),
  problems: SEARCH,
} as const

/**
 * Routes that return how often SDKs have evaluated a flag, according to the SDKs' reports. For a flag that is unknown
 * or was never evaluated, the lists are empty.
 */
export const usageRoutes: Routes = [
  route({
    ...COMMON,
    url: '/api/admin/client-metrics/features/:featureName',
    summary: 'Returns usage of a flag in the current and the last hour, by environment.',
    replies: { 200: { description: 'Usage', schema: FeatureUsageSummary } },
    handle: async ({ params: { featureName } }, world) => {
      const rows = await listFeatureUsage(world.db.reader, featureName, startOfHour(world.clock(), 1))
      return {
        version: 1,
        maturity: 'stable',
        featureName,
        lastHourUsage: sumByEnvironment(rows),
        seenApplications: [...new Set(rows.map((row) => row.appName))].sort(),
      }
    },
  }),
  route({
    ...COMMON,
    url: '/api/admin/client-metrics/features/:featureName/raw',
    summary:
      'Returns usage of a flag by hour, environment, application and variant; usage older than a week is by day (UTC).',
    query: Type.Object({
      hoursBack: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_HOURS, default: DEFAULT_HOURS })),
    }),
    replies: { 200: { description: 'Usage', schema: FeatureUsage } },
    handle: async ({ params: { featureName }, query }, world) => {
      const now = world.clock()
      const folded = getFoldedBefore(now, world.options.hourlyUsageRetentionDays)
      const sinceMs = getStoredSince(startOfHour(now, query.hoursBack ?? DEFAULT_HOURS), folded)
      const data = await listFeatureUsage(world.db.reader, featureName, sinceMs)
      return { version: 1, maturity: 'stable', featureName, data }
    },
  }),
  route({
    method: 'GET',
    url: '/api/admin/metrics/unknown-flags',
    permission: null,
    tag: 'Usage',
    summary: 'Lists unknown flag names in SDK requests, newest first; a few thousand at most.',
    description: 'Each name comes with the places in the scanned code that evaluate it.',
    replies: { 200: { description: 'Unknown flags', schema: UnknownFlags } },
    problems: LIST,
    handle: ({ access: { actor } }, world) =>
      world.db.view(async (reader) => {
        const byName = Map.groupBy(await listUnknownFlags(reader, actor.hidden), (row) => row.name)
        const found = { hidden: actor.hidden, limit: MAX_LISTED_REFERENCES }
        return { unknownFlags: toUnknownFlags(byName, await readUnknownPlaces(reader, [...byName.keys()], found)) }
      }),
  }),
]

function toUnknownFlags(
  byName: ReadonlyMap<string, readonly UnknownFlagRow[]>,
  places: ReadonlyMap<string, NamePlaces>,
): UnknownFlag[] {
  const iso = (time: number) => new Date(time).toISOString()
  return [...byName].map(([name, reports]) => {
    const { lastEventAt = null } = reports[0] ?? {}
    const { count = 0, rows = [] } = places.get(name) ?? {}
    return {
      name,
      lastSeenAt: iso(Math.max(...reports.map((row) => row.seenAt))),
      lastEventAt: lastEventAt === null ? null : iso(lastEventAt),
      reports: [...Map.groupBy(reports, (row) => row.appName)].map(([appName, environments]) => ({
        appName,
        environments: environments.map(({ environment, seenAt }) => ({ environment, seenAt: iso(seenAt) })),
      })),
      referenceCount: count,
      references: rows.flatMap(toReferences).slice(0, MAX_REFERENCES_PER_NAME),
    }
  })
}

function sumByEnvironment(rows: readonly FeatureUsageRow[]): FeatureUsageSummary['lastHourUsage'] {
  const sums = new Map<string, FeatureUsageSummary['lastHourUsage'][number]>()
  for (const { environment, timestamp, yes, no } of rows) {
    const key = JSON.stringify([environment, timestamp])
    const before = sums.get(key) ?? { environment, timestamp, yes: 0, no: 0 }
    sums.set(key, { ...before, yes: sumCounts(before.yes, yes), no: sumCounts(before.no, no) })
  }
  return [...sums.values()]
}
