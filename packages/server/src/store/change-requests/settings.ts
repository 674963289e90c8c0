import type { Selectable } from 'kysely'
import { chunks } from '../chunks.ts'
import type { Reader, Schema, Tx } from '../database.ts'
import type { ProjectPlace } from '../projects/environments.ts'

/** Whether an environment of a project takes changes by change request only, and how many must approve. */
export type SettingsRow = Selectable<Schema['change_request_settings']>

/** Environments of these projects that take changes by change request only. */
export async function guardedPlaces(reader: Reader, projects: readonly string[]): Promise<ProjectPlace[]> {
  const found: ProjectPlace[] = []
  for (const part of chunks(projects)) {
    const rows = await reader
      .selectFrom('change_request_settings')
      .select(['project', 'environment'])
      .where('project', 'in', part)
      .where('enabled', '=', 1)
      .orderBy('project')
      .orderBy('environment')
      .execute()
    found.push(...rows)
  }
  return found
}

/** What an environment of a project is set to; undefined where nobody set anything. */
export function settingsOf(reader: Reader, { project, environment }: ProjectPlace): Promise<SettingsRow | undefined> {
  return reader
    .selectFrom('change_request_settings')
    .selectAll()
    .where('project', '=', project)
    .where('environment', '=', environment)
    .executeTakeFirst()
}

/** What environments of these projects are set to. */
export async function settingsOfProjects(reader: Reader, projects: readonly string[]): Promise<SettingsRow[]> {
  const found: SettingsRow[] = []
  for (const part of chunks(projects)) {
    found.push(
      ...(await reader.selectFrom('change_request_settings').selectAll().where('project', 'in', part).execute()),
    )
  }
  return found
}

/** All environments of a project in their order, with what they are set to. */
export function settingsOfProject(reader: Reader, project: string) {
  return reader
    .selectFrom('project_environments as p')
    .innerJoin('environments as e', 'e.name', 'p.environment')
    .leftJoin('change_request_settings as s', (join) =>
      join.onRef('s.project', '=', 'p.project').onRef('s.environment', '=', 'p.environment'),
    )
    .select(['p.environment', 'e.type', 's.enabled', 's.required_approvals'])
    .where('p.project', '=', project)
    .orderBy('e.sort_order')
    .orderBy('e.name')
    .execute()
}

/** Sets an environment of a project. */
export async function putSettings(tx: Tx, row: SettingsRow): Promise<void> {
  const { enabled, required_approvals } = row
  await tx
    .insertInto('change_request_settings')
    .values(row)
    .onConflict((conflict) => conflict.columns(['project', 'environment']).doUpdateSet({ enabled, required_approvals }))
    .execute()
}
