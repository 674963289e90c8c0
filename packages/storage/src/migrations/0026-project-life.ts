import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Ddl } from '../ddl.ts'

/** Adds links of flags, link templates of projects, and the creators of flags as far as events exist. */
export function projectLife({ key, json }: Ddl): Migration {
  return {
    up: async (db: Kysely<unknown>) => {
      await db.schema
        .alterTable('projects')
        .addColumn('link_templates', json, (column) => column.notNull().defaultTo('[]'))
        .execute()
      await db.schema
        .createTable('feature_links')
        .addColumn('id', key, (column) => column.notNull().primaryKey())
        .addColumn('feature_name', key, (column) => column.notNull().references('features.name').onDelete('cascade'))
        .addColumn('url', 'text', (column) => column.notNull())
        .addColumn('title', 'text')
        .addColumn('sort_order', 'integer', (column) => column.notNull())
        .execute()
      await db.schema.createIndex('feature_links_of').on('feature_links').columns(['feature_name']).execute()
      await db.schema.alterTable('features').addColumn('created_by', 'text').execute()
      await db.schema.alterTable('features').addColumn('created_by_user_id', 'integer').execute()
      // the last creation counts, because an earlier flag may have had the same name
      await sql`update features set (created_by, created_by_user_id) = (select e.created_by, e.created_by_user_id
        from events e where e.feature_name = features.name and e.type = 'feature-created'
        order by e.id desc limit 1)`.execute(db)
    },
  }
}
