import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Adds whether the e-mail address was verified by someone other than the account's holder. Existing accounts count as
 * verified unless they were created through an invite link or have an address that their holder entered.
 */
export function addressVerified(): Migration {
  return {
    up: async (db: Kysely<unknown>) => {
      await db.schema
        .alterTable('users')
        .addColumn('address_verified', 'smallint', (column) => column.notNull().defaultTo(0))
        .execute()
      const invited = sql`select user_id from invite_link_users`
      await sql`update users set address_verified = 1 where own_email = 0 and id not in (${invited})`.execute(db)
    },
  }
}
