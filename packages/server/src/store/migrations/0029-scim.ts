import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Whether people may come in: a directory of people takes that away without removing them. */
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
