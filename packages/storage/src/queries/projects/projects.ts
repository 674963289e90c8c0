import type { Selectable } from 'kysely'
import type { Reader, Schema } from '../../database.ts'

/** Row of the project table. */
export type ProjectRow = Selectable<Schema['projects']>

/** Returns a project by id, archived or not. */
export function findProject(reader: Reader, id: string): Promise<ProjectRow | undefined> {
  return reader.selectFrom('projects').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Returns the ids of all projects, including archived projects. */
export async function listProjectIds(reader: Reader): Promise<string[]> {
  return (await reader.selectFrom('projects').select('id').orderBy('id').execute()).map((row) => row.id)
}

/** Returns the time of each project's last event, in milliseconds since 1970; projects without events are omitted. */
export async function readLastEventTimes(reader: Reader): Promise<Map<string, number>> {
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

/** Returns the names of all environments in display order. */
export async function listEnvironmentNames(reader: Reader): Promise<string[]> {
  const rows = await reader.selectFrom('environments').select('name').orderBy('sort_order').orderBy('name').execute()
  return rows.map((row) => row.name)
}

/** Returns the names of each project's environments in display order, by project id. */
export async function readProjectEnvironmentNames(reader: Reader): Promise<Map<string, string[]>> {
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
