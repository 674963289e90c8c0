import type { Generated } from 'kysely'
import type { Millis } from '../columns.ts'

/** What people say of flags. */
export interface CommentTables {
  feature_comments: {
    id: Generated<number>
    feature_name: string
    text: string
    /** Of a person who is gone the name stays. */
    created_by_user_id: number
    created_by: string
    created_at: Millis
    edited_at: Millis | null
  }
}
