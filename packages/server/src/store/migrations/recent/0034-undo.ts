import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Ddl } from '../../ddl.ts'

/**
 * What undoing an event needs to know besides what it says, and up to where the log misses events that retention has
 * removed before it noted so: those before the first. Later gaps tell nothing, for PostgreSQL numbers no event twice, also
 * where the change of it was undone.
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
