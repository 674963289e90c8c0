import type { Reader, Schema } from '../database.ts'

const DAY_MS = 86_400_000

type Counted = 'projects' | 'environments' | 'segments' | 'context_fields' | 'feature_strategies'

/** How many rows a table has. */
export async function rowCount(reader: Reader, table: Counted & keyof Schema): Promise<number> {
  const row = await reader
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirst()
  return Number(row?.count ?? 0)
}

/** Flags in use and archived ones. */
export async function flagCounts(reader: Reader): Promise<{ live: number; archived: number }> {
  const row = await reader
    .selectFrom('features')
    .select(({ fn }) => [fn.countAll<number>().as('all'), fn.count<number>('archived_at').as('archived')])
    .executeTakeFirst()
  const archived = Number(row?.archived ?? 0)
  return { live: Number(row?.all ?? 0) - archived, archived }
}

/** Last login of everybody; null for those who never did. */
export async function loginTimes(reader: Reader): Promise<(number | null)[]> {
  return (await reader.selectFrom('users').select('seen_at').execute()).map((row) => row.seen_at)
}

/** When applications were last heard of. */
export async function applicationTimes(reader: Reader): Promise<number[]> {
  const rows = await reader.selectFrom('client_applications').select('last_seen_at').execute()
  return rows.map((row) => Number(row.last_seen_at))
}

/** API tokens by type. */
export async function tokenCounts(reader: Reader): Promise<ReadonlyMap<string, number>> {
  const rows = await reader
    .selectFrom('api_tokens')
    .select(({ fn }) => ['type', fn.countAll<number>().as('count')])
    .groupBy('type')
    .execute()
  return new Map(rows.map(({ type, count }) => [type, Number(count)]))
}

/** Processes heard of within the last day, by SDK, most first. */
export async function sdksSince(reader: Reader, now: number) {
  const rows = await reader
    .selectFrom('client_instances')
    .select(({ fn }) => [
      'sdk_version',
      fn.countAll<number>().as('count'),
      fn.max<number>('last_seen_at').as('last_seen_at'),
    ])
    .where('last_seen_at', '>', now - DAY_MS)
    .groupBy('sdk_version')
    .execute()
  return rows
    .map(({ sdk_version, count, last_seen_at }) => ({
      sdkVersion: sdk_version,
      instances: Number(count),
      lastSeen: new Date(Number(last_seen_at)).toISOString(),
    }))
    .sort((a, b) => b.instances - a.instances || (a.sdkVersion ?? '').localeCompare(b.sdkVersion ?? ''))
}
