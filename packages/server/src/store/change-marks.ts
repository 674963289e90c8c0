import type { Reader, Tx } from './database.ts'

/**
 * What changes without an event: 'usage' is when flags were last asked for and how often, 'overdue' that a flag is not
 * any more older than its type lives.
 */
export type MarkName = 'usage' | 'overdue'

/** Numbers that grow with each such change. */
export type ChangeMarks = Readonly<Record<MarkName, number>>

/** Where the marks stand, in one query. */
export async function readMarks(reader: Reader): Promise<ChangeMarks> {
  const rows = await reader.selectFrom('change_marks').select(['name', 'revision']).execute()
  const of = (name: MarkName) => rows.find((row) => row.name === name)?.revision ?? 0
  return { usage: of('usage'), overdue: of('overdue') }
}

/**
 * Counts a change. The last statement of its transaction: the row is locked until the commit, and whoever holds it
 * waits for nothing any more.
 */
export async function moveMark(tx: Tx, name: MarkName): Promise<void> {
  await tx
    .updateTable('change_marks')
    .set(({ eb }) => ({ revision: eb('revision', '+', 1) }))
    .where('name', '=', name)
    .execute()
}
