import type { Selectable } from 'kysely'
import type { Reader, Schema, Tx } from '../../database.ts'

/** Comment on a flag. */
export type FeatureCommentRow = Selectable<Schema['feature_comments']>

/** Lists the comments on a flag, oldest first. */
export function listFeatureComments(reader: Reader, feature: string): Promise<FeatureCommentRow[]> {
  return reader.selectFrom('feature_comments').selectAll().where('feature_name', '=', feature).orderBy('id').execute()
}

/** Inserts a comment on a flag and returns the stored row. */
export function insertFeatureComment(tx: Tx, row: Omit<FeatureCommentRow, 'id'>): Promise<FeatureCommentRow> {
  return tx.insertInto('feature_comments').values(row).returningAll().executeTakeFirstOrThrow()
}

/** Changes the text of a comment on a flag. */
export async function updateFeatureComment(
  tx: Tx,
  { id, ...to }: Pick<FeatureCommentRow, 'id' | 'text' | 'edited_at'>,
) {
  await tx.updateTable('feature_comments').set(to).where('id', '=', id).execute()
}

/** Deletes a comment on a flag. */
export async function removeFeatureComment(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('feature_comments').where('id', '=', id).execute()
}
