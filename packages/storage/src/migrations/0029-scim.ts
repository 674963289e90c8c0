import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds whether an account is active: SCIM deactivates accounts without deleting them. */
export function scim(): Migration {
  return {
    up: async ({ schema }: Kysely<unknown>) => {
      await schema
        .alterTable('users')
        .addColumn('active', 'smallint', (column) => column.notNull().defaultTo(1))
        .execute()
    },
  }
}
