import type { Reader } from '../database.ts'
import { visibleInstances } from './applications.ts'

/** Application in an environment. */
export interface ApplicationPlace {
  readonly app_name: string
  readonly environment: string
}

/**
 * Returns applications, with their environments, that registered with a token for the project or have used its flags;
 * two queries.
 */
export async function applicationsOf(reader: Reader, project: string): Promise<ApplicationPlace[]> {
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

/** Returns when registered applications were first seen. */
export async function firstTimes(reader: Reader): Promise<ReadonlyMap<string, number>> {
  const rows = await reader.selectFrom('client_applications').select(['app_name', 'first_seen_at']).execute()
  return new Map(rows.map(({ app_name, first_seen_at }) => [app_name, Number(first_seen_at)]))
}

/** Returns the visible instances of these applications, in no particular order. */
export function processesOf(reader: Reader, names: readonly string[], hidden: readonly string[]) {
  return visibleInstances(reader, hidden)
    .select(['i.app_name', 'i.instance_id', 'i.environment', 'i.sdk_version'])
    .where('i.app_name', 'in', [...names, ''])
    .execute()
}
