import type { Reader, Tx } from '../database.ts'

/** Ids of the projects that only their members see, in order, with those that were removed: their history is left. */
export async function privateProjects(reader: Reader): Promise<string[]> {
  const rows = await reader
    .selectFrom('projects')
    .select('id')
    .where('mode', '=', 'private')
    .union(reader.selectFrom('removed_private_projects').select('id'))
    .orderBy('id')
    .execute()
  return rows.map((row) => row.id)
}

/** Whether one of the projects was not removed. */
export async function isAnyThere(reader: Reader, ids: readonly string[]): Promise<boolean> {
  if (ids.length === 0) return false
  const row = await reader.selectFrom('projects').select('id').where('id', 'in', ids).limit(1).executeTakeFirst()
  return row !== undefined
}

/** Whether a private project of this id was removed. */
export async function wasPrivate(reader: Reader, id: string): Promise<boolean> {
  const row = await reader.selectFrom('removed_private_projects').select('id').where('id', '=', id).executeTakeFirst()
  return row !== undefined
}

/** A private project goes, and what happened in it stays hidden. */
export async function keepHidden(tx: Tx, id: string): Promise<void> {
  await tx
    .insertInto('removed_private_projects')
    .values({ id })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** There is a project of this id again, whose mode says who sees it and what happened before. */
export async function hideNoLonger(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('removed_private_projects').where('id', '=', id).execute()
}
