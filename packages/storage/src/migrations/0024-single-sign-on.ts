import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Ddl } from '../ddl.ts'

/** Adds identities of users at OpenID Connect providers, and the ID tokens with which provider sessions end. */
export function singleSignOn({ key }: Ddl): Migration {
  return {
    up: async ({ schema }: Kysely<unknown>) => {
      await schema
        .createTable('sso_identities')
        .addColumn('issuer', key, (column) => column.notNull())
        .addColumn('subject', key, (column) => column.notNull())
        .addColumn('user_id', 'integer', (column) => column.notNull().references('users.id').onDelete('cascade'))
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('sso_identities_key', ['issuer', 'subject'])
        .execute()
      await schema.createIndex('sso_identities_by_user').on('sso_identities').column('user_id').execute()
      await schema.alterTable('sessions').addColumn('id_token', 'text').execute()
    },
  }
}
