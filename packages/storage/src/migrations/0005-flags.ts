import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Schema } from '../database.ts'
import type { Ddl } from '../ddl.ts'
import { ownedBy, ownedPrimaryKey, primaryKey, required, zeroByDefault } from './column-rules.ts'

/** Creates the tables for flags with their environments, parents, values, lifecycle, tags, links and comments. */
export function flags(ddl: Ddl): Migration {
  return {
    up: async (db: Kysely<Schema>) => {
      await createFlags(db, ddl)
      await createValues(db, ddl)
      await createLifecycle(db, ddl)
      await createTags(db, ddl)
      await createNotes(db, ddl)
      await insertFlagTypes(db)
    },
  }
}

async function createFlags({ schema }: Kysely<Schema>, { key, json }: Ddl): Promise<void> {
  await schema
    .createTable('features')
    .addColumn('name', key, (column) => column.primaryKey())
    .addColumn('project', key, (column) => column.notNull().references('projects.id'))
    .addColumn('type', 'text', required)
    .addColumn('description', 'text')
    .addColumn('stale', 'smallint', zeroByDefault)
    .addColumn('impression_data', 'smallint', zeroByDefault)
    .addColumn('created_at', 'bigint', required)
    .addColumn('archived_at', 'bigint')
    .addColumn('last_seen_at', 'bigint')
    .addColumn('potentially_stale', 'smallint', zeroByDefault)
    .addColumn('created_by', 'text')
    .addColumn('created_by_user_id', 'integer')
    .execute()
  await schema.createIndex('features_by_project').on('features').column('project').execute()
  await schema.createIndex('features_by_maker').on('features').column('created_by_user_id').execute()
  await schema
    .createTable('feature_environments')
    .addColumn('feature_name', key, ownedBy('features.name'))
    .addColumn('environment', key, ownedBy('environments.name'))
    .addColumn('enabled', 'smallint', zeroByDefault)
    .addColumn('variants', json, required)
    .addColumn('last_seen_at', 'bigint')
    .addPrimaryKeyConstraint('feature_environments_key', ['feature_name', 'environment'])
    .execute()
}

async function createValues({ schema }: Kysely<Schema>, { key, json }: Ddl): Promise<void> {
  await schema
    .createTable('feature_dependencies')
    .addColumn('child', key, ownedBy('features.name'))
    .addColumn('parent', key, (column) => column.notNull().references('features.name'))
    .addColumn('enabled', 'smallint', required)
    .addColumn('variants', json, required)
    .addPrimaryKeyConstraint('feature_dependencies_key', ['child', 'parent'])
    .execute()
  await schema.createIndex('dependencies_by_parent').on('feature_dependencies').column('parent').execute()
  // declared OpenFeature type of a flag, and the default of that type
  await schema
    .createTable('feature_values')
    .addColumn('feature_name', key, ownedPrimaryKey('features.name'))
    .addColumn('value_type', key, required)
    .addColumn('default_value', json, required)
    .execute()
}

async function createLifecycle({ schema }: Kysely<Schema>, { key }: Ddl): Promise<void> {
  await schema
    .createTable('feature_types')
    .addColumn('id', key, (column) => column.primaryKey())
    .addColumn('name', 'text', required)
    .addColumn('description', 'text', required)
    .addColumn('lifetime_days', 'integer')
    .addColumn('sort_order', 'integer', required)
    .execute()
  // all stages except creation and archiving, which can be derived from the flag itself
  await schema
    .createTable('feature_stages')
    .addColumn('feature_name', key, ownedBy('features.name'))
    .addColumn('stage', key, required)
    .addColumn('entered_at', 'bigint', required)
    .addColumn('status', 'text')
    .addColumn('status_value', 'text')
    .addPrimaryKeyConstraint('feature_stages_key', ['feature_name', 'stage'])
    .execute()
  await schema
    .createTable('feature_snoozes')
    .addColumn('feature_name', key, ownedPrimaryKey('features.name'))
    .addColumn('until', 'bigint', required)
    .addColumn('created_by', 'text', required)
    .execute()
}

async function createTags({ schema }: Kysely<Schema>, { key }: Ddl): Promise<void> {
  await schema
    .createTable('tag_types')
    .addColumn('name', key, (column) => column.primaryKey())
    .addColumn('description', 'text')
    .addColumn('icon', 'text')
    .execute()
  await schema
    .createTable('tags')
    .addColumn('type', key, ownedBy('tag_types.name'))
    .addColumn('value', key, required)
    .addPrimaryKeyConstraint('tags_key', ['type', 'value'])
    .execute()
  await schema
    .createTable('feature_tags')
    .addColumn('feature_name', key, ownedBy('features.name'))
    .addColumn('type', key, required)
    .addColumn('value', key, required)
    .addPrimaryKeyConstraint('feature_tags_key', ['feature_name', 'type', 'value'])
    .addForeignKeyConstraint('feature_tags_tag', ['type', 'value'], 'tags', ['type', 'value'], (constraint) =>
      constraint.onDelete('cascade'),
    )
    .execute()
}

async function createNotes({ schema }: Kysely<Schema>, { key, id, identity }: Ddl): Promise<void> {
  await schema
    .createTable('feature_links')
    .addColumn('id', key, primaryKey)
    .addColumn('feature_name', key, ownedBy('features.name'))
    .addColumn('url', 'text', required)
    .addColumn('title', 'text')
    .addColumn('sort_order', 'integer', required)
    .execute()
  await schema.createIndex('feature_links_of').on('feature_links').columns(['feature_name']).execute()
  // comments remain when their author is deleted
  await schema
    .createTable('feature_comments')
    .addColumn('id', id, identity)
    .addColumn('feature_name', key, ownedBy('features.name'))
    .addColumn('text', 'text', required)
    .addColumn('created_by_user_id', 'integer', required)
    .addColumn('created_by', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('edited_at', 'bigint')
    .execute()
  await schema.createIndex('feature_comments_of').on('feature_comments').columns(['feature_name', 'id']).execute()
}

const FLAG_TYPES = [
  ['release', 'Release', 'Brings out something new step by step.', 40],
  ['experiment', 'Experiment', 'Compares variants with each other.', 40],
  ['operational', 'Operational', 'Steers how the system runs for a while.', 7],
  ['kill-switch', 'Kill switch', 'Takes something away in an emergency.', null],
  ['permission', 'Permission', 'Gives something to some people for good.', null],
] as const

async function insertFlagTypes(db: Kysely<Schema>): Promise<void> {
  const types = FLAG_TYPES.map(([id, name, description, lifetime_days], sort_order) => ({
    id,
    name,
    description,
    lifetime_days,
    sort_order,
  }))
  await db.insertInto('feature_types').values(types).execute()
  await db.insertInto('tag_types').values({ name: 'simple', description: 'Free labels', icon: '#' }).execute()
}
