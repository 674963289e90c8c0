import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Schema } from '../database.ts'
import type { Ddl } from '../ddl.ts'
import { primaryKey, required, zeroByDefault } from './column-rules.ts'

/** Creates the tables of safeguards and of the tokens with which other systems send alerts. */
export function safeguards({ key, json }: Ddl): Migration {
  return {
    up: async ({ schema }: Kysely<Schema>) => {
      await schema
        .createTable('safeguards')
        .addColumn('id', key, primaryKey)
        .addColumn('feature_name', key, required)
        .addColumn('environment', key, required)
        .addColumn('plan_id', key, (column) => column.references('release_plans.id').onDelete('cascade'))
        .addColumn('definition', json, required)
        .addColumn('alert_name', 'text')
        .addColumn('armed_at', 'bigint', required)
        .addColumn('check_at', 'bigint')
        .addColumn('breached_since', 'bigint')
        .addColumn('held', 'integer', zeroByDefault)
        .addColumn('trip', json)
        .addColumn('created_by_user_id', 'integer', required)
        .addColumn('created_at', 'bigint', required)
        .addForeignKeyConstraint(
          'safeguards_environment',
          ['feature_name', 'environment'],
          'feature_environments',
          ['feature_name', 'environment'],
          (constraint) => constraint.onDelete('cascade'),
        )
        .execute()
      await schema.createIndex('safeguards_by_flag').on('safeguards').columns(['feature_name', 'environment']).execute()
      await schema.createIndex('safeguards_by_plan').on('safeguards').column('plan_id').execute()
      await schema.createIndex('safeguards_by_check').on('safeguards').column('check_at').execute()
      await schema
        .createTable('signal_endpoints')
        .addColumn('name', key, primaryKey)
        .addColumn('token_hash', 'text', required)
        .addColumn('created_by_user_id', 'integer', required)
        .addColumn('created_at', 'bigint', required)
        .addColumn('last_used_at', 'bigint')
        .execute()
    },
  }
}
