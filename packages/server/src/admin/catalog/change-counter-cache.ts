import { type ChangeCounters, readChangeCounters } from '@burgee/storage/change-counters'
import type { World } from '../../core/world.ts'

/** Counters of changes that create no event, as known to this node. */
export interface ChangeCounterCache {
  /**
   * Returns the counters. The counters are at most half a second old and include all writes of this node. Rejects on
   * database errors.
   */
  current(): Promise<ChangeCounters>
  /** Invalidates the cached counters after this node has changed a counter. */
  invalidate(): void
}

const MAX_AGE_MS = 500

/** Creates counters that are read on demand, at most twice a second. */
export function createChangeCounterCache({ db, monotonic }: Pick<World, 'db' | 'monotonic'>): ChangeCounterCache {
  let known: { readonly marks: ChangeCounters; readonly atMs: number } | undefined
  let reading: Promise<ChangeCounters> | undefined
  let moves = 0
  const read = async (): Promise<ChangeCounters> => {
    for (;;) {
      const [seen, atMs] = [moves, monotonic()]
      const marks = await readChangeCounters(db.reader)
      if (seen !== moves) continue
      known = { marks, atMs }
      return marks
    }
  }
  return {
    async current() {
      const age = known === undefined ? Number.POSITIVE_INFINITY : monotonic() - known.atMs
      if (known !== undefined && age < MAX_AGE_MS) return known.marks
      reading ??= read().finally(() => {
        reading = undefined
      })
      return reading
    },
    invalidate() {
      moves += 1
      known = undefined
    },
  }
}
