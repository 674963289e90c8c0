import type { Caller } from '@burgee/kit/http/route'
import type { World } from '../world.ts'
import { type HiddenName, hiddenName } from './hidden-names.ts'
import type { Actor } from './rights/rights.ts'

/** Lookups that determine which projects are hidden from a user. */
export interface HiddenProjectLookups {
  /** Returns random bytes, for the aliases of hidden names. */
  readonly random: World['random']
  /** Returns the private projects of which the user is not a member. */
  readonly listHiddenProjects: (userId: number, grants: Actor['grants']) => Promise<readonly string[]>
  /**
   * Returns the project of a flag. For a deleted flag, returns its last project. Returns undefined if the flag never
   * existed.
   */
  readonly findProject: (feature: string) => Promise<string | undefined>
  /** Returns the ids of all projects. */
  readonly listProjectIds: () => Promise<readonly string[]>
}

/**
 * Returns the names in the path that are hidden from the actor: a hidden project, or a flag in a hidden project. The
 * handler must treat these names as names that do not exist.
 */
export async function hiddenNamesIn(
  { findProject, random }: HiddenProjectLookups,
  { hidden }: Actor,
  { params }: Caller,
): Promise<readonly HiddenName[]> {
  if (hidden.length === 0) return []
  const { projectId, featureName } = params
  const names: HiddenName[] = []
  if (projectId !== undefined && hidden.includes(projectId)) names.push(hiddenName(random, 'projectId', projectId))
  if (featureName !== undefined) {
    const project = await findProject(featureName)
    if (project !== undefined && hidden.includes(project)) names.push(hiddenName(random, 'featureName', featureName))
  }
  return names
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
