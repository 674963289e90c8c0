import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Ddl } from '../ddl.ts'

/** Adds additional secrets of tokens that were imported from another server. */
export function tokenAliases({ key }: Ddl): Migration {
  return {
    up: async (db: Kysely<unknown>) => {
      await db.schema
        .createTable('api_token_aliases')
        .addColumn('hash', key, (column) => column.primaryKey())
        .addColumn('token_id', key, (column) => column.notNull().references('api_tokens.id').onDelete('cascade'))
        .execute()
      await db.schema.createIndex('token_aliases_by_token').on('api_token_aliases').column('token_id').execute()
    },
  }
}
