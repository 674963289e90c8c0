import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Whether people have said their e-mail address themselves: nobody has verified it then. */
export function ownEmail(): Migration {
  return {
    up: async ({ schema }: Kysely<unknown>) => {
      await schema
        .alterTable('users')
        .addColumn('own_email', 'smallint', (column) => column.notNull().defaultTo(0))
        .execute()
    },
  }
}
