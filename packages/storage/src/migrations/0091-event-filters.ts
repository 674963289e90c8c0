import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Ddl } from '../ddl.ts'

/**
 * Creates indexes for combined filters of events: a time range, and an environment with a type. In PostgreSQL the index
 * by time takes a few kilobytes, because times grow with the position in the table.
 */
export function eventFilters({ timeIndex }: Ddl): Migration {
  return {
    up: async (db: Kysely<unknown>) => {
      await sql`create index events_by_time on events ${timeIndex}`.execute(db)
      const columns = ['environment', 'type']
      await db.schema.createIndex('events_by_environment_and_type').on('events').columns(columns).execute()
    },
  }
}
