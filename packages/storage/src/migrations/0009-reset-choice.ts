import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds whether using a password-reset link revokes the personal tokens of its user. */
export function resetChoice(): Migration {
  return {
    up: async (db: Kysely<unknown>) => {
      await db.schema
        .alterTable('reset_tokens')
        .addColumn('ends_tokens', 'smallint', (column) => column.notNull().defaultTo(1))
        .execute()
    },
  }
}
