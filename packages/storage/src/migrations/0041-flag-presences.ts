import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Ddl } from '../ddl.ts'

/**
 * Adds the flag that each user is viewing, valid for a minute, and users who hide that. Stores only the flag's name,
 * without a foreign key, so that presences do not block changes of flags. Also adds an index for the users who marked a
 * flag as a favorite.
 */
export function flagPresences({ key }: Ddl): Migration {
  return {
    up: async (db: Kysely<unknown>) => {
      const owned = (table: string) =>
        db.schema
          .createTable(table)
          .addColumn('user_id', 'integer', (column) =>
            column.notNull().primaryKey().references('users.id').onDelete('cascade'),
          )
      await owned('flag_presences')
        .addColumn('feature_name', key, (column) => column.notNull())
        .addColumn('seen_at', 'bigint', (column) => column.notNull())
        .execute()
      await owned('hidden_presences').execute()
      await db.schema.createIndex('flag_presences_of').on('flag_presences').column('feature_name').execute()
      await db.schema.createIndex('feature_favorites_of').on('feature_favorites').column('feature_name').execute()
    },
  }
}
