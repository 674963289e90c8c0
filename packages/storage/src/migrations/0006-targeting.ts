import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Schema } from '../database.ts'
import type { Ddl } from '../ddl.ts'
import { ownedBy, required, unique, zeroByDefault } from './column-rules.ts'
import { CONTEXT_FIELDS, STRATEGY_TYPES } from './first-targeting-rows.ts'

/** Creates the tables of strategies, segments, strategy types and context fields. */
export function targeting(ddl: Ddl, now: number): Migration {
  return {
    up: async (db: Kysely<Schema>) => {
      await createSegments(db, ddl)
      await createStrategies(db, ddl)
      await createCatalog(db, ddl)
      await insertCatalog(db, now)
    },
  }
}

async function createSegments({ schema }: Kysely<Schema>, { key, json, id, identity }: Ddl): Promise<void> {
  await schema
    .createTable('segments')
    .addColumn('id', id, identity)
    .addColumn('name', key, unique)
    .addColumn('description', 'text')
    .addColumn('project', key, (column) => column.references('projects.id').onDelete('cascade'))
    .addColumn('constraints', json, required)
    .addColumn('created_by', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .execute()
}

async function createStrategies({ schema }: Kysely<Schema>, { key, json }: Ddl): Promise<void> {
  await schema
    .createTable('feature_strategies')
    .addColumn('id', key, (column) => column.primaryKey())
    .addColumn('feature_name', key, required)
    .addColumn('environment', key, required)
    .addColumn('name', 'text', required)
    .addColumn('title', 'text')
    .addColumn('disabled', 'smallint', zeroByDefault)
    .addColumn('parameters', json, required)
    .addColumn('constraints', json, required)
    .addColumn('variants', json, required)
    .addColumn('sort_order', 'integer', required)
    .addColumn('created_at', 'bigint', required)
    .addForeignKeyConstraint(
      'feature_strategies_environment',
      ['feature_name', 'environment'],
      'feature_environments',
      ['feature_name', 'environment'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .execute()
  await schema
    .createIndex('strategies_by_environment')
    .on('feature_strategies')
    .columns(['feature_name', 'environment'])
    .execute()
  await schema
    .createTable('feature_strategy_segments')
    .addColumn('strategy_id', key, ownedBy('feature_strategies.id'))
    .addColumn('segment_id', 'integer', (column) => column.notNull().references('segments.id'))
    .addPrimaryKeyConstraint('feature_strategy_segments_key', ['strategy_id', 'segment_id'])
    .execute()
  await schema.createIndex('strategies_by_segment').on('feature_strategy_segments').column('segment_id').execute()
}

async function createCatalog({ schema }: Kysely<Schema>, { key, json }: Ddl): Promise<void> {
  await schema
    .createTable('context_fields')
    .addColumn('name', key, (column) => column.primaryKey())
    .addColumn('description', 'text')
    .addColumn('stickiness', 'smallint', zeroByDefault)
    .addColumn('sort_order', 'integer', required)
    .addColumn('legal_values', json, required)
    .addColumn('created_at', 'bigint', required)
    .execute()
  await schema
    .createTable('strategy_types')
    .addColumn('name', key, (column) => column.primaryKey())
    .addColumn('title', 'text')
    .addColumn('description', 'text')
    .addColumn('parameters', json, required)
    .addColumn('deprecated', 'smallint', zeroByDefault)
    .addColumn('built_in', 'smallint', zeroByDefault)
    .addColumn('sort_order', 'integer', required)
    .execute()
}

async function insertCatalog(db: Kysely<Schema>, now: number): Promise<void> {
  const fields = CONTEXT_FIELDS.map(([name, description, stickiness], sort_order) => ({
    name,
    description,
    stickiness,
    sort_order,
    legal_values: '[]',
    created_at: now,
  }))
  await db.insertInto('context_fields').values(fields).execute()
  const strategies = STRATEGY_TYPES.map(({ parameters, ...type }, sort_order) => ({
    deprecated: 0,
    ...type,
    parameters: JSON.stringify(parameters),
    built_in: 1,
    sort_order,
  }))
  await db.insertInto('strategy_types').values(strategies).execute()
}
