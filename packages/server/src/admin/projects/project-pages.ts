import type { Content } from '@burgee/kit/http/content'
import type { ProjectViewer } from '@burgee/storage/queries/projects/project-counts'
import type { World } from '../../core/world.ts'
import type { Revisions } from '../../delivery/events/event-revisions.ts'
import type { ChangeCounterCache } from '../catalog/change-counter-cache.ts'
import type { PageCache } from '../catalog/page-cache.ts'
import { readProjectOverview } from './project-views.ts'

/** Project pages of the admin API, as response bodies. */
export interface ProjectPages {
  /**
   * Returns the `ProjectOverview` of an active or archived project. Rejects with NotFoundError, or with database
   * errors.
   */
  overview(id: string, view: ProjectViewer): Promise<Content>
}

/** Dependencies of the project pages. */
export interface ProjectPageSources extends Pick<World, 'db' | 'clock'> {
  readonly changeCounters: ChangeCounterCache
  readonly revisions: Pick<Revisions, 'now'>
  readonly pageCache: PageCache
}

const MINUTE_MS = 60_000

/**
 * Creates the project pages. The data of a page is queried again after any change, and once a minute, because the
 * figures of the last 30 days and the number of overdue flags also change without events.
 */
export function createProjectPages({
  db,
  clock,
  changeCounters,
  revisions,
  pageCache,
}: ProjectPageSources): ProjectPages {
  const stateNow = () => `${revisions.now()} ${Math.floor(clock() / MINUTE_MS)}`
  return {
    async overview(id, view) {
      // rejects while the database is unavailable, because the page might lack recent changes made through other nodes
      const { overdue } = await changeCounters.current()
      const [state, question] = [stateNow(), JSON.stringify(['overview', id, view.userId ?? null, overdue])]
      const make = async () => [JSON.stringify(await db.view((reader) => readProjectOverview(reader, id, view)))]
      return pageCache.find(question, state) ?? pageCache.build(question, state, stateNow, make)
    },
  }
}
