import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Whether flags are older than their type is meant to live, and what people note about applications. */
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
    },
  }
}
