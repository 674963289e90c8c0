import type { Reader } from '../../database.ts'

/** SDK that an application uses in an environment, with the projects of its tokens. */
export interface RunningSdk {
  readonly appName: string
  readonly environment: string
  readonly sdkVersion: string
  /** Project ids; `*` for all projects; empty if the projects are unknown. */
  readonly projects: readonly string[]
}

/**
 * Returns the SDKs that have registered since a time (milliseconds since 1970), or that have used a token since then
 * and identified themselves. Two queries.
 */
export async function listRunningSdks(reader: Reader, sinceMs: number): Promise<RunningSdk[]> {
  const registered = await reader
    .selectFrom('client_instances as i')
    .leftJoin('client_instance_projects as p', (join) =>
      join
        .onRef('p.app_name', '=', 'i.app_name')
        .onRef('p.instance_id', '=', 'i.instance_id')
        .onRef('p.environment', '=', 'i.environment'),
    )
    .select(['i.app_name', 'i.environment', 'i.sdk_version', 'p.project'])
    .distinct()
    .where('i.last_seen_at', '>=', sinceMs)
    .where('i.sdk_version', 'is not', null)
    .execute()
  const callers = await reader
    .selectFrom('api_token_callers as c')
    .innerJoin('api_tokens as t', 't.id', 'c.token_id')
    .leftJoin('api_token_projects as p', 'p.token_id', 'c.token_id')
    .select(['c.app_name', 't.environment', 'c.sdk_version', 't.all_projects', 'p.project'])
    .where('c.seen_at', '>=', sinceMs)
    .where('c.sdk_version', 'is not', null)
    .where('c.app_name', 'is not', null)
    .execute()
  const seen = [
    ...registered.map((row) => ({ ...row, projects: toProjectList(row) })),
    ...callers.map((row) => ({ ...row, projects: row.all_projects === 1 ? ['*'] : toProjectList(row) })),
  ]
  const groups = Map.groupBy(seen, (row) => JSON.stringify([row.app_name, row.environment, row.sdk_version]))
  return [...groups.values()].map((rows) => ({
    appName: rows[0]?.app_name ?? '',
    environment: rows[0]?.environment ?? '',
    sdkVersion: rows[0]?.sdk_version ?? '',
    projects: [...new Set(rows.flatMap(({ projects }) => projects))],
  }))
}

const toProjectList = ({ project }: { readonly project: string | null }) => (project === null ? [] : [project])

/**
 * Returns the applications that have reported usage of a flag since the start of an hour (milliseconds since 1970),
 * with their environments.
 */
export async function listRequestingApplications(
  reader: Reader,
  feature: string,
  sinceMs: number,
): Promise<{ readonly appName: string; readonly environment: string }[]> {
  return reader
    .selectFrom('client_metrics')
    .select(['app_name as appName', 'environment'])
    .distinct()
    .where('feature_name', '=', feature)
    .where('hour', '>=', sinceMs)
    .execute()
}
