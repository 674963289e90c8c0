import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Schema } from '../database.ts'
import type { Ddl } from '../ddl.ts'
import { ownedBy, primaryKey, required } from './column-rules.ts'

/**
 * Creates tables for repositories with their branches, scans and code references, and for the removal of flags from the
 * code.
 */
export function codeReferences({ key, json }: Ddl): Migration {
  return {
    up: async ({ schema }: Kysely<Schema>) => {
      await schema
        .createTable('code_repositories')
        .addColumn('name', key, primaryKey)
        .addColumn('type', 'text', required)
        .addColumn('source_link', 'text', required)
        .addColumn('commit_url_template', 'text', required)
        .addColumn('hunk_url_template', 'text', required)
        .addColumn('default_branch', key, required)
        .addColumn('created_at', 'bigint', required)
        .execute()
      await schema
        .createTable('code_branches')
        .addColumn('repository', key, ownedBy('code_repositories.name'))
        .addColumn('branch', key, required)
        .addColumn('head', 'text', required)
        .addColumn('synced_at', 'bigint', required)
        .addColumn('committed_at', 'bigint')
        .addPrimaryKeyConstraint('code_branches_key', ['repository', 'branch'])
        .execute()
      await schema
        .createTable('code_scans')
        .addColumn('repository', key, required)
        .addColumn('branch', key, required)
        .addColumn('project', key, ownedBy('projects.id'))
        .addColumn('head', 'text', required)
        .addColumn('update_sequence_id', 'bigint')
        .addPrimaryKeyConstraint('code_scans_key', ['repository', 'branch', 'project'])
        .addForeignKeyConstraint(
          'code_scans_branch',
          ['repository', 'branch'],
          'code_branches',
          ['repository', 'branch'],
          (constraint) => constraint.onDelete('cascade'),
        )
        .execute()
      await schema.createIndex('code_scans_by_project').on('code_scans').column('project').execute()
      await schema
        .createTable('code_references')
        .addColumn('repository', key, required)
        .addColumn('branch', key, required)
        .addColumn('project', key, required)
        .addColumn('feature_name', key, required)
        .addColumn('reference_count', 'integer', required)
        .addColumn('places', json, required)
        .addPrimaryKeyConstraint('code_references_key', ['repository', 'branch', 'project', 'feature_name'])
        .addForeignKeyConstraint(
          'code_references_scan',
          ['repository', 'branch', 'project'],
          'code_scans',
          ['repository', 'branch', 'project'],
          (constraint) => constraint.onDelete('cascade'),
        )
        .execute()
      await schema
        .createIndex('code_references_by_flag')
        .on('code_references')
        .columns(['feature_name', 'project'])
        .execute()
      await schema
        .createTable('code_extinctions')
        .addColumn('repository', key, ownedBy('code_repositories.name'))
        .addColumn('branch', key, required)
        .addColumn('feature_name', key, ownedBy('features.name'))
        .addColumn('revision', 'text', required)
        .addColumn('message', 'text', required)
        .addColumn('removed_at', 'bigint', required)
        .addPrimaryKeyConstraint('code_extinctions_key', ['repository', 'feature_name'])
        .execute()
      await schema.createIndex('code_extinctions_by_flag').on('code_extinctions').column('feature_name').execute()
    },
  }
}
