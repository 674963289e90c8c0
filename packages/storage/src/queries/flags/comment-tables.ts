import type { Generated } from 'kysely'
import type { Millis } from '../../columns.ts'

/** Tables of comments on flags. */
export interface CommentTables {
  feature_comments: {
    id: Generated<number>
    feature_name: string
    text: string
    /** Id of the author. The comment keeps the author's name when the account is deleted. */
    created_by_user_id: number
    created_by: string
    created_at: Millis
    edited_at: Millis | null
  }
}
