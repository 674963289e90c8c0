import type { Application, ApplicationDetails } from '@burgee/protocol/application'
import type { Reader } from './database.ts'

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
  const row = await reader
    .selectFrom('client_applications')
    .selectAll()
    .where('app_name', '=', appName)
    .executeTakeFirst()
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

function applicationOf(row: { app_name: string; strategies: string[]; first_seen_at: number; last_seen_at: number }) {
  return {
    appName: row.app_name,
    strategies: row.strategies,
    createdAt: new Date(Number(row.first_seen_at)).toISOString(),
    lastSeen: new Date(Number(row.last_seen_at)).toISOString(),
  }
}
