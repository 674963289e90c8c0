import { type Catalog, FollowingCatalog } from './catalog/catalog.ts'
import { createFavorites, type Favorites } from './catalog/favorites.ts'
import { createKeptReplies } from './catalog/kept-replies.ts'
import { createMarks, type Marks } from './catalog/marks.ts'
import { createProposedPlayground, type ProposedPlayground } from './change-requests/proposed-playground.ts'
import { createFlagPages, type FlagPages } from './features/flag-pages.ts'
import { createExplainEngines } from './playground/explain-engines.ts'
import { createPastPlayground, type PastPlayground } from './playground/past-playground.ts'
import { createPlayground, type Playground } from './playground/playground.ts'
import { createProjectPages, type ProjectPages } from './projects/project-pages.ts'
import { createRevisions, type Revisions } from './revisions.ts'
import type { OpenBroadcast } from './shared-broadcast.ts'
import { createStaleInbox, type StaleInbox } from './stale/stale-flags.ts'
import { createSdkGaps } from './usage/sdk-gaps.ts'
import type { World } from './world.ts'

/** What people read of flags and projects, out of memory as far as it goes (ADR 0035). */
export interface Administration {
  readonly marks: Marks
  readonly catalog: Catalog
  readonly favorites: Favorites
  readonly flagPages: FlagPages
  readonly projectPages: ProjectPages
  readonly staleInbox: StaleInbox
  readonly playground: Playground
  readonly pastPlayground: PastPlayground
  readonly proposedPlayground: ProposedPlayground
  readonly revisions: Revisions
}

/** Reads nothing until somebody asks. */
export function createAdministration(world: World & { readonly broadcast: OpenBroadcast }): Administration {
  const marks = createMarks(world)
  const catalog = new FollowingCatalog({ ...world, marks })
  const favorites = createFavorites(world)
  const revisions = createRevisions(world.broadcast)
  const replies = createKeptReplies()
  return {
    ...{ marks, catalog, favorites, revisions },
    flagPages: createFlagPages({ catalog, favorites, replies, sdkGaps: createSdkGaps(world) }),
    projectPages: createProjectPages({ db: world.db, clock: world.clock, marks, revisions, replies }),
    staleInbox: createStaleInbox({ db: world.db, clock: world.clock, catalog }),
    playground: createPlayground({ catalog, engines: createExplainEngines(world) }),
    pastPlayground: createPastPlayground(world, catalog),
    proposedPlayground: createProposedPlayground(world, catalog),
  }
}
