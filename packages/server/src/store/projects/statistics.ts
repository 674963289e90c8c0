import type { Reader, Schema } from '../database.ts'

const DAY_MS = 86_400_000

type Counted = 'projects' | 'environments' | 'segments' | 'context_fields' | 'feature_strategies' | 'groups'

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

/** Last login of everybody; null for those who never did. Accounts of programs are not among them. */
export async function loginTimes(reader: Reader): Promise<(number | null)[]> {
  return (await reader.selectFrom('users').select('seen_at').where('is_service', '=', 0).execute()).map(
    (row) => row.seen_at,
  )
}

/** Accounts of programs, groups and roles; of roles that hold everywhere also those that were made, and are given. */
export async function accessCounts(reader: Reader) {
  const roles = await reader.selectFrom('roles').select(['id', 'type']).execute()
  const made = roles.filter(({ type }) => type === 'root-custom').map(({ id }) => id)
  const given = await reader
    .selectFrom('users')
    .select('root_role')
    .union(reader.selectFrom('groups').select(({ ref }) => ref('root_role').$notNull().as('root_role')))
    .execute()
  const used = new Set(given.map(({ root_role }) => root_role))
  const programs = await reader.selectFrom('users').select('id').where('is_service', '=', 1).execute()
  return {
    serviceAccounts: programs.length,
    groups: await rowCount(reader, 'groups'),
    roles: roles.length,
    customRootRoles: made.length,
    customRootRolesInUse: made.filter((id) => used.has(id)).length,
  }
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
