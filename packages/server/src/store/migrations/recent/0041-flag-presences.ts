import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Ddl } from '../../ddl.ts'

/**
 * Which flag people look at, one each, for a minute: no more than a name, so that flags are not held by it. And who does not
 * want it seen; who likes a flag is asked for with it.
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
