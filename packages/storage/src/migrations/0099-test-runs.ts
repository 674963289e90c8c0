import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Schema } from '../database.ts'
import type { Ddl } from '../ddl.ts'
import { primaryKey, required } from './column-rules.ts'

/** Creates test runs. A run ends with its project, or when its environment leaves the project. */
export function testRuns({ key, json }: Ddl): Migration {
  return {
    up: async ({ schema }: Kysely<Schema>) => {
      await schema
        .createTable('test_runs')
        .addColumn('id', key, primaryKey)
        .addColumn('project', key, required)
        .addColumn('environment', key, required)
        .addColumn('name', 'text', required)
        .addColumn('client_hash', 'text', required)
        .addColumn('frontend_hash', 'text', required)
        .addColumn('overrides', json, required)
        .addColumn('version', 'integer', required)
        .addColumn('created_by', 'text', required)
        .addColumn('created_at', 'bigint', required)
        .addColumn('expires_at', 'bigint', required)
        .addForeignKeyConstraint(
          'test_runs_environment',
          ['project', 'environment'],
          'project_environments',
          ['project', 'environment'],
          (constraint) => constraint.onDelete('cascade'),
        )
        .execute()
      await schema.createIndex('test_runs_by_project').on('test_runs').columns(['project', 'environment']).execute()
      await schema.createIndex('test_runs_by_expiry').on('test_runs').column('expires_at').execute()
    },
  }
}
