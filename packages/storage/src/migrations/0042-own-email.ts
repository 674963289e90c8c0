import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds whether users have entered their e-mail address themselves, so that it is unverified. */
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
