import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Ddl } from '../ddl.ts'

/** Adds encrypted secrets of API tokens, for operators who want lists to show them. */
export function tokenSecrets({ key }: Ddl): Migration {
  return {
    up: async (db: Kysely<unknown>) => {
      await db.schema
        .createTable('api_token_secrets')
        .addColumn('token_id', key, (column) =>
          column.notNull().primaryKey().references('api_tokens.id').onDelete('cascade'),
        )
        .addColumn('sealed', 'text', (column) => column.notNull())
        .execute()
    },
  }
}
