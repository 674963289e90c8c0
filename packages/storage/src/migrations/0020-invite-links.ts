import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Ddl } from '../ddl.ts'

/** Adds links with which people can create their own account, and the users who signed up with them. */
export function inviteLinks({ key, id, identity }: Ddl): Migration {
  return {
    up: async (db: Kysely<unknown>) => {
      await db.schema
        .createTable('invite_links')
        .addColumn('id', id, identity)
        .addColumn('secret', key, (column) => column.notNull().unique())
        .addColumn('name', 'text', (column) => column.notNull())
        .addColumn('created_by', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('expires_at', 'bigint', (column) => column.notNull())
        .addColumn('enabled', 'smallint', (column) => column.notNull())
        .execute()
      await db.schema
        .createTable('invite_link_users')
        .addColumn('link_id', 'integer', (column) => column.notNull().references('invite_links.id').onDelete('cascade'))
        .addColumn('user_id', 'integer', (column) => column.notNull().references('users.id').onDelete('cascade'))
        .addPrimaryKeyConstraint('invite_link_users_key', ['link_id', 'user_id'])
        .execute()
      await db.schema.createIndex('invite_link_users_by_user').on('invite_link_users').column('user_id').execute()
    },
  }
}
