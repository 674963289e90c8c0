import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Ddl } from '../ddl.ts'

/**
 * Adds environments in which the contexts of frontend clients are sampled, initially none. Contexts stay in memory and
 * are not stored in any table.
 */
export function sampledEnvironments({ key }: Ddl): Migration {
  return {
    up: async (db: Kysely<unknown>) => {
      await db.schema
        .createTable('sampled_environments')
        .addColumn('name', key, (column) => column.primaryKey().references('environments.name').onDelete('cascade'))
        .execute()
    },
  }
}
