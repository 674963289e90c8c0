import { Problem } from '@burgee/protocol/problem'
import type { Reader } from '../../store/database.ts'
import type { ProjectPlace } from '../../store/projects/environments.ts'
import { type Actor, may } from '../access/rights/rights.ts'
import { requireOpenProject } from '../projects/project-ref.ts'
import { requireProjectPlace } from './settings.ts'

/**
 * Who may propose changes: in an open project whoever is known, for somebody else approves; in another one who has a
 * right in it. Throws NotFoundError, NoAccessError, and InvalidOperationError for an archived project.
 */
export async function requirePlaceToPropose(reader: Reader, actor: Actor, place: ProjectPlace): Promise<void> {
  const { project } = place
  const { mode } = await requireOpenProject(reader, project)
  await requireProjectPlace(reader, place)
  if (mode === 'open' || may(actor, 'ADMIN')) return
  if (actor.grants.some((grant) => grant.project === project)) return
  const message = `The project "${project}" is ${mode}: only its members may propose changes.`
  throw new Problem('NoAccessError', message)
}
