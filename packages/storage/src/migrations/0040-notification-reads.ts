import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Adds the event up to which users have read notifications, and indexes by creator and state for finding relevant
 * events.
 */
export function notificationReads(): Migration {
  return {
    up: async (db: Kysely<unknown>) => {
      await db.schema
        .createTable('notification_reads')
        .addColumn('user_id', 'integer', (column) =>
          column.notNull().primaryKey().references('users.id').onDelete('cascade'),
        )
        .addColumn('read_up_to', 'integer', (column) => column.notNull())
        .execute()
      await db.schema.createIndex('features_by_maker').on('features').column('created_by_user_id').execute()
      await db.schema
        .createIndex('change_requests_by_maker')
        .on('change_requests')
        .columns(['created_by_user_id', 'id'])
        .execute()
      await db.schema.createIndex('change_requests_by_state').on('change_requests').columns(['state', 'id']).execute()
    },
  }
}
