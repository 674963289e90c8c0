import type { FeatureUsageRow } from '@burgee/protocol/usage'
import type { Reader } from '../../database.ts'

const HOUR_MS = 3_600_000
/** One day in milliseconds. */
export const DAY_MS = 24 * HOUR_MS

/** Returns the start of the day (UTC) that contains a time, in milliseconds since 1970. */
export function startOfDay(time: number): number {
  return time - (time % DAY_MS)
}

/** Returns the start of the hour that was the given number of hours ago, in milliseconds since 1970. */
export function startOfHour(now: number, hoursAgo: number): number {
  const time = now - hoursAgo * HOUR_MS
  return time - (time % HOUR_MS)
}

/**
 * Returns the earliest time that a query for usage since a given time must include. Before `folded`, counts are stored
 * by day, in the row for the first hour of the day; for a time before `folded`, the start of the day is returned.
 */
export function getStoredSince(sinceMs: number, folded: number | undefined): number {
  return folded !== undefined && sinceMs < folded ? startOfDay(sinceMs) : sinceMs
}

/** Counts the stored rows of flag counts and of variant counts in a time range; the end is exclusive. */
export async function countStoredBuckets(
  reader: Reader,
  { from, until }: { readonly from: number; readonly until: number },
): Promise<{ enabledCount: number; variantCount: number }> {
  const of = async (table: 'client_metrics' | 'client_metrics_variants') => {
    const query = reader.selectFrom(table).select(({ fn }) => fn.countAll<number>().as('count'))
    const row = await query.where('hour', '>=', from).where('hour', '<', until).executeTakeFirstOrThrow()
    return Number(row.count)
  }
  return { enabledCount: await of('client_metrics'), variantCount: await of('client_metrics_variants') }
}

/**
 * Returns the counts of one flag since a time (milliseconds since 1970), newest hour first, with their variants. Two
 * queries.
 */
export async function listFeatureUsage(
  reader: Reader,
  featureName: string,
  sinceMs: number,
): Promise<FeatureUsageRow[]> {
  const rows = await reader
    .selectFrom('client_metrics')
    .selectAll()
    .where('feature_name', '=', featureName)
    .where('hour', '>=', sinceMs)
    .orderBy('hour', 'desc')
    .orderBy('environment')
    .orderBy('app_name')
    .execute()
  const variants = await readVariantCounts(reader, featureName, sinceMs)
  return rows.map(({ app_name: appName, environment, hour, yes, no }) => ({
    featureName,
    appName,
    environment,
    timestamp: new Date(Number(hour)).toISOString(),
    yes: Number(yes),
    no: Number(no),
    variants: Object.fromEntries(variants.get(getRowKey(appName, environment, Number(hour))) ?? []),
  }))
}

async function readVariantCounts(
  reader: Reader,
  featureName: string,
  sinceMs: number,
): Promise<Map<string, [string, number][]>> {
  const rows = await reader
    .selectFrom('client_metrics_variants')
    .select(['app_name', 'environment', 'hour', 'variant', 'count'])
    .where('feature_name', '=', featureName)
    .where('hour', '>=', sinceMs)
    .orderBy('variant')
    .execute()
  const found = new Map<string, [string, number][]>()
  for (const { app_name: appName, environment, hour, variant, count } of rows) {
    const key = getRowKey(appName, environment, Number(hour))
    found.set(key, [...(found.get(key) ?? []), [variant, Number(count)]])
  }
  return found
}

function getRowKey(appName: string, environment: string, hour: number): string {
  return JSON.stringify([appName, environment, hour])
}
