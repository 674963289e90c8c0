import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Ddl } from '../ddl.ts'

/**
 * Adds hashes of networks from which accounts have logged in, so that they stay admitted while others guess passwords.
 */
export function knownNetworks({ key }: Ddl): Migration {
  return {
    up: async ({ schema }: Kysely<unknown>) => {
      await schema
        .createTable('known_networks')
        .addColumn('user_id', 'integer', (column) => column.notNull().references('users.id').onDelete('cascade'))
        .addColumn('network_hash', key, (column) => column.notNull())
        .addColumn('seen_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('known_networks_key', ['user_id', 'network_hash'])
        .execute()
    },
  }
}
