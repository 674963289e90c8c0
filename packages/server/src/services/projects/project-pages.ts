import type { Content } from '@burgee/kit/http/content'
import type { Viewpoint } from '../../store/projects/project-counts.ts'
import type { KeptReplies } from '../catalog/kept-replies.ts'
import type { Marks } from '../catalog/marks.ts'
import type { Revisions } from '../revisions.ts'
import type { World } from '../world.ts'
import { projectOverview } from './project-views.ts'

/** Project pages of the admin API, as response bodies. */
export interface ProjectPages {
  /**
   * Returns the `ProjectOverview` of a project, which may be archived. Rejects with NotFoundError, or with database
   * errors.
   */
  overview(id: string, view: Viewpoint): Promise<Content>
}

/** Dependencies of the project pages. */
export interface ProjectPageSources extends Pick<World, 'db' | 'clock'> {
  readonly marks: Marks
  readonly revisions: Pick<Revisions, 'now'>
  readonly replies: KeptReplies
}

const MINUTE_MS = 60_000

/**
 * Creates the project pages. Their data is queried again after any change and once a minute: figures of the last 30
 * days and overdue flags change with time, without an event.
 */
export function createProjectPages({ db, clock, marks, revisions, replies }: ProjectPageSources): ProjectPages {
  const stateNow = () => `${revisions.now()} ${Math.floor(clock() / MINUTE_MS)}`
  return {
    async overview(id, view) {
      // rejects while the database is unavailable, so that no page without recent changes of other nodes is sent
      const { overdue } = await marks.current()
      const [state, question] = [stateNow(), JSON.stringify(['overview', id, view.userId ?? null, overdue])]
      const make = async () => [JSON.stringify(await db.view((reader) => projectOverview(reader, id, view)))]
      return replies.find(question, state) ?? replies.make(question, state, stateNow, make)
    },
  }
}
