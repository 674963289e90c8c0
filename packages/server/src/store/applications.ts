import type { Application, ApplicationDetails } from '@burgee/protocol/application'
import type { Selectable } from 'kysely'
import type { Reader, Schema, Tx } from './database.ts'

type ApplicationRow = Selectable<Schema['client_applications']>
type Instance = ApplicationDetails['instances'][number]

/** Applications by name, with where they run, and how many there are; three queries. */
export async function listApplications(
  reader: Reader,
  { text, limit, offset }: { readonly text: string; readonly limit: number; readonly offset: number },
): Promise<{ applications: Application[]; total: number }> {
  const rows = await reader.selectFrom('client_applications').selectAll().orderBy('app_name').execute()
  const found = rows.filter((row) => row.app_name.toLowerCase().includes(text.toLowerCase()))
  const page = found.slice(offset, offset + limit)
  const counts = await reader
    .selectFrom('client_instances')
    .select(({ fn }) => ['app_name', 'environment', fn.countAll<number>().as('count')])
    .where('app_name', 'in', [...page.map((row) => row.app_name), ''])
    .groupBy(['app_name', 'environment'])
    .orderBy('environment')
    .execute()
  const usage = Map.groupBy(counts, (row) => row.app_name)
  const applications = page.map((row) => ({
    ...applicationOf(row),
    usage: (usage.get(row.app_name) ?? []).map(({ environment, count }) => ({ environment, instances: Number(count) })),
  }))
  return { applications, total: found.length }
}

/** An application with its processes and the flags it asks for; undefined when nobody of that name was seen. */
export async function applicationNamed(reader: Reader, appName: string): Promise<ApplicationDetails | undefined> {
  const row = await applicationRow(reader, appName)
  if (row === undefined) return undefined
  const seen = await reader
    .selectFrom('client_metrics as m')
    .leftJoin('features as f', 'f.name', 'm.feature_name')
    .select(['m.feature_name as name', 'f.project'])
    .distinct()
    .where('m.app_name', '=', appName)
    .orderBy('m.feature_name')
    .execute()
  return { ...applicationOf(row), instances: await instancesOf(reader, appName), seenToggles: seen }
}

/** Processes of an application, in all environments or in one. */
export async function instancesOf(reader: Reader, appName: string, environment?: string): Promise<Instance[]> {
  let query = reader.selectFrom('client_instances').selectAll().where('app_name', '=', appName)
  if (environment !== undefined) query = query.where('environment', '=', environment)
  const rows = await query.orderBy('environment').orderBy('instance_id').execute()
  return rows.map((row) => ({
    instanceId: row.instance_id,
    environment: row.environment,
    sdkVersion: row.sdk_version,
    clientIp: row.address,
    lastSeen: new Date(Number(row.last_seen_at)).toISOString(),
  }))
}

/** An application as it is stored. */
export function applicationRow(reader: Reader, appName: string): Promise<ApplicationRow | undefined> {
  return reader.selectFrom('client_applications').selectAll().where('app_name', '=', appName).executeTakeFirst()
}

/** Adds or replaces an application. */
export async function putApplication(tx: Tx, { app_name, ...row }: ApplicationRow): Promise<void> {
  const columns = { ...row, strategies: JSON.stringify(row.strategies) }
  await tx
    .insertInto('client_applications')
    .values({ app_name, ...columns })
    .onConflict((conflict) => conflict.column('app_name').doUpdateSet(columns))
    .execute()
}

/** Removes an application with its processes; false when there is none. What it has counted stays. */
export async function deleteApplication(tx: Tx, appName: string): Promise<boolean> {
  await tx.deleteFrom('client_instances').where('app_name', '=', appName).execute()
  const { numDeletedRows } = await tx
    .deleteFrom('client_applications')
    .where('app_name', '=', appName)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** What an application has asked for, by environment; the project is null where there is no such flag any more. */
export function askedBy(
  reader: Reader,
  appName: string,
): Promise<{ name: string; environment: string; project: string | null }[]> {
  return reader
    .selectFrom('client_metrics as m')
    .leftJoin('features as f', (join) => join.onRef('f.name', '=', 'm.feature_name').on('f.archived_at', 'is', null))
    .select(['m.feature_name as name', 'm.environment', 'f.project'])
    .distinct()
    .where('m.app_name', '=', appName)
    .execute()
}

/** Versions of SDKs in use, each once for each application. */
export async function allSdkVersions(reader: Reader): Promise<{ sdkVersion: string; appName: string }[]> {
  const rows = await reader.selectFrom('client_instances').select(['sdk_version', 'app_name']).distinct().execute()
  return rows.flatMap(({ sdk_version: sdkVersion, app_name: appName }) =>
    sdkVersion === null ? [] : [{ sdkVersion, appName }],
  )
}

function applicationOf(row: ApplicationRow) {
  return {
    appName: row.app_name,
    description: row.description,
    url: row.url,
    color: row.color,
    icon: row.icon,
    strategies: row.strategies,
    createdAt: new Date(Number(row.first_seen_at)).toISOString(),
    lastSeen: new Date(Number(row.last_seen_at)).toISOString(),
  }
}
