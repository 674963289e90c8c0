import type { Reader, Tx } from '../../database.ts'

/** Record of the user who added a project to an integration. */
export interface ProjectGrant {
  readonly integration_id: number
  readonly project: string
  /** Id of the user who added the project. Negative for admin tokens and for the server itself. */
  readonly granted_by: number
}

/** Replaces all project grants of an integration. `grantedBy` is the id of the user who added the projects. */
export async function putGrants(
  tx: Tx,
  integrationId: number,
  { projects, grantedBy }: { readonly projects: readonly string[]; readonly grantedBy: number },
): Promise<void> {
  await tx.deleteFrom('integration_project_grants').where('integration_id', '=', integrationId).execute()
  if (projects.length === 0) return
  await tx
    .insertInto('integration_project_grants')
    .values(projects.map((project) => ({ integration_id: integrationId, project, granted_by: grantedBy })))
    .execute()
}

/** Deletes the grants of an integration for some projects. */
export async function removeGrants(tx: Tx, integrationId: number, projects: readonly string[]): Promise<void> {
  await tx
    .deleteFrom('integration_project_grants')
    .where('integration_id', '=', integrationId)
    .where('project', 'in', projects)
    .execute()
}

/** Returns the project grants for the given projects, of all integrations. */
export async function listGrantsOfProjects(reader: Reader, projects: readonly string[]): Promise<ProjectGrant[]> {
  if (projects.length === 0) return []
  return reader.selectFrom('integration_project_grants').selectAll().where('project', 'in', projects).execute()
}
