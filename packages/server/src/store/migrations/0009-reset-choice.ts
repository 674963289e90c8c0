import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Whether the use of a link by which to set a password ends the personal tokens of its user. */
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
