import { sql } from 'kysely'
import type { Database, Tx } from '../database.ts'

/** Most rows that one statement reads and removes: some milliseconds, for nobody is to wait for it. */
export const BATCH_ROWS = 200

/** Removes or sums up at most `BATCH_ROWS` rows; answers whether there may be more. */
export type Step = (tx: Tx) => Promise<boolean>

const CLEANING_LOCK = sql<{ mine: boolean }>`select pg_try_advisory_xact_lock(1112888903, 2) as mine`

/**
 * Does one step in a transaction of its own, of all nodes of a database one at a time; undefined where another node is at
 * it.
 */
export function stepAlone(db: Pick<Database, 'kind' | 'count'>, step: Step): Promise<boolean | undefined> {
  return db.count(async (tx) => {
    if (db.kind === 'postgres') {
      const { rows } = await CLEANING_LOCK.execute(tx)
      if (rows[0]?.mine !== true) return undefined
    }
    return step(tx)
  })
}
