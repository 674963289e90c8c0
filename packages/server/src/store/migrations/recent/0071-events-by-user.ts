import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Events of a user are found by id, whatever the user was called when they were written. */
export function eventsByUser(): Migration {
  return {
    up: async (db: Kysely<unknown>) => {
      await db.schema.createIndex('events_by_user').on('events').columns(['created_by_user_id', 'id']).execute()
    },
  }
}
