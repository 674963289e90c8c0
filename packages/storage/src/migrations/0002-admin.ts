import type { ColumnDefinitionBuilder, CreateTableBuilder, Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Schema } from '../database.ts'
import type { Ddl } from '../ddl.ts'

const must = (column: ColumnDefinitionBuilder) => column.notNull()
const no = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(0)
const gone = (target: string) => (column: ColumnDefinitionBuilder) =>
  column.notNull().references(target).onDelete('cascade')

type Table = CreateTableBuilder<string, string>

/**
 * Adds project roles, favorites, feedback and personal tokens of users; context fields, strategy types and flag types.
 */
export function admin(ddl: Ddl, now: number): Migration {
  return {
    up: async (untyped: Kysely<unknown>) => {
      const db = untyped as Kysely<Schema>
      for (const table of [...peopleTables(db, ddl), ...materialTables(db, ddl)]) await table.execute()
      await db.schema.alterTable('projects').addColumn('archived_at', 'bigint').execute()
      await db.schema.createIndex('members_by_user').on('project_members').column('user_id').execute()
      await db.schema.createIndex('personal_tokens_by_user').on('personal_tokens').column('user_id').execute()
      await db.schema.createIndex('events_by_project').on('events').columns(['project', 'id']).execute()
      await seed(db, now)
    },
  }
}

function peopleTables(db: Kysely<Schema>, { key, id, identity }: Ddl): Table[] {
  const owned = (table: string) => db.schema.createTable(table).addColumn('user_id', 'integer', gone('users.id'))
  return [
    owned('project_members')
      .addColumn('project', key, gone('projects.id'))
      .addColumn('role_id', 'integer', must)
      .addPrimaryKeyConstraint('project_members_key', ['project', 'user_id', 'role_id']),
    owned('feedback')
      .addColumn('feedback_id', key, must)
      .addColumn('never_show', 'smallint', no)
      .addColumn('given', 'bigint')
      .addPrimaryKeyConstraint('feedback_key', ['user_id', 'feedback_id']),
    owned('splash').addColumn('splash_id', key, must).addPrimaryKeyConstraint('splash_key', ['user_id', 'splash_id']),
    owned('feature_favorites')
      .addColumn('feature_name', key, gone('features.name'))
      .addPrimaryKeyConstraint('feature_favorites_key', ['user_id', 'feature_name']),
    owned('project_favorites')
      .addColumn('project', key, gone('projects.id'))
      .addPrimaryKeyConstraint('project_favorites_key', ['user_id', 'project']),
    db.schema
      .createTable('personal_tokens')
      .addColumn('id', id, identity)
      .addColumn('user_id', 'integer', gone('users.id'))
      .addColumn('description', 'text', must)
      .addColumn('hash', key, (c) => c.notNull().unique())
      .addColumn('expires_at', 'bigint', must)
      .addColumn('created_at', 'bigint', must)
      .addColumn('seen_at', 'bigint'),
  ] as Table[]
}

function materialTables(db: Kysely<Schema>, { key, json }: Ddl): Table[] {
  return [
    db.schema
      .createTable('context_fields')
      .addColumn('name', key, (c) => c.primaryKey())
      .addColumn('description', 'text')
      .addColumn('stickiness', 'smallint', no)
      .addColumn('sort_order', 'integer', must)
      .addColumn('legal_values', json, must)
      .addColumn('created_at', 'bigint', must),
    db.schema
      .createTable('strategy_types')
      .addColumn('name', key, (c) => c.primaryKey())
      .addColumn('title', 'text')
      .addColumn('description', 'text')
      .addColumn('parameters', json, must)
      .addColumn('deprecated', 'smallint', no)
      .addColumn('built_in', 'smallint', no)
      .addColumn('sort_order', 'integer', must),
    db.schema
      .createTable('feature_types')
      .addColumn('id', key, (c) => c.primaryKey())
      .addColumn('name', 'text', must)
      .addColumn('description', 'text', must)
      .addColumn('lifetime_days', 'integer')
      .addColumn('sort_order', 'integer', must),
    db.schema
      .createTable('project_environment_defaults')
      .addColumn('project', key, must)
      .addColumn('environment', key, must)
      .addColumn('default_strategy', json, must)
      .addPrimaryKeyConstraint('project_environment_defaults_key', ['project', 'environment'])
      .addForeignKeyConstraint(
        'project_environment_defaults_link',
        ['project', 'environment'],
        'project_environments',
        ['project', 'environment'],
        (c) => c.onDelete('cascade'),
      ),
  ] as Table[]
}

const CONTEXT_FIELDS = [
  ['userId', 'Who uses the application', 1],
  ['sessionId', 'The session of that user', 1],
  ['appName', 'Name of the application', 0],
  ['environment', 'Environment the application runs in', 0],
  ['currentTime', 'When it is, for constraints on dates', 0],
] as const

const FEATURE_TYPES = [
  ['release', 'Release', 'Brings out something new step by step.', 40],
  ['experiment', 'Experiment', 'Compares variants with each other.', 40],
  ['operational', 'Operational', 'Steers how the system runs for a while.', 7],
  ['kill-switch', 'Kill switch', 'Takes something away in an emergency.', null],
  ['permission', 'Permission', 'Gives something to some people for good.', null],
] as const

const STRATEGY_TYPES = [
  {
    name: 'flexibleRollout',
    title: 'Gradual rollout',
    description: 'A share of users, sticky by a field of the context.',
    parameters: [
      { name: 'rollout', type: 'percentage', description: 'Share of users', required: true },
      { name: 'stickiness', type: 'string', description: 'What a user keeps the result by', required: true },
      { name: 'groupId', type: 'string', description: 'Flags of one group give the same users the same result' },
    ],
  },
  { name: 'default', title: 'Standard', description: 'Everybody.', parameters: [] },
  {
    name: 'userWithId',
    title: 'User ids',
    description: 'Listed users.',
    parameters: [{ name: 'userIds', type: 'list', description: 'Ids of users' }],
    deprecated: 1,
  },
  {
    name: 'remoteAddress',
    title: 'Addresses',
    description: 'Listed addresses and ranges.',
    parameters: [{ name: 'IPs', type: 'list', description: 'Addresses and CIDR ranges', required: true }],
  },
  {
    name: 'applicationHostname',
    title: 'Hosts',
    description: 'Listed hosts.',
    parameters: [{ name: 'hostNames', type: 'list', description: 'Names of hosts' }],
  },
  ...['UserId', 'SessionId', 'Random'].map((by) => ({
    name: `gradualRollout${by}`,
    title: null,
    description: 'An older form of the gradual rollout.',
    parameters: [{ name: 'percentage', type: 'percentage', description: 'Share of users' }],
    deprecated: 1,
  })),
]

async function seed(db: Kysely<Schema>, now: number): Promise<void> {
  const fields = CONTEXT_FIELDS.map(([name, description, stickiness], sort_order) => ({
    name,
    description,
    stickiness,
    sort_order,
    legal_values: '[]',
    created_at: now,
  }))
  await db.insertInto('context_fields').values(fields).execute()
  const types = FEATURE_TYPES.map(([id, name, description, lifetime_days], sort_order) => ({
    id,
    name,
    description,
    lifetime_days,
    sort_order,
  }))
  await db.insertInto('feature_types').values(types).execute()
  const strategies = STRATEGY_TYPES.map(({ parameters, ...type }, sort_order) => ({
    deprecated: 0,
    ...type,
    parameters: JSON.stringify(parameters),
    built_in: 1,
    sort_order,
  }))
  await db.insertInto('strategy_types').values(strategies).execute()
}
