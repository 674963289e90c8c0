import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Ddl } from '../ddl.ts'

/** Private projects that were removed: their history is nobody's but administrators' all the same. */
export function removedProjects({ key }: Ddl): Migration {
  return {
    up: async (db: Kysely<unknown>) => {
      await db.schema
        .createTable('removed_private_projects')
        .addColumn('id', key, (column) => column.primaryKey())
        .execute()
    },
  }
}
