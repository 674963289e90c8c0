import { BoundedCache } from '@burgee/kit/bounded-cache'
import { readFavoriteFeatures } from '@burgee/storage/queries/access/people'
import type { StoredEvent } from '@burgee/storage/queries/events/events'
import type { World } from '../../core/world.ts'

/** Favorite flags of users. */
export interface Favorites {
  /** Returns the names of a user's favorite flags; empty for API tokens. Rejects on database errors. */
  readNames(userId: number | undefined): Promise<ReadonlySet<string>>
  /** Number that increases whenever the favorites of any user may have changed. */
  readonly version: number
  close(): void
}

const CACHE_BOUNDS = { entries: 1000 }
const NONE: ReadonlySet<string> = new Set()
/** Events that change the favorites of their author. */
const AUTHOR_EVENTS: ReadonlySet<string> = new Set(['feature-favorited', 'feature-unfavorited'])
const GLOBAL_EVENTS: ReadonlySet<string> = new Set(['feature-deleted', 'user-deleted', 'instance-imported'])

/** Creates a cache for the favorites of a thousand users; events invalidate the entries. */
export function createFavorites({ db, broadcast }: Pick<World, 'db' | 'broadcast'>): Favorites {
  const kept = new BoundedCache<ReadonlySet<string>, number>(CACHE_BOUNDS)
  let version = 0
  const hear = (events: readonly StoredEvent[]) => {
    for (const { type, createdByUserId } of events) {
      if (!AUTHOR_EVENTS.has(type) && !GLOBAL_EVENTS.has(type)) continue
      version += 1
      if (AUTHOR_EVENTS.has(type)) kept.delete(createdByUserId)
      else kept.deleteWhere(() => true)
    }
  }
  const unsubscribe = broadcast.subscribe(hear, () => {
    version += 1
    kept.deleteWhere(() => true)
  })
  return {
    get version() {
      return version
    },
    async readNames(userId) {
      if (userId === undefined) return NONE
      const known = kept.get(userId)
      if (known !== undefined) return known
      for (;;) {
        const before = version
        const read = await readFavoriteFeatures(db.reader, userId)
        // favorites changed during the query, so repeat it
        if (before !== version) continue
        kept.set(userId, read)
        return read
      }
    },
    close: unsubscribe,
  }
}
