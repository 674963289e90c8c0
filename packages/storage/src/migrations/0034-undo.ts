import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Ddl } from '../ddl.ts'

/**
 * Adds the undo data of events, and the setting up to which id retention has deleted events: all ids before the first
 * existing event. Later gaps prove nothing, because PostgreSQL also skips the ids of rolled-back changes.
 */
export function undo({ json }: Ddl): Migration {
  return {
    up: async (db: Kysely<unknown>) => {
      await db.schema.alterTable('events').addColumn('undo', json).execute()
      await sql`insert into settings (name, value) select 'eventsRemovedUpTo', cast(min(id) - 1 as text)
        from events having min(id) > 1`.execute(db)
    },
  }
}
