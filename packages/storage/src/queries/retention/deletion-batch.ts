import { sql } from 'kysely'
import type { Database, Tx } from '../../database.ts'

/**
 * Maximum number of rows that one statement reads and deletes. A batch of this size takes only a few milliseconds, so
 * other transactions are not delayed.
 */
export const BATCH_ROWS = 200

/** Deletes or aggregates a batch of at most `BATCH_ROWS` rows; returns true if more rows may remain. */
export type BatchStep = (tx: Tx) => Promise<boolean>

const CLEANING_LOCK = sql<{ mine: boolean }>`select pg_try_advisory_xact_lock(1112888903, 2) as mine`

/**
 * Runs one batch in its own transaction. Among the nodes that share a database, only one runs a batch at a time.
 * Resolves with undefined if another node is running a batch.
 */
export function runStepExclusively(
  db: Pick<Database, 'kind' | 'count'>,
  step: BatchStep,
): Promise<boolean | undefined> {
  return db.count(async (tx) => {
    if (db.kind === 'postgres') {
      const { rows } = await CLEANING_LOCK.execute(tx)
      if (rows[0]?.mine !== true) return undefined
    }
    return step(tx)
  })
}
