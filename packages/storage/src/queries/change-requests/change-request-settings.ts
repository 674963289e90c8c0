import type { Selectable } from 'kysely'
import { chunks } from '../../chunks.ts'
import type { Reader, Schema, Tx } from '../../database.ts'
import { defineStatement, type Placeholders } from '../../statement.ts'
import type { ProjectEnvironmentKey } from '../projects/environments.ts'

/**
 * Change-request settings for one environment of a project: whether change requests are required, and how many
 * approvals they need.
 */
export type SettingsRow = Selectable<Schema['change_request_settings']>

/** Environment that requires change requests, and whether the project still uses this environment. */
export interface GuardedEnvironment extends ProjectEnvironmentKey {
  readonly isUsed: boolean
}

/**
 * Returns the environments in the given projects that require change requests. Includes environments that a project no
 * longer uses.
 */
export async function listGuardedEnvironments(
  reader: Reader,
  projects: readonly string[],
): Promise<GuardedEnvironment[]> {
  const found: GuardedEnvironment[] = []
  for (const part of chunks(projects)) {
    const rows = await readGuardedRows(reader, { projects: part })
    found.push(...rows.map(({ used, ...place }) => ({ ...place, isUsed: used !== null })))
  }
  return found
}

const readGuardedRows = defineStatement(
  (reader, at: Placeholders<{ readonly projects: readonly string[] }>, projects: number) =>
    reader
      .selectFrom('change_request_settings as s')
      .leftJoin('project_environments as p', (join) =>
        join.onRef('p.project', '=', 's.project').onRef('p.environment', '=', 's.environment'),
      )
      .select(['s.project', 's.environment', 'p.environment as used'])
      .where('s.project', 'in', at.each('projects', projects))
      .where('s.enabled', '=', 1)
      .orderBy('s.project')
      .orderBy('s.environment'),
  ({ projects }) => [projects.length],
)

/** Returns the change-request settings of an environment in a project; undefined if none are stored. */
export function findSettings(
  reader: Reader,
  { project, environment }: ProjectEnvironmentKey,
): Promise<SettingsRow | undefined> {
  return reader
    .selectFrom('change_request_settings')
    .selectAll()
    .where('project', '=', project)
    .where('environment', '=', environment)
    .executeTakeFirst()
}

/** Returns the change-request settings of all environments in the given projects. */
export async function listSettingsOfProjects(reader: Reader, projects: readonly string[]): Promise<SettingsRow[]> {
  const found: SettingsRow[] = []
  for (const part of chunks(projects)) {
    found.push(
      ...(await reader.selectFrom('change_request_settings').selectAll().where('project', 'in', part).execute()),
    )
  }
  return found
}

/**
 * Returns the environments of a project in display order with their change-request settings. Includes protected
 * environments that the project no longer uses.
 */
export function listSettingsOfProject(reader: Reader, project: string) {
  return reader
    .selectFrom('environments as e')
    .leftJoin('project_environments as p', (join) =>
      join.onRef('p.environment', '=', 'e.name').on('p.project', '=', project),
    )
    .leftJoin('change_request_settings as s', (join) =>
      join.onRef('s.environment', '=', 'e.name').on('s.project', '=', project),
    )
    .select(['e.name as environment', 'e.type', 's.enabled', 's.required_approvals'])
    .where(({ eb, or }) => or([eb('p.project', 'is not', null), eb('s.enabled', '=', 1)]))
    .orderBy('e.sort_order')
    .orderBy('e.name')
    .execute()
}

/** Stores the change-request settings of an environment in a project. */
export async function putSettings(tx: Tx, row: SettingsRow): Promise<void> {
  const { enabled, required_approvals } = row
  await tx
    .insertInto('change_request_settings')
    .values(row)
    .onConflict((conflict) => conflict.columns(['project', 'environment']).doUpdateSet({ enabled, required_approvals }))
    .execute()
}
