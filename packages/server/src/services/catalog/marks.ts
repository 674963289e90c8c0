import { type ChangeMarks, readMarks } from '../../store/change-marks.ts'
import type { World } from '../world.ts'

/** Where the marks of changes without an event stand, as far as this node knows. */
export interface Marks {
  /** At most half a second old, and never older than what this node has written. Rejects with what the database throws. */
  current(): Promise<ChangeMarks>
  /** This node has moved one. */
  moved(): void
}

const LONGEST_MS = 500

/** Asks for the marks when somebody wants to know, twice a second at most. */
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
