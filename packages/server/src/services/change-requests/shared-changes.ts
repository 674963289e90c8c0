import type { ChangeAction, ChangePayload } from '@burgee/protocol/administration/change-request'
import { type ChangeRow, changesOf } from '../../store/change-requests/changes.ts'
import type { RequestRow } from '../../store/change-requests/requests.ts'
import { guardedPlaces } from '../../store/change-requests/settings.ts'
import type { Reader } from '../../store/database.ts'
import type { ProjectPlace } from '../../store/projects/environments.ts'
import { type Actor, requireRight } from '../access/rights/rights.ts'
import { projectOf, requireSegment } from '../targeting/segments.ts'

/** What all environments share, and the right to do it directly, which whoever applies it must have too. */
const SHARED: Partial<Record<ChangeAction, string>> = {
  archiveFeature: 'DELETE_FEATURE',
  addDependency: 'UPDATE_FEATURE_DEPENDENCY',
  deleteDependency: 'UPDATE_FEATURE_DEPENDENCY',
  updateSegment: 'UPDATE_SEGMENT',
  deleteSegment: 'DELETE_SEGMENT',
}

/**
 * Where a request must be reviewed: in its environment, and where it changes what all environments share in each of its
 * project that takes changes by change request only. Who reviews one environment alone decides nothing for another one.
 */
export async function placesToReview(reader: Reader, request: RequestRow): Promise<ProjectPlace[]> {
  const { project, environment } = request
  const own = { project, environment }
  const isShared = (await changesOf(reader, [request.id])).some(({ action }) => SHARED[action] !== undefined)
  if (!isShared) return [own]
  const others = await guardedPlaces(reader, [project])
  return [own, ...others.filter((place) => place.isUsed && place.environment !== environment)]
}

/**
 * Refuses to apply what all environments share to who could not do it directly: who may apply in one environment does not
 * by that archive flags in others, or change segments of other projects. Throws NoAccessError, NotFoundError.
 */
export async function requireSharedRights(
  reader: Reader,
  { project }: RequestRow,
  { actor, changes }: { readonly actor: Pick<Actor, 'grants'>; readonly changes: readonly ChangeRow[] },
): Promise<void> {
  for (const change of changes) {
    const right = SHARED[change.action]
    if (right === undefined) continue
    const projects = change.segment_id === null ? [project] : await projectsOfSegment(reader, change.segment_id, change)
    for (const one of projects) requireRight(actor, right, { project: one })
  }
}

/** Where a segment belongs before a change and after it; null for what belongs to all. */
async function projectsOfSegment(
  reader: Reader,
  id: number,
  { action, payload }: Pick<ChangeRow, 'action' | 'payload'>,
): Promise<(string | null)[]> {
  const { project } = await requireSegment(reader, id)
  if (action !== 'updateSegment') return [project]
  return [project, projectOf(payload as ChangePayload<'updateSegment'>, project)]
}
