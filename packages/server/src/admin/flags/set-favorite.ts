import { putFavorite, removeFavorite } from '@burgee/storage/queries/access/people'
import type { Change } from '../../core/execute.ts'
import { requireProject } from '../../core/project-ref.ts'
import { requireFeature } from './feature-ref.ts'

/** Object that a user marks as favorite: a flag, or a project if no flag is given. */
export interface Favorite {
  readonly userId: number
  readonly project: string
  readonly feature?: string
}

/** Adds or removes a favorite. Creates no event if nothing changes. Throws NotFoundError. */
export const setFavorite: Change<Favorite & { isOne: boolean }, void> = async (tx, { isOne, ...favorite }) => {
  const { project, feature } = favorite
  if (feature !== undefined) await requireFeature(tx, { project, feature })
  else await requireProject(tx, project)
  const isChange = isOne ? await putFavorite(tx, favorite) : await removeFavorite(tx, favorite)
  if (!isChange) return { result: undefined, events: [] }
  const verb = isOne ? 'favorited' : 'unfavorited'
  const kind = feature === undefined ? 'project' : 'feature'
  const data = feature === undefined ? { project } : { feature }
  const event = { type: `${kind}-${verb}`, project, featureName: feature, data } as const
  return { result: undefined, events: [event] }
}
