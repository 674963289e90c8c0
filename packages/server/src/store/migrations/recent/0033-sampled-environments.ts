import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Ddl } from '../../ddl.ts'

/** Environments whose front ends' contexts are sampled in memory; the contexts are in no table. None at first. */
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
