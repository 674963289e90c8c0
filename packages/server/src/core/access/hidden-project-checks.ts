import type { Caller } from '@burgee/kit/http/route'
import { notFound } from '@burgee/kit/input/refusals'
import type { Actor } from './rights/rights.ts'

/** Functions that tell which projects are hidden from a user. */
export interface HiddenProjectLookups {
  /** Returns the private projects of which a user is not a member. */
  readonly listHiddenProjects: (userId: number, grants: Actor['grants']) => Promise<readonly string[]>
  /**
   * Returns the project of a flag. For a deleted flag, returns its last project. Returns undefined if the flag never
   * existed.
   */
  readonly findProject: (feature: string) => Promise<string | undefined>
  /** Returns the ids of all projects. */
  readonly listProjectIds: () => Promise<readonly string[]>
}

/** Throws NotFoundError if the path names a project that is hidden from the actor, or a flag in such a project. */
export async function refuseHidden(
  { findProject }: HiddenProjectLookups,
  { hidden = [] }: Actor,
  { params }: Caller,
): Promise<void> {
  if (hidden.length === 0) return
  const { projectId, featureName } = params
  if (projectId !== undefined && hidden.includes(projectId)) throw notFound(`There is no project "${projectId}".`)
  if (projectId !== undefined || featureName === undefined) return
  const project = await findProject(featureName)
  if (project !== undefined && hidden.includes(project)) throw notFound(`There is no flag "${featureName}".`)
}

/** Returns the projects that a user can see: `*` if no project is hidden, otherwise a list. */
export async function listVisibleProjects(
  { listHiddenProjects, listProjectIds }: HiddenProjectLookups,
  userId: number,
  grants: Actor['grants'],
): Promise<readonly string[]> {
  const hidden = await listHiddenProjects(userId, grants)
  if (hidden.length === 0) return ['*']
  return (await listProjectIds()).filter((project) => !hidden.includes(project))
}
