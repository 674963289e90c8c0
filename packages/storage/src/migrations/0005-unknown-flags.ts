import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Ddl } from '../ddl.ts'

/**
 * Adds unknown flag names requested by SDKs, and the mark of applications that only holders of public tokens report.
 */
export function unknownFlags({ key }: Ddl): Migration {
  return {
    up: async (db: Kysely<unknown>) => {
      await db.schema
        .createTable('unknown_flags')
        .addColumn('name', key, (column) => column.notNull())
        .addColumn('app_name', key, (column) => column.notNull())
        .addColumn('environment', key, (column) => column.notNull())
        .addColumn('last_seen_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('unknown_flags_key', ['name', 'app_name', 'environment'])
        .execute()
      for (const table of ['client_applications', 'client_instances']) {
        await db.schema
          .alterTable(table)
          .addColumn('by_public_token', 'smallint', (column) => column.notNull().defaultTo(0))
          .execute()
      }
    },
  }
}
