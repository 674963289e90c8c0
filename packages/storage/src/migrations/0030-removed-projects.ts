import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Ddl } from '../ddl.ts'

/** Adds the ids of removed private projects, whose history stays visible to administrators only. */
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
