import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds the mark of potentially stale flags, metadata of applications, and an index for project statistics. */
export function lives(): Migration {
  return {
    up: async (db: Kysely<unknown>) => {
      await db.schema
        .alterTable('features')
        .addColumn('potentially_stale', 'smallint', (column) => column.notNull().defaultTo(0))
        .execute()
      for (const name of ['description', 'url', 'color', 'icon']) {
        await db.schema.alterTable('client_applications').addColumn(name, 'text').execute()
      }
      // a covering index for the event counts of a project
      const columns = ['project', 'type', 'created_at', 'feature_name', 'environment']
      await db.schema.createIndex('events_by_project_and_type').on('events').columns(columns).execute()
    },
  }
}
