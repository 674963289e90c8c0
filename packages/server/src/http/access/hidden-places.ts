import type { Caller } from '@burgee/kit/http/route'
import { notFound } from '@burgee/kit/input/refusals'
import type { Actor } from '../../services/access/rights/rights.ts'

/** Lookups of hidden projects. */
export interface Hiding {
  /** Returns the private projects that a person is not a member of. */
  readonly hiddenFrom: (userId: number, grants: Actor['grants']) => Promise<readonly string[]>
  /** Returns the project of a flag, or the last project of a deleted one; undefined if there never was such a flag. */
  readonly projectOf: (feature: string) => Promise<string | undefined>
  /** Returns the ids of all projects. */
  readonly allProjects: () => Promise<readonly string[]>
}

/** Throws NotFoundError if the path names a project, or a flag of one, that is hidden from the actor. */
export async function refuseHidden({ projectOf }: Hiding, { hidden = [] }: Actor, { params }: Caller): Promise<void> {
  if (hidden.length === 0) return
  const { projectId, featureName } = params
  if (projectId !== undefined && hidden.includes(projectId)) throw notFound(`There is no project "${projectId}".`)
  if (projectId !== undefined || featureName === undefined) return
  const project = await projectOf(featureName)
  if (project !== undefined && hidden.includes(project)) throw notFound(`There is no flag "${featureName}".`)
}

/** Returns all projects (`*`), or a list of the visible ones if some are hidden from the person. */
export async function projectsSeenBy(
  { hiddenFrom, allProjects }: Hiding,
  userId: number,
  grants: Actor['grants'],
): Promise<readonly string[]> {
  const hidden = await hiddenFrom(userId, grants)
  if (hidden.length === 0) return ['*']
  return (await allProjects()).filter((project) => !hidden.includes(project))
}
