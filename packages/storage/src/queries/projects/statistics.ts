import type { Reader, Schema } from '../../database.ts'
import { selectVisibleInstances } from '../usage/applications.ts'

const DAY_MS = 86_400_000

type CountedTable = 'projects' | 'environments' | 'segments' | 'context_fields' | 'strategy_types' | 'groups'

/** Counts the rows of a table. */
export async function countTableRows(reader: Reader, table: CountedTable & keyof Schema): Promise<number> {
  const row = await reader
    .selectFrom(table)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirst()
  return Number(row?.count ?? 0)
}

/** Counts live flags and archived flags. */
export async function countLiveAndArchivedFlags(reader: Reader): Promise<{ live: number; archived: number }> {
  const row = await reader
    .selectFrom('features')
    .select(({ fn }) => [fn.countAll<number>().as('all'), fn.count<number>('archived_at').as('archived')])
    .executeTakeFirst()
  const archived = Number(row?.archived ?? 0)
  return { live: Number(row?.all ?? 0) - archived, archived }
}

/** Returns the time of each user's last login, or null for a user who has never logged in; omits service accounts. */
export async function listLoginTimes(reader: Reader): Promise<(number | null)[]> {
  return (await reader.selectFrom('users').select('seen_at').where('is_service', '=', 0).execute()).map(
    (row) => row.seen_at,
  )
}

/** Counts service accounts, groups, roles, custom root roles, and custom root roles that are assigned to someone. */
export async function countAccess(reader: Reader) {
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
    groups: await countTableRows(reader, 'groups'),
    roles: roles.length,
    customRootRoles: made.length,
    customRootRolesInUse: made.filter((id) => used.has(id)).length,
  }
}

/** Returns the time at which each application was last seen, in milliseconds since 1970. */
export async function listApplicationTimes(reader: Reader): Promise<number[]> {
  const rows = await reader.selectFrom('client_applications').select('last_seen_at').execute()
  return rows.map((row) => Number(row.last_seen_at))
}

/** Counts API tokens by type. */
export async function countTokensByType(reader: Reader): Promise<ReadonlyMap<string, number>> {
  const rows = await reader
    .selectFrom('api_tokens')
    .select(({ fn }) => ['type', fn.countAll<number>().as('count')])
    .groupBy('type')
    .execute()
  return new Map(rows.map(({ type, count }) => [type, Number(count)]))
}

/**
 * Counts the application instances that reported within the last day, by SDK, most frequent SDK first. Instances of
 * hidden projects are counted under an unknown SDK: an SDK name is arbitrary text sent by the application and could
 * reveal something about the project.
 */
export async function countSdksSince(reader: Reader, now: number, hidden: readonly string[] = []) {
  const visible = await countSdks(selectVisibleInstances(reader, hidden), now)
  const all = hidden.length === 0 ? visible : await countSdks(selectVisibleInstances(reader, []), now)
  const sumOf = (counts: readonly SdkCount[]) => counts.reduce((sum, { count }) => sum + count, 0)
  const hiddenCount = sumOf(all) - sumOf(visible)
  const known = visible.filter(({ sdkVersion }) => hiddenCount === 0 || sdkVersion !== null)
  const unknown = {
    sdkVersion: null,
    count: sumOf(visible) - sumOf(known) + hiddenCount,
    lastSeen: Math.max(0, ...all.map(({ lastSeen }) => lastSeen)),
  }
  return [...known, ...(hiddenCount === 0 ? [] : [unknown])]
    .map(({ sdkVersion, count, lastSeen }) => ({
      sdkVersion,
      instances: count,
      lastSeen: new Date(lastSeen).toISOString(),
    }))
    .sort((a, b) => b.instances - a.instances || (a.sdkVersion ?? '').localeCompare(b.sdkVersion ?? ''))
}

interface SdkCount {
  readonly sdkVersion: string | null
  readonly count: number
  readonly lastSeen: number
}

async function countSdks(instances: ReturnType<typeof selectVisibleInstances>, now: number): Promise<SdkCount[]> {
  const rows = await instances
    .select(({ fn }) => [
      'i.sdk_version as sdkVersion',
      fn.countAll<number>().as('count'),
      fn.max<number>('i.last_seen_at').as('lastSeen'),
    ])
    .where('i.last_seen_at', '>', now - DAY_MS)
    .groupBy('i.sdk_version')
    .execute()
  return rows.map((row) => ({ ...row, count: Number(row.count), lastSeen: Number(row.lastSeen) }))
}
