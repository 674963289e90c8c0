import type { Selectable } from 'kysely'
import type { Reader, Schema, Tx } from '../database.ts'

/** A comment on a flag. */
export type FeatureCommentRow = Selectable<Schema['feature_comments']>

/** Comments on a flag, oldest first. */
export function commentsOfFeature(reader: Reader, feature: string): Promise<FeatureCommentRow[]> {
  return reader.selectFrom('feature_comments').selectAll().where('feature_name', '=', feature).orderBy('id').execute()
}

/** Adds a comment; as it is stored. */
export function insertFeatureComment(tx: Tx, row: Omit<FeatureCommentRow, 'id'>): Promise<FeatureCommentRow> {
  return tx.insertInto('feature_comments').values(row).returningAll().executeTakeFirstOrThrow()
}

/** Gives a comment another text. */
export async function changeComment(tx: Tx, { id, ...to }: Pick<FeatureCommentRow, 'id' | 'text' | 'edited_at'>) {
  await tx.updateTable('feature_comments').set(to).where('id', '=', id).execute()
}

/** Removes a comment. */
export async function dropComment(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('feature_comments').where('id', '=', id).execute()
}
