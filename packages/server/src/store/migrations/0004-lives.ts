import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Whether flags are older than their type is meant to live; notes about applications; counts of events of a project.
 */
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
      // what is counted of a project is in this index as a whole
      const columns = ['project', 'type', 'created_at', 'feature_name', 'environment']
      await db.schema.createIndex('events_by_project_and_type').on('events').columns(columns).execute()
    },
  }
}
