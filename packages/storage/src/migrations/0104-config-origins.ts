import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Schema } from '../database.ts'
import type { Ddl } from '../ddl.ts'
import { ownedBy, required } from './column-rules.ts'

/** Creates the table of objects that files describe, and marks the change requests that come from files. */
export function configOrigins({ key }: Ddl): Migration {
  return {
    up: async ({ schema }: Kysely<Schema>) => {
      await schema
        .createTable('config_origins')
        .addColumn('project', key, ownedBy('projects.id'))
        .addColumn('kind', key, required)
        .addColumn('name', key, required)
        .addColumn('feature_name', key, (column) => column.references('features.name').onDelete('cascade'))
        .addColumn('repository', 'text', required)
        .addColumn('commit_id', 'text', required)
        .addColumn('path', 'text', required)
        .addColumn('applied_at', 'bigint', required)
        .addColumn('drifted_at', 'bigint')
        .addPrimaryKeyConstraint('config_origins_key', ['project', 'kind', 'name'])
        .execute()
      await schema.createIndex('config_origins_by_flag').on('config_origins').column('feature_name').execute()
      await schema.alterTable('change_requests').addColumn('from_files', 'smallint').execute()
    },
  }
}
