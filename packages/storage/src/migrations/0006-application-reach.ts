import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Ddl } from '../ddl.ts'

/** Adds the projects and environments for which applications have registered, and when instances were first seen. */
export function applicationReach({ key }: Ddl): Migration {
  return {
    up: async (db: Kysely<unknown>) => {
      await db.schema
        .createTable('client_application_reach')
        .addColumn('app_name', key, (column) =>
          column.notNull().references('client_applications.app_name').onDelete('cascade'),
        )
        .addColumn('project', key, (column) => column.notNull())
        .addColumn('environment', key, (column) => column.notNull())
        .addPrimaryKeyConstraint('client_application_reach_key', ['app_name', 'project', 'environment'])
        .execute()
      await db.schema.alterTable('client_instances').addColumn('first_seen_at', 'bigint').execute()
    },
  }
}
