import type { Reader, Tx } from '../../database.ts'

/** Returns the ids of private projects, sorted. Includes removed projects, because their history must stay hidden. */
export async function listPrivateProjects(reader: Reader): Promise<string[]> {
  const rows = await reader
    .selectFrom('projects')
    .select('id')
    .where('mode', '=', 'private')
    .union(reader.selectFrom('removed_private_projects').select('id'))
    .orderBy('id')
    .execute()
  return rows.map((row) => row.id)
}

/** Returns true if one of the projects still exists. */
export async function hasAnyProject(reader: Reader, ids: readonly string[]): Promise<boolean> {
  if (ids.length === 0) return false
  const row = await reader.selectFrom('projects').select('id').where('id', 'in', ids).limit(1).executeTakeFirst()
  return row !== undefined
}

/** Returns true if a private project with this id was removed. */
export async function wasPrivate(reader: Reader, id: string): Promise<boolean> {
  const row = await reader.selectFrom('removed_private_projects').select('id').where('id', '=', id).executeTakeFirst()
  return row !== undefined
}

/** Records that a private project was removed, so that its history stays hidden. */
export async function recordRemovedPrivateProject(tx: Tx, id: string): Promise<void> {
  await tx
    .insertInto('removed_private_projects')
    .values({ id })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/**
 * Deletes the record that a private project was removed. Called when a project with the same id is created; from then
 * on, the visibility mode of the new project determines who can see the earlier history.
 */
export async function clearRemovedPrivateProject(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('removed_private_projects').where('id', '=', id).execute()
}
