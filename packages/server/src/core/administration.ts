import { type Catalog, FollowingCatalog } from '../admin/catalog/catalog.ts'
import { type ChangeCounterCache, createChangeCounterCache } from '../admin/catalog/change-counter-cache.ts'
import { createFavorites, type Favorites } from '../admin/catalog/favorites.ts'
import { createPageCache, type PageCache } from '../admin/catalog/page-cache.ts'
import { createProposedPlayground, type ProposedPlayground } from '../admin/change-requests/proposed-playground.ts'
import { createFlagOrigins } from '../admin/config/flag-origins.ts'
import { createFlagPages, type FlagPages } from '../admin/flags/flag-pages.ts'
import { createExplainEngines } from '../admin/playground/explain-engines.ts'
import { createPastPlayground, type PastPlayground } from '../admin/playground/past-playground.ts'
import { createPlayground, type Playground } from '../admin/playground/playground.ts'
import { createProjectPages, type ProjectPages } from '../admin/projects/project-pages.ts'
import { createStaleInbox, type StaleInbox } from '../admin/stale/stale-inbox.ts'
import { createSdkGaps } from '../admin/usage/sdk-gaps.ts'
import { createRevisions, type Revisions } from '../delivery/events/event-revisions.ts'
import type { OpenBroadcast } from '../delivery/events/shared-broadcast.ts'
import type { FlagOrigins } from './managed-objects.ts'
import type { World } from './world.ts'

/** In-memory read models of the admin API (ADR 0035). */
export interface Administration {
  readonly changeCounters: ChangeCounterCache
  readonly catalog: Catalog
  readonly favorites: Favorites
  readonly flagOrigins: FlagOrigins
  readonly flagPages: FlagPages
  readonly projectPages: ProjectPages
  readonly staleInbox: StaleInbox
  readonly playground: Playground
  readonly pastPlayground: PastPlayground
  readonly proposedPlayground: ProposedPlayground
  readonly revisions: Revisions
  /** Cached responses for the flag pages and the project pages. */
  readonly pageCache: { readonly flags: PageCache; readonly projects: PageCache }
}

const MAX_FLAG_PAGES_BYTES = 24 * 1024 * 1024
const MAX_PROJECT_PAGES_BYTES = 8 * 1024 * 1024

/** Creates the read models. The read models read the database on first use. */
export function createAdministration(world: World & { readonly broadcast: OpenBroadcast }): Administration {
  const marks = createChangeCounterCache(world)
  const catalog = new FollowingCatalog({ ...world, changeCounters: marks })
  const favorites = createFavorites(world)
  const flagOrigins = createFlagOrigins(world)
  const revisions = createRevisions(world.broadcast)
  // a cache contains the replies for one state only, so flag pages and project pages need separate caches
  const keptPages = {
    flags: createPageCache(MAX_FLAG_PAGES_BYTES),
    projects: createPageCache(MAX_PROJECT_PAGES_BYTES),
  }
  return {
    changeCounters: marks,
    catalog,
    favorites,
    revisions,
    pageCache: keptPages,
    flagOrigins,
    flagPages: createFlagPages({
      catalog,
      favorites,
      flagOrigins,
      pageCache: keptPages.flags,
      sdkGaps: createSdkGaps(world),
    }),
    projectPages: createProjectPages({
      db: world.db,
      clock: world.clock,
      changeCounters: marks,
      revisions,
      pageCache: keptPages.projects,
    }),
    staleInbox: createStaleInbox({ db: world.db, clock: world.clock, catalog }),
    playground: createPlayground({ catalog, engines: createExplainEngines(world) }),
    pastPlayground: createPastPlayground(world, catalog),
    proposedPlayground: createProposedPlayground(world, catalog),
  }
}
