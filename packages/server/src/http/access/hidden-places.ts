import type { Caller } from '@burgee/kit/http/route'
import { notFound } from '@burgee/kit/input/refusals'
import type { Actor } from '../../services/access/rights/rights.ts'

/** From whom which projects are hidden, and where flags are. */
export interface Hiding {
  /** Private projects that a person is no member of. */
  readonly hiddenFrom: (userId: number, grants: Actor['grants']) => Promise<readonly string[]>
  /** The project of a flag, or the last project of a deleted one; undefined if there never was such a flag. */
  readonly projectOf: (feature: string) => Promise<string | undefined>
  /** Ids of all projects. */
  readonly allProjects: () => Promise<readonly string[]>
}

/** Throws NotFoundError where the path names a project, or a flag of one, that does not exist for the actor. */
export async function refuseHidden({ projectOf }: Hiding, { hidden = [] }: Actor, { params }: Caller): Promise<void> {
  if (hidden.length === 0) return
  const { projectId, featureName } = params
  if (projectId !== undefined && hidden.includes(projectId)) throw notFound(`There is no project "${projectId}".`)
  if (projectId !== undefined || featureName === undefined) return
  const project = await projectOf(featureName)
  if (project !== undefined && hidden.includes(project)) throw notFound(`There is no flag "${featureName}".`)
}

/** All projects (`*`), or those that are left where some are hidden from a person. */
export async function projectsSeenBy(
  { hiddenFrom, allProjects }: Hiding,
  userId: number,
  grants: Actor['grants'],
): Promise<readonly string[]> {
  const hidden = await hiddenFrom(userId, grants)
  if (hidden.length === 0) return ['*']
  return (await allProjects()).filter((project) => !hidden.includes(project))
}
