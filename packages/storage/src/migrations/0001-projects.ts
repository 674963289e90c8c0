import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Schema } from '../database.ts'
import type { Ddl } from '../ddl.ts'
import { ownedBy, required } from './column-rules.ts'

/** Creates the tables for settings, projects and environments, with one project that has two environments. */
export function projects(ddl: Ddl, now: number): Migration {
  return {
    up: async (db: Kysely<Schema>) => {
      await createProjects(db, ddl)
      await createProjectEnvironments(db, ddl)
      await insertFirstProject(db, now)
    },
  }
}

async function createProjects({ schema }: Kysely<Schema>, { key, json }: Ddl): Promise<void> {
  await schema
    .createTable('settings')
    .addColumn('name', key, (column) => column.primaryKey())
    .addColumn('value', 'text', required)
    .execute()
  await schema
    .createTable('projects')
    .addColumn('id', key, (column) => column.primaryKey())
    .addColumn('name', 'text', required)
    .addColumn('description', 'text')
    .addColumn('mode', 'text', required)
    .addColumn('default_stickiness', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('archived_at', 'bigint')
    .addColumn('feature_naming_pattern', 'text')
    .addColumn('feature_naming_example', 'text')
    .addColumn('feature_naming_description', 'text')
    .addColumn('feature_limit', 'integer')
    .addColumn('link_templates', json, (column) => column.notNull().defaultTo('[]'))
    .execute()
  // only administrators can still see the history of a private project after it was removed
  await schema
    .createTable('removed_private_projects')
    .addColumn('id', key, (column) => column.primaryKey())
    .execute()
}

async function createProjectEnvironments({ schema }: Kysely<Schema>, { key, json }: Ddl): Promise<void> {
  await schema
    .createTable('environments')
    .addColumn('name', key, (column) => column.primaryKey())
    .addColumn('type', 'text', required)
    .addColumn('sort_order', 'integer', required)
    .addColumn('enabled', 'smallint', required)
    .addColumn('protected', 'smallint', required)
    .execute()
  await schema
    .createTable('project_environments')
    .addColumn('project', key, ownedBy('projects.id'))
    .addColumn('environment', key, ownedBy('environments.name'))
    .addPrimaryKeyConstraint('project_environments_key', ['project', 'environment'])
    .execute()
  await schema
    .createTable('project_environment_defaults')
    .addColumn('project', key, required)
    .addColumn('environment', key, required)
    .addColumn('default_strategy', json, required)
    .addPrimaryKeyConstraint('project_environment_defaults_key', ['project', 'environment'])
    .addForeignKeyConstraint(
      'project_environment_defaults_link',
      ['project', 'environment'],
      'project_environments',
      ['project', 'environment'],
      (constraint) => constraint.onDelete('cascade'),
    )
    .execute()
}

async function insertFirstProject(db: Kysely<Schema>, now: number): Promise<void> {
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
}
