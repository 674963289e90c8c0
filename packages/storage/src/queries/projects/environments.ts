import type { ProjectEnvironment } from '@burgee/protocol/environment'
import type { Environment } from '@burgee/protocol/project'
import type { DefaultStrategy } from '@burgee/protocol/targeting/strategy'
import { type Selectable, sql } from 'kysely'
import type { Reader, Schema, Tx } from '../../database.ts'

/** Row of the environment table. */
export type EnvironmentRow = Selectable<Schema['environments']>

/** Environment of a project. */
export interface ProjectEnvironmentKey {
  readonly project: string
  readonly environment: string
}

/** Returns an environment by name. */
export function findEnvironment(reader: Reader, name: string): Promise<EnvironmentRow | undefined> {
  return reader.selectFrom('environments').selectAll().where('name', '=', name).executeTakeFirst()
}

/** Returns the highest sort order of all environments; 0 if there are none. */
export async function readMaxSortOrder(reader: Reader): Promise<number> {
  const row = await reader
    .selectFrom('environments')
    .select(({ fn }) => fn.max<number | null>('sort_order').as('last'))
    .executeTakeFirst()
  return row?.last ?? 0
}

/** Updates all columns of an environment except its name. */
export async function updateEnvironmentRow(tx: Tx, { name, ...columns }: EnvironmentRow): Promise<void> {
  await tx.updateTable('environments').set(columns).where('name', '=', name).execute()
}

/** Returns what prevents the removal of an environment: the projects that use it, and the number of its API tokens. */
export async function readEnvironmentUses(
  reader: Reader,
  name: string,
): Promise<{ projects: string[]; tokens: number }> {
  const projects = await listProjectsUsingEnvironment(reader, name)
  const tokens = await reader
    .selectFrom('api_tokens')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('environment', '=', name)
    .executeTakeFirst()
  return { projects, tokens: Number(tokens?.count ?? 0) }
}

/** Returns the ids of the projects that use an environment. */
export async function listProjectsUsingEnvironment(reader: Reader, environment: string): Promise<string[]> {
  const rows = await reader
    .selectFrom('project_environments')
    .select('project')
    .where('environment', '=', environment)
    .orderBy('project')
    .execute()
  return rows.map((row) => row.project)
}

/** Lists the projects that use only this environment, including archived projects, sorted by id. */
export async function listProjectsWithOnlyEnvironment(reader: Reader, environment: string): Promise<string[]> {
  const rows = await reader
    .selectFrom('project_environments as p')
    .select('p.project')
    .where('p.environment', '=', environment)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('project_environments as other')
            .select('other.project')
            .whereRef('other.project', '=', 'p.project')
            .where('other.environment', '!=', environment),
        ),
      ),
    )
    .orderBy('p.project')
    .execute()
  return rows.map((row) => row.project)
}

/** Lists the names of roles that have permissions limited to this environment, sorted. */
export async function listRolesInEnvironment(reader: Reader, environment: string): Promise<string[]> {
  const rows = await reader
    .selectFrom('role_permissions as p')
    .innerJoin('roles as r', 'r.id', 'p.role_id')
    .select('r.name')
    .distinct()
    .where('p.environment', '=', environment)
    .orderBy('r.name')
    .execute()
  return rows.map((row) => row.name)
}

/** Returns true if a project uses an environment. */
export async function hasEnvironment(
  reader: Reader,
  { project, environment }: ProjectEnvironmentKey,
): Promise<boolean> {
  const row = await reader
    .selectFrom('project_environments')
    .select('project')
    .where('project', '=', project)
    .where('environment', '=', environment)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Adds an environment to a project. All flags of the project, including archived flags, are off in the new environment.
 */
export async function addEnvironmentToProject(tx: Tx, { project, environment }: ProjectEnvironmentKey): Promise<void> {
  await tx.insertInto('project_environments').values({ project, environment }).execute()
  await tx
    .insertInto('feature_environments')
    .columns(['feature_name', 'environment', 'enabled', 'variants'])
    .expression((eb) =>
      eb
        .selectFrom('features')
        .select(['name', eb.cast<string>(eb.val(environment), 'text').as('environment')])
        .select([eb.lit(0).as('enabled'), sql.lit('[]').as('variants')])
        .where('project', '=', project),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/**
 * Removes an environment from a project, including the configuration that the project's flags have in that environment.
 */
export async function removeEnvironmentFromProject(
  tx: Tx,
  { project, environment }: ProjectEnvironmentKey,
): Promise<void> {
  await tx
    .deleteFrom('feature_environments')
    .where('environment', '=', environment)
    .where('feature_name', 'in', (eb) => eb.selectFrom('features').select('name').where('project', '=', project))
    .execute()
  await tx
    .deleteFrom('project_environments')
    .where('project', '=', project)
    .where('environment', '=', environment)
    .execute()
}

/** Returns the default strategies for environments, in all projects or in one project. */
export async function listDefaultStrategies(
  reader: Reader,
  project?: string,
): Promise<(ProjectEnvironmentKey & { readonly strategy: DefaultStrategy })[]> {
  let query = reader.selectFrom('project_environment_defaults').selectAll()
  if (project !== undefined) query = query.where('project', '=', project)
  const rows = await query.execute()
  return rows.map(({ default_strategy, ...place }) => ({ ...place, strategy: default_strategy }))
}

/** Returns the default strategy for an environment in a project; undefined if none is set. */
export async function findDefaultStrategy(
  reader: Reader,
  { project, environment }: ProjectEnvironmentKey,
): Promise<DefaultStrategy | undefined> {
  const row = await reader
    .selectFrom('project_environment_defaults')
    .select('default_strategy')
    .where('project', '=', project)
    .where('environment', '=', environment)
    .executeTakeFirst()
  return row?.default_strategy
}

/** Sets the default strategy for an environment in a project. */
export async function putDefaultStrategy(
  tx: Tx,
  { project, environment }: ProjectEnvironmentKey,
  strategy: DefaultStrategy,
): Promise<void> {
  const default_strategy = JSON.stringify(strategy)
  await tx
    .insertInto('project_environment_defaults')
    .values({ project, environment, default_strategy })
    .onConflict((conflict) => conflict.columns(['project', 'environment']).doUpdateSet({ default_strategy }))
    .execute()
}

/** Converts a row to an environment without usage counts. */
export function toEnvironmentState(row: EnvironmentRow) {
  return {
    name: row.name,
    type: row.type,
    sortOrder: row.sort_order,
    enabled: row.enabled === 1,
    protected: row.protected === 1,
  }
}

/** Lists all environments in display order, each with the number of projects, tokens and flags that use it. */
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
  return rows.map((row) => ({
    ...toEnvironmentState(row),
    projectCount: getCount(projects, row.name),
    apiTokenCount: getCount(tokens, row.name),
    enabledToggleCount: getCount(toggles, row.name),
  }))
}

/** Lists all environments in display order, each with the data of one project. Takes five queries. */
export async function listProjectEnvironments(reader: Reader, project: string): Promise<ProjectEnvironment[]> {
  const rows = await reader.selectFrom('environments').selectAll().orderBy('sort_order').orderBy('name').execute()
  const used = await reader
    .selectFrom('project_environments')
    .select('environment')
    .where('project', '=', project)
    .execute()
  const tokens = await reader
    .selectFrom('api_tokens as t')
    .innerJoin('api_token_projects as p', 'p.token_id', 't.id')
    .select(({ fn }) => ['t.environment', fn.countAll<number>().as('count')])
    .where('p.project', '=', project)
    .groupBy('t.environment')
    .execute()
  const toggles = await reader
    .selectFrom('feature_environments as x')
    .innerJoin('features as f', 'f.name', 'x.feature_name')
    .select(({ fn }) => ['x.environment', fn.countAll<number>().as('count')])
    .where('f.project', '=', project)
    .where('x.enabled', '=', 1)
    .where('f.archived_at', 'is', null)
    .groupBy('x.environment')
    .execute()
  const defaults = new Map((await listDefaultStrategies(reader, project)).map((row) => [row.environment, row.strategy]))
  const visible = new Set(used.map((row) => row.environment))
  return rows.map((row) => {
    const defaultStrategy = defaults.get(row.name)
    return {
      ...toEnvironmentState(row),
      visible: visible.has(row.name),
      projectApiTokenCount: getCount(tokens, row.name),
      projectEnabledToggleCount: getCount(toggles, row.name),
      ...(defaultStrategy === undefined ? {} : { defaultStrategy }),
    }
  })
}

function getCount(counts: readonly { environment: string; count: number }[], name: string): number {
  return Number(counts.find((row) => row.environment === name)?.count ?? 0)
}
