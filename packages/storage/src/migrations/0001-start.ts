import { type ColumnDefinitionBuilder, type CreateTableBuilder, type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Schema } from '../database.ts'
import type { Ddl } from '../ddl.ts'

const must = (column: ColumnDefinitionBuilder) => column.notNull()
const no = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(0)
const gone = (target: string) => (column: ColumnDefinitionBuilder) =>
  column.notNull().references(target).onDelete('cascade')

/** Creates the first tables and the content of a new installation: one project, two environments, one tag type. */
export function start(ddl: Ddl, now: number): Migration {
  return {
    up: async (untyped: Kysely<unknown>) => {
      const db = untyped as Kysely<Schema>
      for (const table of [
        ...projectTables(db, ddl),
        ...featureTables(db, ddl),
        ...strategyTables(db, ddl),
        ...tagTables(db, ddl),
        ...accessTables(db, ddl),
        eventTable(db, ddl),
        ...usageTables(db, ddl),
      ]) {
        await table.execute()
      }
      await indexes(db)
      await seed(db, now)
    },
  }
}

type Table = CreateTableBuilder<string, string>

function projectTables(db: Kysely<Schema>, { key }: Ddl): Table[] {
  return [
    db.schema
      .createTable('projects')
      .addColumn('id', key, (c) => c.primaryKey())
      .addColumn('name', 'text', must)
      .addColumn('description', 'text')
      .addColumn('mode', 'text', must)
      .addColumn('default_stickiness', 'text', must)
      .addColumn('created_at', 'bigint', must),
    db.schema
      .createTable('environments')
      .addColumn('name', key, (c) => c.primaryKey())
      .addColumn('type', 'text', must)
      .addColumn('sort_order', 'integer', must)
      .addColumn('enabled', 'smallint', must)
      .addColumn('protected', 'smallint', must),
    db.schema
      .createTable('project_environments')
      .addColumn('project', key, gone('projects.id'))
      .addColumn('environment', key, gone('environments.name'))
      .addPrimaryKeyConstraint('project_environments_key', ['project', 'environment']),
    db.schema
      .createTable('settings')
      .addColumn('name', key, (c) => c.primaryKey())
      .addColumn('value', 'text', must),
  ] as Table[]
}

function featureTables(db: Kysely<Schema>, { key, json }: Ddl): Table[] {
  return [
    db.schema
      .createTable('features')
      .addColumn('name', key, (c) => c.primaryKey())
      .addColumn('project', key, (c) => c.notNull().references('projects.id'))
      .addColumn('type', 'text', must)
      .addColumn('description', 'text')
      .addColumn('stale', 'smallint', no)
      .addColumn('impression_data', 'smallint', no)
      .addColumn('created_at', 'bigint', must)
      .addColumn('archived_at', 'bigint')
      .addColumn('last_seen_at', 'bigint'),
    db.schema
      .createTable('feature_environments')
      .addColumn('feature_name', key, gone('features.name'))
      .addColumn('environment', key, gone('environments.name'))
      .addColumn('enabled', 'smallint', no)
      .addColumn('variants', json, must)
      .addColumn('last_seen_at', 'bigint')
      .addPrimaryKeyConstraint('feature_environments_key', ['feature_name', 'environment']),
  ] as Table[]
}

function strategyTables(db: Kysely<Schema>, { key, json, id, identity }: Ddl): Table[] {
  return [
    db.schema
      .createTable('segments')
      .addColumn('id', id, identity)
      .addColumn('name', key, (c) => c.notNull().unique())
      .addColumn('description', 'text')
      .addColumn('project', key, (c) => c.references('projects.id').onDelete('cascade'))
      .addColumn('constraints', json, must)
      .addColumn('created_by', 'text', must)
      .addColumn('created_at', 'bigint', must),
    db.schema
      .createTable('feature_strategies')
      .addColumn('id', key, (c) => c.primaryKey())
      .addColumn('feature_name', key, must)
      .addColumn('environment', key, must)
      .addColumn('name', 'text', must)
      .addColumn('title', 'text')
      .addColumn('disabled', 'smallint', no)
      .addColumn('parameters', json, must)
      .addColumn('constraints', json, must)
      .addColumn('variants', json, must)
      .addColumn('sort_order', 'integer', must)
      .addColumn('created_at', 'bigint', must)
      .addForeignKeyConstraint(
        'feature_strategies_environment',
        ['feature_name', 'environment'],
        'feature_environments',
        ['feature_name', 'environment'],
        (c) => c.onDelete('cascade'),
      ),
    db.schema
      .createTable('feature_strategy_segments')
      .addColumn('strategy_id', key, gone('feature_strategies.id'))
      .addColumn('segment_id', 'integer', (c) => c.notNull().references('segments.id'))
      .addPrimaryKeyConstraint('feature_strategy_segments_key', ['strategy_id', 'segment_id']),
    db.schema
      .createTable('feature_dependencies')
      .addColumn('child', key, gone('features.name'))
      .addColumn('parent', key, (c) => c.notNull().references('features.name'))
      .addColumn('enabled', 'smallint', must)
      .addColumn('variants', json, must)
      .addPrimaryKeyConstraint('feature_dependencies_key', ['child', 'parent']),
  ] as Table[]
}

function tagTables(db: Kysely<Schema>, { key }: Ddl): Table[] {
  return [
    db.schema
      .createTable('tag_types')
      .addColumn('name', key, (c) => c.primaryKey())
      .addColumn('description', 'text')
      .addColumn('icon', 'text'),
    db.schema
      .createTable('tags')
      .addColumn('type', key, gone('tag_types.name'))
      .addColumn('value', key, must)
      .addPrimaryKeyConstraint('tags_key', ['type', 'value']),
    db.schema
      .createTable('feature_tags')
      .addColumn('feature_name', key, gone('features.name'))
      .addColumn('type', key, must)
      .addColumn('value', key, must)
      .addPrimaryKeyConstraint('feature_tags_key', ['feature_name', 'type', 'value'])
      .addForeignKeyConstraint('feature_tags_tag', ['type', 'value'], 'tags', ['type', 'value'], (c) =>
        c.onDelete('cascade'),
      ),
  ] as Table[]
}

function accessTables(db: Kysely<Schema>, { key, id, identity }: Ddl): Table[] {
  return [
    db.schema
      .createTable('api_tokens')
      .addColumn('id', key, (c) => c.primaryKey())
      .addColumn('hash', key, (c) => c.notNull().unique())
      .addColumn('masked', 'text', must)
      .addColumn('name', 'text', must)
      .addColumn('type', 'text', must)
      .addColumn('environment', key, must)
      .addColumn('all_projects', 'smallint', must)
      .addColumn('expires_at', 'bigint')
      .addColumn('created_at', 'bigint', must)
      .addColumn('seen_at', 'bigint'),
    db.schema
      .createTable('api_token_projects')
      .addColumn('token_id', key, gone('api_tokens.id'))
      .addColumn('project', key, gone('projects.id'))
      .addPrimaryKeyConstraint('api_token_projects_key', ['token_id', 'project']),
    db.schema
      .createTable('users')
      .addColumn('id', id, identity)
      .addColumn('username', key, (c) => c.unique())
      .addColumn('email', key)
      .addColumn('name', 'text')
      .addColumn('password_hash', 'text', must)
      .addColumn('root_role', 'integer', must)
      .addColumn('must_change_password', 'smallint', no)
      .addColumn('login_attempts', 'integer', no)
      .addColumn('created_at', 'bigint', must)
      .addColumn('seen_at', 'bigint'),
    db.schema
      .createTable('sessions')
      .addColumn('hash', key, (c) => c.primaryKey())
      .addColumn('user_id', 'integer', gone('users.id'))
      .addColumn('created_at', 'bigint', must)
      .addColumn('used_at', 'bigint', must)
      .addColumn('expires_at', 'bigint', must),
  ] as Table[]
}

function eventTable(db: Kysely<Schema>, { key, json, id, identity }: Ddl): Table {
  return db.schema
    .createTable('events')
    .addColumn('id', id, identity)
    .addColumn('created_at', 'bigint', must)
    .addColumn('type', 'text', must)
    .addColumn('created_by', 'text', must)
    .addColumn('created_by_user_id', 'integer', must)
    .addColumn('project', key)
    .addColumn('environment', key)
    .addColumn('feature_name', key)
    .addColumn('data', json)
    .addColumn('pre_data', json)
    .addColumn('tags', json, must)
    .addColumn('reach', key)
    .addColumn('address', 'text') as Table
}

function usageTables(db: Kysely<Schema>, { key, json }: Ddl): Table[] {
  const counted = (table: string) =>
    db.schema
      .createTable(table)
      .addColumn('environment', key, must)
      .addColumn('app_name', key, must)
      .addColumn('feature_name', key, must)
      .addColumn('hour', 'bigint', must)
  return [
    counted('client_metrics')
      .addColumn('yes', 'bigint', must)
      .addColumn('no', 'bigint', must)
      .addPrimaryKeyConstraint('client_metrics_key', ['feature_name', 'hour', 'environment', 'app_name']),
    counted('client_metrics_variants')
      .addColumn('variant', key, must)
      .addColumn('count', 'bigint', must)
      .addPrimaryKeyConstraint('client_metrics_variants_key', [
        'feature_name',
        'hour',
        'environment',
        'app_name',
        'variant',
      ]),
    db.schema
      .createTable('client_applications')
      .addColumn('app_name', key, (c) => c.primaryKey())
      .addColumn('strategies', json, must)
      .addColumn('first_seen_at', 'bigint', must)
      .addColumn('last_seen_at', 'bigint', must),
    db.schema
      .createTable('client_instances')
      .addColumn('app_name', key, must)
      .addColumn('instance_id', key, must)
      .addColumn('environment', key, must)
      .addColumn('sdk_version', 'text')
      .addColumn('address', 'text')
      .addColumn('last_seen_at', 'bigint', must)
      .addPrimaryKeyConstraint('client_instances_key', ['app_name', 'instance_id', 'environment']),
  ] as Table[]
}

async function indexes(db: Kysely<Schema>): Promise<void> {
  const { schema } = db
  await schema.createIndex('features_by_project').on('features').column('project').execute()
  await schema
    .createIndex('strategies_by_environment')
    .on('feature_strategies')
    .columns(['feature_name', 'environment'])
    .execute()
  await schema.createIndex('strategies_by_segment').on('feature_strategy_segments').column('segment_id').execute()
  await schema.createIndex('dependencies_by_parent').on('feature_dependencies').column('parent').execute()
  await schema.createIndex('sessions_by_user').on('sessions').column('user_id').execute()
  await schema.createIndex('events_by_feature').on('events').columns(['feature_name', 'id']).execute()
  await schema.createIndex('events_by_reach').on('events').columns(['reach', 'id']).execute()
  await sql`create unique index users_by_email on users (lower(email))`.execute(db)
}

async function seed(db: Kysely<Schema>, now: number): Promise<void> {
  const project = { id: 'default', name: 'Default', description: 'Default project', mode: 'open' }
  await db
    .insertInto('projects')
    .values({ ...project, default_stickiness: 'default', created_at: now })
    .execute()
  const environments = ['development', 'production']
  for (const [index, name] of environments.entries()) {
    await db
      .insertInto('environments')
      .values({ name, type: name, sort_order: (index + 1) * 100, enabled: 1, protected: 0 })
      .execute()
    await db.insertInto('project_environments').values({ project: 'default', environment: name }).execute()
  }
  await db.insertInto('tag_types').values({ name: 'simple', description: 'Free labels', icon: '#' }).execute()
}
