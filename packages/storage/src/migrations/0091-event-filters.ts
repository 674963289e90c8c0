import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Ddl } from '../ddl.ts'

/**
 * Creates indexes for combined event filters: a time range, and an environment together with a type. On PostgreSQL, the
 * index by time takes only a few kilobytes, because rows are stored in the order of their times.
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
