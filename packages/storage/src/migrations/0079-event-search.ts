import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Adds the search index over the contents of events, without entries. The server fills it in the background, so that a
 * long history does not delay the start.
 */
export function eventSearch(): Migration {
  return {
    up: async ({ schema }: Kysely<unknown>) => {
      await schema
        .createTable('event_search_blocks')
        .addColumn('block', 'integer', (column) => column.primaryKey())
        .addColumn('events', 'integer', (column) => column.notNull())
        .execute()
      await schema
        .createTable('event_search_postings')
        .addColumn('key', 'integer', (column) => column.primaryKey())
        .addColumn('postings', 'text', (column) => column.notNull())
        .execute()
    },
  }
}
