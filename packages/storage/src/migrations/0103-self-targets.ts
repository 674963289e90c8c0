import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Schema } from '../database.ts'
import type { Ddl } from '../ddl.ts'
import { ownedPrimaryKey, required } from './column-rules.ts'

/** Creates the table of strategies that give one user a flag for a limited time. */
export function selfTargets({ key }: Ddl): Migration {
  return {
    up: async ({ schema }: Kysely<Schema>) => {
      await schema
        .createTable('self_targets')
        .addColumn('strategy_id', key, ownedPrimaryKey('feature_strategies.id'))
        .addColumn('user_id', 'text', required)
        .addColumn('variant', 'text')
        .addColumn('expires_at', 'bigint', required)
        .addColumn('created_by_user_id', 'integer', required)
        .execute()
      await schema.createIndex('self_targets_by_expiry').on('self_targets').column('expires_at').execute()
    },
  }
}
