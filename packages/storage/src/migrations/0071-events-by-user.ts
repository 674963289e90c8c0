import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds an index for finding the events of a user by id, even if the user had another name when they were written. */
export function eventsByUser(): Migration {
  return {
    up: async (db: Kysely<unknown>) => {
      await db.schema.createIndex('events_by_user').on('events').columns(['created_by_user_id', 'id']).execute()
    },
  }
}
