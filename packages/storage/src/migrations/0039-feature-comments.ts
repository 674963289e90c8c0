import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Ddl } from '../ddl.ts'

/** Adds comments on flags. They are deleted with the flag, but stay when their author is deleted. */
export function featureComments({ key, id, identity }: Ddl): Migration {
  return {
    up: async (db: Kysely<unknown>) => {
      await db.schema
        .createTable('feature_comments')
        .addColumn('id', id, identity)
        .addColumn('feature_name', key, (column) => column.notNull().references('features.name').onDelete('cascade'))
        .addColumn('text', 'text', (column) => column.notNull())
        .addColumn('created_by_user_id', 'integer', (column) => column.notNull())
        .addColumn('created_by', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('edited_at', 'bigint')
        .execute()
      const columns = ['feature_name', 'id']
      await db.schema.createIndex('feature_comments_of').on('feature_comments').columns(columns).execute()
    },
  }
}
