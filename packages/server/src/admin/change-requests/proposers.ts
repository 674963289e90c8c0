import { canPropose } from '@burgee/protocol/grant'
import { Problem } from '@burgee/protocol/problem'
import type { Reader } from '@burgee/storage/database'
import type { ProjectEnvironmentKey } from '@burgee/storage/queries/projects/environments'
import type { Actor } from '../../core/access/rights/rights.ts'
import { requireOpenProject } from '../../core/project-ref.ts'
import { requireProjectEnvironment } from './change-request-settings.ts'

/**
 * Rejects users who are not allowed to propose changes in a project. Throws NotFoundError, NoAccessError, and
 * InvalidOperationError for an archived project.
 */
export async function requireProposer(reader: Reader, actor: Actor, place: ProjectEnvironmentKey): Promise<void> {
  const { project } = place
  const { mode } = await requireOpenProject(reader, project)
  await requireProjectEnvironment(reader, place)
  if (canPropose(actor.grants, { project, mode })) return
  const message = `The project "${project}" is ${mode}: only its members may propose changes.`
  throw new Problem('NoAccessError', message)
}
