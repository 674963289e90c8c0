import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds whether somebody chose that a role's permission holds in all environments. Existing rows did not. */
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
