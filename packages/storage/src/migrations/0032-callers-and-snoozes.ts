import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Ddl } from '../ddl.ts'

/** Adds the last client of each token, as reported by SDKs, and snoozed reminders about flags. */
export function callersAndSnoozes({ key }: Ddl): Migration {
  return {
    up: async (db: Kysely<unknown>) => {
      await db.schema
        .createTable('api_token_callers')
        .addColumn('token_id', key, (column) =>
          column.notNull().primaryKey().references('api_tokens.id').onDelete('cascade'),
        )
        .addColumn('app_name', 'text')
        .addColumn('instance_id', 'text')
        .addColumn('sdk_version', 'text')
        .addColumn('seen_at', 'bigint', (column) => column.notNull())
        .execute()
      await db.schema
        .createTable('feature_snoozes')
        .addColumn('feature_name', key, (column) =>
          column.notNull().primaryKey().references('features.name').onDelete('cascade'),
        )
        .addColumn('until', 'bigint', (column) => column.notNull())
        .addColumn('created_by', 'text', (column) => column.notNull())
        .execute()
    },
  }
}
