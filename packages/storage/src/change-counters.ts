import type { Reader, Tx } from './database.ts'

/**
 * Kinds of changes that write no event. 'usage': the last use or the usage counts of flags have changed. 'overdue':
 * flags that exceeded the expected lifetime of their type no longer do.
 */
export type ChangeCounterName = 'usage' | 'overdue'

/** Counters by kind of change. A change without an event increases the counter of its kind. */
export type ChangeCounters = Readonly<Record<ChangeCounterName, number>>

/** Reads the counters in one query. */
export async function readChangeCounters(reader: Reader): Promise<ChangeCounters> {
  const rows = await reader.selectFrom('change_marks').select(['name', 'revision']).execute()
  const of = (name: ChangeCounterName) => rows.find((row) => row.name === name)?.revision ?? 0
  return { usage: of('usage'), overdue: of('overdue') }
}

/**
 * Increments a counter. Must be the last statement of its transaction: the row stays locked until the commit, and other
 * transactions wait for it.
 */
export async function incrementChangeCounter(tx: Tx, name: ChangeCounterName): Promise<void> {
  await tx
    .updateTable('change_marks')
    .set(({ eb }) => ({ revision: eb('revision', '+', 1) }))
    .where('name', '=', name)
    .execute()
}
