import type { ChangeAction, ChangePayload } from '@burgee/protocol/administration/change-request'
import type { Reader } from '@burgee/storage/database'
import { listGuardedEnvironments } from '@burgee/storage/queries/change-requests/change-request-settings'
import { type ChangeRow, listChanges } from '@burgee/storage/queries/change-requests/changes'
import type { RequestRow } from '@burgee/storage/queries/change-requests/requests'
import type { ProjectEnvironmentKey } from '@burgee/storage/queries/projects/environments'
import { type Rights, requirePermission } from '../../core/access/rights/rights.ts'
import { getProject, requireSegment } from '../targeting/segments.ts'

/**
 * Actions that affect all environments, each with the permission to perform it directly. The same permission is
 * required to apply a change request that contains the action.
 */
const SHARED: Partial<Record<ChangeAction, string>> = {
  archiveFeature: 'DELETE_FEATURE',
  addDependency: 'UPDATE_FEATURE_DEPENDENCY',
  deleteDependency: 'UPDATE_FEATURE_DEPENDENCY',
  updateSegment: 'UPDATE_SEGMENT',
  deleteSegment: 'DELETE_SEGMENT',
}

/**
 * Returns the environments in which a request must be reviewed: the environment of the request and, if the request
 * changes a resource that all environments share, also every other protected environment of its project. A reviewer for
 * one environment must not decide about another environment.
 */
export async function listReviewEnvironments(reader: Reader, request: RequestRow): Promise<ProjectEnvironmentKey[]> {
  const { project, environment } = request
  const own = { project, environment }
  const isShared = (await listChanges(reader, [request.id])).some(({ action }) => SHARED[action] !== undefined)
  if (!isShared) return [own]
  const others = await listGuardedEnvironments(reader, [project])
  return [own, ...others.filter((place) => place.isUsed && place.environment !== environment)]
}

/**
 * Rejects changes that affect all environments, unless the actor is allowed to make them directly. The permission to
 * apply requests in one environment must not allow archiving flags in all environments, or changing segments of other
 * projects. Throws NoAccessError, NotFoundError.
 */
export async function requireSharedRights(
  reader: Reader,
  { project }: RequestRow,
  { actor, changes }: { readonly actor: Rights; readonly changes: readonly ChangeRow[] },
): Promise<void> {
  for (const change of changes) {
    const right = SHARED[change.action]
    if (right === undefined) continue
    const projects =
      change.segment_id === null ? [project] : await listSegmentProjects(reader, change.segment_id, change)
    for (const one of projects) requirePermission(actor, right, { project: one })
  }
}

/** Returns the projects of a segment before and after a change; null for a global segment. */
async function listSegmentProjects(
  reader: Reader,
  id: number,
  { action, payload }: Pick<ChangeRow, 'action' | 'payload'>,
): Promise<(string | null)[]> {
  const { project } = await requireSegment(reader, id)
  if (action !== 'updateSegment') return [project]
  return [project, getProject(payload as ChangePayload<'updateSegment'>, project)]
}
