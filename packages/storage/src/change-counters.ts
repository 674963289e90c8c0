import type { Reader, Tx } from './database.ts'

/**
 * Kinds of changes that write no event. 'usage': usage counts, or the time at which a flag was last used, have changed.
 * 'overdue': some flags are no longer older than the expected lifetime of their type.
 */
export type ChangeCounterName = 'usage' | 'overdue'

/** Change counters, one for each kind of change. A change that writes no event increments the counter for its kind. */
export type ChangeCounters = Readonly<Record<ChangeCounterName, number>>

/** Reads all counters in one query. */
export async function readChangeCounters(reader: Reader): Promise<ChangeCounters> {
  const rows = await reader.selectFrom('change_marks').select(['name', 'revision']).execute()
  const of = (name: ChangeCounterName) => rows.find((row) => row.name === name)?.revision ?? 0
  return { usage: of('usage'), overdue: of('overdue') }
}

/**
 * Increments a counter. Must be the last statement of its transaction: it locks the row until the commit, and other
 * transactions wait for the lock.
 */
export async function incrementChangeCounter(tx: Tx, name: ChangeCounterName): Promise<void> {
  await tx
    .updateTable('change_marks')
    .set(({ eb }) => ({ revision: eb('revision', '+', 1) }))
    .where('name', '=', name)
    .execute()
}
