import { mayPropose } from '@burgee/protocol/grant'
import { Problem } from '@burgee/protocol/problem'
import type { Reader } from '../../store/database.ts'
import type { ProjectPlace } from '../../store/projects/environments.ts'
import type { Actor } from '../access/rights/rights.ts'
import { requireOpenProject } from '../projects/project-ref.ts'
import { requireProjectPlace } from './settings.ts'

/**
 * Rejects users who may not propose changes in a project. Throws NotFoundError, NoAccessError, and
 * InvalidOperationError for an archived project.
 */
export async function requirePlaceToPropose(reader: Reader, actor: Actor, place: ProjectPlace): Promise<void> {
  const { project } = place
  const { mode } = await requireOpenProject(reader, project)
  await requireProjectPlace(reader, place)
  if (mayPropose(actor.grants, { project, mode })) return
  const message = `The project "${project}" is ${mode}: only its members may propose changes.`
  throw new Problem('NoAccessError', message)
}
