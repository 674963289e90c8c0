import type { Environment, Project } from '@burgee/protocol/project'
import type { Reader } from './database.ts'

/** All projects by id, with their environments and how many flags they hold (archived ones not counted). */
export async function listProjects(reader: Reader): Promise<Project[]> {
  const rows = await reader.selectFrom('projects').selectAll().orderBy('id').execute()
  const links = await reader
    .selectFrom('project_environments as p')
    .innerJoin('environments as e', 'e.name', 'p.environment')
    .select(['p.project', 'e.name'])
    .orderBy('e.sort_order')
    .execute()
  const counts = await reader
    .selectFrom('features')
    .select(({ fn }) => ['project', fn.countAll<number>().as('count')])
    .where('archived_at', 'is', null)
    .groupBy('project')
    .execute()
  const environments = Map.groupBy(links, (link) => link.project)
  const countOf = new Map(counts.map((row) => [row.project, Number(row.count)]))
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    description: row.description,
    mode: row.mode,
    defaultStickiness: row.default_stickiness,
    favorite: false,
    featureCount: countOf.get(row.id) ?? 0,
    environments: (environments.get(row.id) ?? []).map((link) => link.name),
    createdAt: new Date(row.created_at).toISOString(),
  }))
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
