import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds whether all environments were chosen explicitly for a role's permission. Existing rows get 0. */
export function roleEnvironments(): Migration {
  return {
    up: async ({ schema }: Kysely<unknown>) => {
      await schema
        .alterTable('role_permissions')
        .addColumn('all_environments', 'smallint', (column) => column.notNull().defaultTo(0))
        .execute()
    },
  }
}
