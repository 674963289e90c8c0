import type { ColumnDefinitionBuilder, CreateTableBuilder, Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Schema } from '../database.ts'
import type { Ddl } from '../ddl.ts'

const must = (column: ColumnDefinitionBuilder) => column.notNull()
const gone = (target: string) => (column: ColumnDefinitionBuilder) =>
  column.notNull().references(target).onDelete('cascade')
const role = (column: ColumnDefinitionBuilder) => column.notNull().references('roles.id')

/** Adds custom roles, groups and their roles, service accounts, and the login history. */
export function roles(ddl: Ddl): Migration {
  return {
    up: async (untyped: Kysely<unknown>) => {
      const db = untyped as Kysely<Schema>
      for (const table of [...roleTables(db, ddl), ...groupTables(db, ddl), loginTable(db, ddl)]) await table.execute()
      await indexes(db)
      await alterations(db, ddl)
      await seed(db)
    },
  }
}

type Table = CreateTableBuilder<string, string>

function roleTables(db: Kysely<Schema>, { key, id, identity }: Ddl): Table[] {
  return [
    db.schema
      .createTable('roles')
      .addColumn('id', id, identity)
      .addColumn('name', key, (column) => column.notNull().unique())
      .addColumn('description', 'text', must)
      .addColumn('type', 'text', must),
    db.schema
      .createTable('role_permissions')
      .addColumn('role_id', 'integer', gone('roles.id'))
      .addColumn('permission', key, must)
      .addColumn('environment', key, (column) => column.references('environments.name').onDelete('cascade')),
  ] as Table[]
}

function groupTables(db: Kysely<Schema>, { key, json, id, identity }: Ddl): Table[] {
  return [
    db.schema
      .createTable('groups')
      .addColumn('id', id, identity)
      .addColumn('name', key, (column) => column.notNull().unique())
      .addColumn('description', 'text')
      .addColumn('mappings_sso', json, must)
      .addColumn('root_role', 'integer', (column) => column.references('roles.id'))
      .addColumn('created_by', 'text', must)
      .addColumn('created_at', 'bigint', must)
      .addColumn('scim_id', key, (column) => column.unique())
      .addColumn('scim_external_id', key),
    db.schema
      .createTable('group_members')
      .addColumn('group_id', 'integer', gone('groups.id'))
      .addColumn('user_id', 'integer', gone('users.id'))
      .addColumn('joined_at', 'bigint', must)
      .addColumn('created_by', 'text', must)
      .addPrimaryKeyConstraint('group_members_key', ['group_id', 'user_id']),
    db.schema
      .createTable('project_groups')
      .addColumn('project', key, gone('projects.id'))
      .addColumn('group_id', 'integer', gone('groups.id'))
      .addColumn('role_id', 'integer', role)
      .addColumn('created_at', 'bigint', must)
      .addPrimaryKeyConstraint('project_groups_key', ['project', 'group_id', 'role_id']),
  ] as Table[]
}

function loginTable(db: Kysely<Schema>, { id, identity }: Ddl): Table {
  return db.schema
    .createTable('login_history')
    .addColumn('id', id, identity)
    .addColumn('username', 'text', must)
    .addColumn('auth_type', 'text', must)
    .addColumn('created_at', 'bigint', must)
    .addColumn('successful', 'smallint', must)
    .addColumn('ip', 'text')
    .addColumn('failure_reason', 'text') as Table
}

async function indexes({ schema }: Kysely<Schema>): Promise<void> {
  await schema.createIndex('role_permissions_by_role').on('role_permissions').column('role_id').execute()
  await schema.createIndex('role_permissions_by_environment').on('role_permissions').column('environment').execute()
  await schema.createIndex('groups_by_root_role').on('groups').column('root_role').execute()
  await schema.createIndex('group_members_by_user').on('group_members').column('user_id').execute()
  await schema.createIndex('project_groups_by_group').on('project_groups').column('group_id').execute()
  await schema.createIndex('project_groups_by_role').on('project_groups').column('role_id').execute()
  await schema.createIndex('project_members_by_role').on('project_members').column('role_id').execute()
  await schema.createIndex('login_history_by_time').on('login_history').column('created_at').execute()
}

async function alterations({ schema }: Kysely<Schema>, { key }: Ddl): Promise<void> {
  await schema
    .alterTable('users')
    .addColumn('is_service', 'smallint', (column) => column.notNull().defaultTo(0))
    .execute()
  await schema.alterTable('users').addColumn('image_url', 'text').execute()
  await schema.alterTable('users').addColumn('scim_id', key).execute()
  await schema.alterTable('users').addColumn('scim_external_id', key).execute()
  await schema.createIndex('users_by_scim_id').unique().on('users').column('scim_id').execute()
  await schema.createIndex('users_by_root_role').on('users').column('root_role').execute()
  await schema.alterTable('project_members').addColumn('created_at', 'bigint').execute()
}

/** Inserts the built-in roles one after another, so that they get the same ids in every installation. */
async function seed(db: Kysely<Schema>): Promise<void> {
  for (const [name, type, description] of [
    ['Admin', 'root', 'All permissions.'],
    ['Editor', 'root', 'Can change flags in the default project, and objects that flags share.'],
    ['Viewer', 'root', 'Read access.'],
    ['Owner', 'project', 'All permissions in the project.'],
    ['Member', 'project', 'Can change the flags of the project.'],
  ] as const) {
    await db.insertInto('roles').values({ name, type, description }).execute()
  }
}
