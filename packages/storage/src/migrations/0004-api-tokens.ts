import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Ddl } from '../ddl.ts'
import { ownedBy, ownedPrimaryKey, required, unique } from './column-rules.ts'

/** Creates the tables for API tokens, their projects, and the clients that use them. */
export function apiTokens(ddl: Ddl): Migration {
  return {
    up: async (db: Kysely<unknown>) => {
      await createTokens(db, ddl)
      await createSecrets(db, ddl)
    },
  }
}

async function createTokens({ schema }: Kysely<unknown>, { key }: Ddl): Promise<void> {
  await schema
    .createTable('api_tokens')
    .addColumn('id', key, (column) => column.primaryKey())
    .addColumn('hash', key, unique)
    .addColumn('masked', 'text', required)
    .addColumn('name', 'text', required)
    .addColumn('type', 'text', required)
    .addColumn('environment', key, required)
    .addColumn('all_projects', 'smallint', required)
    .addColumn('expires_at', 'bigint')
    .addColumn('created_at', 'bigint', required)
    .addColumn('seen_at', 'bigint')
    .execute()
  await schema
    .createTable('api_token_projects')
    .addColumn('token_id', key, ownedBy('api_tokens.id'))
    .addColumn('project', key, ownedBy('projects.id'))
    .addPrimaryKeyConstraint('api_token_projects_key', ['token_id', 'project'])
    .execute()
  // the last client of each token, as reported by SDKs
  await schema
    .createTable('api_token_callers')
    .addColumn('token_id', key, ownedPrimaryKey('api_tokens.id'))
    .addColumn('app_name', 'text')
    .addColumn('instance_id', 'text')
    .addColumn('sdk_version', 'text')
    .addColumn('seen_at', 'bigint', required)
    .execute()
}

async function createSecrets({ schema }: Kysely<unknown>, { key }: Ddl): Promise<void> {
  // encrypted token secrets, if operators want lists to show them
  await schema
    .createTable('api_token_secrets')
    .addColumn('token_id', key, ownedPrimaryKey('api_tokens.id'))
    .addColumn('sealed', 'text', required)
    .execute()
  // additional secrets of tokens that were imported from another server
  await schema
    .createTable('api_token_aliases')
    .addColumn('hash', key, (column) => column.primaryKey())
    .addColumn('token_id', key, ownedBy('api_tokens.id'))
    .execute()
  await schema.createIndex('token_aliases_by_token').on('api_token_aliases').column('token_id').execute()
}
