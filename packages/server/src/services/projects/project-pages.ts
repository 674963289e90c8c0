import type { Content } from '@burgee/kit/http/content'
import type { Viewpoint } from '../../store/projects/project-counts.ts'
import type { KeptReplies } from '../catalog/kept-replies.ts'
import type { Marks } from '../catalog/marks.ts'
import type { Revisions } from '../revisions.ts'
import type { World } from '../world.ts'
import { projectOverview } from './project-views.ts'

/** What administration shows of projects, as bodies of replies. */
export interface ProjectPages {
  /** A `ProjectOverview`, also of an archived project. Rejects with NotFoundError, and with what the database throws. */
  overview(id: string, view: Viewpoint): Promise<Content>
}

/** What pages of projects are made of. */
export interface ProjectPageSources extends Pick<World, 'db' | 'clock'> {
  readonly marks: Marks
  readonly revisions: Pick<Revisions, 'now'>
  readonly replies: KeptReplies
}

const MINUTE_MS = 60_000

/**
 * Pages that are read from the database after any change, and once a minute: what they tell of the last 30 days, and of
 * flags that grow old, moves with the time and without an event.
 */
export function createProjectPages({ db, clock, marks, revisions, replies }: ProjectPageSources): ProjectPages {
  const stateNow = () => `${revisions.now()} ${Math.floor(clock() / MINUTE_MS)}`
  return {
    async overview(id, view) {
      // where the database is away nobody knows what others have changed
      const { overdue } = await marks.current()
      const [state, question] = [stateNow(), JSON.stringify(['overview', id, view.userId ?? null, overdue])]
      const make = async () => [JSON.stringify(await db.view((reader) => projectOverview(reader, id, view)))]
      return replies.find(question, state) ?? replies.make(question, state, stateNow, make)
    },
  }
}
