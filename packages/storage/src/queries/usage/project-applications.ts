import type { Reader } from '../../database.ts'
import { selectVisibleInstances } from './applications.ts'

/** Application in an environment. */
export interface ApplicationEnvironment {
  readonly app_name: string
  readonly environment: string
}

/**
 * Returns the applications that have registered with a token for the project or have used its flags, each with its
 * environment; needs two queries.
 */
export async function listProjectApplications(reader: Reader, project: string): Promise<ApplicationEnvironment[]> {
  const registered = await reader
    .selectFrom('client_application_reach')
    .select(['app_name', 'environment'])
    .where('project', '=', project)
    .execute()
  const counted = await reader
    .selectFrom('client_metrics as m')
    .innerJoin('features as f', 'f.name', 'm.feature_name')
    .select(['m.app_name', 'm.environment'])
    .distinct()
    .where('f.project', '=', project)
    .execute()
  return [...registered, ...counted]
}

/** Returns the time at which each registered application was first seen. */
export async function readFirstSeenTimes(reader: Reader): Promise<ReadonlyMap<string, number>> {
  const rows = await reader.selectFrom('client_applications').select(['app_name', 'first_seen_at']).execute()
  return new Map(rows.map(({ app_name, first_seen_at }) => [app_name, Number(first_seen_at)]))
}

/** Returns the visible instances of the given applications, in no particular order. */
export function listProcesses(reader: Reader, names: readonly string[], hidden: readonly string[]) {
  return selectVisibleInstances(reader, hidden)
    .select(['i.app_name', 'i.instance_id', 'i.environment', 'i.sdk_version'])
    .where('i.app_name', 'in', [...names, ''])
    .execute()
}
