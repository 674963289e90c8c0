import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Schema } from '../database.ts'
import type { Ddl } from '../ddl.ts'
import { ownedBy, required, unique, zeroByDefault } from './column-rules.ts'

/** Creates the tables of roles with their permissions, of groups, and of the roles of users and groups in projects. */
export function roles(ddl: Ddl): Migration {
  return {
    up: async (db: Kysely<Schema>) => {
      await createRoles(db, ddl)
      await createGroups(db, ddl)
      await createMembers(db, ddl)
      await insertBuiltInRoles(db)
    },
  }
}

async function createRoles({ schema }: Kysely<Schema>, { key, id, identity }: Ddl): Promise<void> {
  await schema
    .createTable('roles')
    .addColumn('id', id, identity)
    .addColumn('name', key, unique)
    .addColumn('description', 'text', required)
    .addColumn('type', 'text', required)
    .execute()
  await schema
    .createTable('role_permissions')
    .addColumn('role_id', 'integer', ownedBy('roles.id'))
    .addColumn('permission', key, required)
    .addColumn('environment', key, (column) => column.references('environments.name').onDelete('cascade'))
    // 1 if the administrator chose all environments explicitly
    .addColumn('all_environments', 'smallint', zeroByDefault)
    .execute()
  await schema.createIndex('role_permissions_by_role').on('role_permissions').column('role_id').execute()
  await schema.createIndex('role_permissions_by_environment').on('role_permissions').column('environment').execute()
}

async function createGroups({ schema }: Kysely<Schema>, { key, json, id, identity }: Ddl): Promise<void> {
  await schema
    .createTable('groups')
    .addColumn('id', id, identity)
    .addColumn('name', key, unique)
    .addColumn('description', 'text')
    .addColumn('mappings_sso', json, required)
    .addColumn('root_role', 'integer', (column) => column.references('roles.id'))
    .addColumn('created_by', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('scim_id', key, (column) => column.unique())
    .addColumn('scim_external_id', key)
    .execute()
  await schema.createIndex('groups_by_root_role').on('groups').column('root_role').execute()
  await schema
    .createTable('group_members')
    .addColumn('group_id', 'integer', ownedBy('groups.id'))
    .addColumn('user_id', 'integer', ownedBy('users.id'))
    .addColumn('joined_at', 'bigint', required)
    .addColumn('created_by', 'text', required)
    .addPrimaryKeyConstraint('group_members_key', ['group_id', 'user_id'])
    .execute()
  await schema.createIndex('group_members_by_user').on('group_members').column('user_id').execute()
}

async function createMembers({ schema }: Kysely<Schema>, { key }: Ddl): Promise<void> {
  await schema
    .createTable('project_members')
    .addColumn('user_id', 'integer', ownedBy('users.id'))
    .addColumn('project', key, ownedBy('projects.id'))
    .addColumn('role_id', 'integer', required)
    .addColumn('created_at', 'bigint')
    .addPrimaryKeyConstraint('project_members_key', ['project', 'user_id', 'role_id'])
    .execute()
  await schema.createIndex('members_by_user').on('project_members').column('user_id').execute()
  await schema.createIndex('project_members_by_role').on('project_members').column('role_id').execute()
  await schema
    .createTable('project_groups')
    .addColumn('project', key, ownedBy('projects.id'))
    .addColumn('group_id', 'integer', ownedBy('groups.id'))
    .addColumn('role_id', 'integer', (column) => column.notNull().references('roles.id'))
    .addColumn('created_at', 'bigint', required)
    .addPrimaryKeyConstraint('project_groups_key', ['project', 'group_id', 'role_id'])
    .execute()
  await schema.createIndex('project_groups_by_group').on('project_groups').column('group_id').execute()
  await schema.createIndex('project_groups_by_role').on('project_groups').column('role_id').execute()
}

const BUILT_IN_ROLES = [
  { name: 'Admin', type: 'root', description: 'All permissions.' },
  {
    name: 'Editor',
    type: 'root',
    description: 'Can change flags in the default project, and objects that flags share.',
  },
  { name: 'Viewer', type: 'root', description: 'Read access.' },
  { name: 'Owner', type: 'project', description: 'All permissions in the project.' },
  { name: 'Member', type: 'project', description: 'Can change the flags of the project.' },
] as const

/** Inserts the built-in roles one by one, so that their ids are the same in every installation. */
async function insertBuiltInRoles(db: Kysely<Schema>): Promise<void> {
  for (const role of BUILT_IN_ROLES) await db.insertInto('roles').values(role).execute()
}
