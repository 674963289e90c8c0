import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Schema } from '../database.ts'
import type { Ddl } from '../ddl.ts'
import { ownedBy, primaryKey, required, zeroByDefault } from './column-rules.ts'

/** Creates the tables of release templates and release plans. */
export function releasePlans(ddl: Ddl): Migration {
  return {
    up: async (db: Kysely<Schema>) => {
      await createTemplates(db, ddl)
      await createPlans(db, ddl)
    },
  }
}

async function createTemplates({ schema }: Kysely<Schema>, { key, json }: Ddl): Promise<void> {
  await schema
    .createTable('release_plan_templates')
    .addColumn('id', key, primaryKey)
    .addColumn('name', 'text', required)
    .addColumn('description', 'text')
    .addColumn('milestones', json, required)
    .addColumn('created_by_user_id', 'integer', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('archived_at', 'bigint')
    .execute()
  await schema
    .createTable('release_template_segments')
    .addColumn('template_id', key, ownedBy('release_plan_templates.id'))
    .addColumn('segment_id', 'integer', (column) => column.notNull().references('segments.id'))
    .addPrimaryKeyConstraint('release_template_segments_key', ['template_id', 'segment_id'])
    .execute()
  await schema
    .createIndex('release_templates_by_segment')
    .on('release_template_segments')
    .column('segment_id')
    .execute()
}

async function createPlans({ schema }: Kysely<Schema>, { key, json }: Ddl): Promise<void> {
  await schema
    .createTable('release_plans')
    .addColumn('id', key, primaryKey)
    .addColumn('feature_name', key, required)
    .addColumn('environment', key, required)
    .addColumn('template_id', key, required)
    .addColumn('name', 'text', required)
    .addColumn('description', 'text')
    .addColumn('milestones', json, required)
    .addColumn('created_by_user_id', 'integer', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('active_milestone_id', key, required)
    .addColumn('started_at', 'bigint')
    .addColumn('active_since', 'bigint')
    .addColumn('elapsed_ms', 'bigint', zeroByDefault)
    .addColumn('interval_ms', 'bigint')
    .addColumn('due_at', 'bigint')
    .addColumn('paused_at', 'bigint')
    .addUniqueConstraint('release_plans_of_flag', ['feature_name', 'environment'])
    .addForeignKeyConstraint(
      'release_plans_environment',
      ['feature_name', 'environment'],
      'feature_environments',
      ['feature_name', 'environment'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .execute()
  await schema.createIndex('release_plans_by_due').on('release_plans').column('due_at').execute()
  await schema
    .createTable('release_plan_segments')
    .addColumn('plan_id', key, ownedBy('release_plans.id'))
    .addColumn('segment_id', 'integer', (column) => column.notNull().references('segments.id'))
    .addPrimaryKeyConstraint('release_plan_segments_key', ['plan_id', 'segment_id'])
    .execute()
  await schema.createIndex('release_plans_by_segment').on('release_plan_segments').column('segment_id').execute()
}
