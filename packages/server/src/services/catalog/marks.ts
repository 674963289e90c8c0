import { type ChangeMarks, readMarks } from '../../store/change-marks.ts'
import type { World } from '../world.ts'

/** Counters of changes that cause no event, as far as this node knows. */
export interface Marks {
  /**
   * Returns the counters, at most half a second old and never older than this node's own writes. Rejects on database
   * errors.
   */
  current(): Promise<ChangeMarks>
  /** Invalidates the cached counters after this node has changed one. */
  moved(): void
}

const LONGEST_MS = 500

/** Creates counters that are read on demand, at most twice a second. */
export function createMarks({ db, monotonic }: Pick<World, 'db' | 'monotonic'>): Marks {
  let known: { readonly marks: ChangeMarks; readonly atMs: number } | undefined
  let reading: Promise<ChangeMarks> | undefined
  let moves = 0
  const read = async (): Promise<ChangeMarks> => {
    for (;;) {
      const [seen, atMs] = [moves, monotonic()]
      const marks = await readMarks(db.reader)
      if (seen !== moves) continue
      known = { marks, atMs }
      return marks
    }
  }
  return {
    async current() {
      const age = known === undefined ? Number.POSITIVE_INFINITY : monotonic() - known.atMs
      if (known !== undefined && age < LONGEST_MS) return known.marks
      reading ??= read().finally(() => {
        reading = undefined
      })
      return reading
    },
    moved() {
      moves += 1
      known = undefined
    },
  }
}
