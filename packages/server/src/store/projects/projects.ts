import type { Environment } from '@burgee/protocol/project'
import type { Selectable } from 'kysely'
import type { Reader, Schema } from '../database.ts'

/** A row of the table of projects. */
export type ProjectRow = Selectable<Schema['projects']>

/** A project by id, archived or not. */
export function projectById(reader: Reader, id: string): Promise<ProjectRow | undefined> {
  return reader.selectFrom('projects').selectAll().where('id', '=', id).executeTakeFirst()
}

/** When something last happened in projects, milliseconds since 1970; none of projects of which there is no event. */
export async function lastEvents(reader: Reader): Promise<Map<string, number>> {
  const rows = await reader
    .selectFrom('projects as p')
    .select((eb) => [
      'p.id',
      eb
        .selectFrom('events as e')
        .select('e.created_at')
        .whereRef('e.project', '=', 'p.id')
        .orderBy('e.id', 'desc')
        .limit(1)
        .as('at'),
    ])
    .execute()
  return new Map(rows.flatMap(({ id, at }) => (at === null ? [] : [[id, Number(at)]])))
}

/** All environments in their order, with what uses them. */
export async function listEnvironments(reader: Reader): Promise<Environment[]> {
  const rows = await reader.selectFrom('environments').selectAll().orderBy('sort_order').orderBy('name').execute()
  const projects = await reader
    .selectFrom('project_environments')
    .select(({ fn }) => ['environment', fn.countAll<number>().as('count')])
    .groupBy('environment')
    .execute()
  const tokens = await reader
    .selectFrom('api_tokens')
    .select(({ fn }) => ['environment', fn.countAll<number>().as('count')])
    .groupBy('environment')
    .execute()
  const toggles = await reader
    .selectFrom('feature_environments as x')
    .innerJoin('features as f', 'f.name', 'x.feature_name')
    .select(({ fn }) => ['x.environment', fn.countAll<number>().as('count')])
    .where('x.enabled', '=', 1)
    .where('f.archived_at', 'is', null)
    .groupBy('x.environment')
    .execute()
  const countIn = (counts: readonly { environment: string; count: number }[], name: string) =>
    Number(counts.find((row) => row.environment === name)?.count ?? 0)
  return rows.map((row) => ({
    name: row.name,
    type: row.type,
    sortOrder: row.sort_order,
    enabled: row.enabled === 1,
    protected: row.protected === 1,
    projectCount: countIn(projects, row.name),
    apiTokenCount: countIn(tokens, row.name),
    enabledToggleCount: countIn(toggles, row.name),
  }))
}

/** Names of all environments. */
export async function environmentNames(reader: Reader): Promise<string[]> {
  return (await reader.selectFrom('environments').select('name').execute()).map((row) => row.name)
}

/** Names of environments by project, in their order. */
export async function projectEnvironments(reader: Reader): Promise<Map<string, string[]>> {
  const rows = await reader
    .selectFrom('project_environments as p')
    .innerJoin('environments as e', 'e.name', 'p.environment')
    .select(['p.project', 'e.name'])
    .orderBy('e.sort_order')
    .orderBy('e.name')
    .execute()
  const found = new Map<string, string[]>()
  for (const { project, name } of rows) found.set(project, [...(found.get(project) ?? []), name])
  return found
}
