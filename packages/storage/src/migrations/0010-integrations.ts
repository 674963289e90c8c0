import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Ddl } from '../ddl.ts'
import { ownedBy, primaryKey, required } from './column-rules.ts'

/**
 * Creates the tables of integrations, their pending deliveries, the delivery log, and the lease of the node that
 * delivers.
 */
export function integrations(ddl: Ddl): Migration {
  return {
    up: async (db: Kysely<unknown>) => {
      await createIntegrations(db, ddl)
      await createDeliveries(db, ddl)
    },
  }
}

async function createIntegrations({ schema }: Kysely<unknown>, { key, json, id, identity }: Ddl): Promise<void> {
  await schema
    .createTable('integrations')
    .addColumn('id', id, identity)
    .addColumn('provider', key, required)
    .addColumn('enabled', 'smallint', required)
    .addColumn('description', 'text')
    .addColumn('open_parameters', json, required)
    .addColumn('sealed_parameters', json, required)
    .addColumn('event_types', json, required)
    .addColumn('only_projects', json, required)
    .addColumn('only_environments', json, required)
    .addColumn('seen_event_id', 'bigint', required)
    .addColumn('created_at', 'bigint', required)
    .execute()
  // user who added a project name; events of a private project are delivered only while this user can see the project
  await schema
    .createTable('integration_project_grants')
    .addColumn('integration_id', 'integer', ownedBy('integrations.id'))
    .addColumn('project', key, required)
    .addColumn('granted_by', 'integer', required)
    .addPrimaryKeyConstraint('integration_project_grants_key', ['integration_id', 'project'])
    .execute()
}

async function createDeliveries({ schema }: Kysely<unknown>, { key, id, identity }: Ddl): Promise<void> {
  await schema
    .createTable('integration_deliveries')
    .addColumn('integration_id', 'integer', ownedBy('integrations.id'))
    .addColumn('event_id', 'bigint', required)
    .addColumn('attempts', 'integer', required)
    .addColumn('part', 'integer', required)
    .addColumn('due_at', 'bigint', required)
    .addPrimaryKeyConstraint('integration_deliveries_key', ['integration_id', 'event_id'])
    .execute()
  await schema
    .createTable('integration_attempts')
    .addColumn('id', id, identity)
    .addColumn('integration_id', 'integer', ownedBy('integrations.id'))
    .addColumn('event_id', 'bigint')
    .addColumn('created_at', 'bigint', required)
    .addColumn('attempt', 'integer', required)
    .addColumn('state', key, required)
    .addColumn('status', 'integer')
    .addColumn('duration_ms', 'integer', required)
    .addColumn('error', 'text', required)
    .addColumn('next_at', 'bigint')
    .execute()
  await schema
    .createIndex('integration_attempts_of')
    .on('integration_attempts')
    .columns(['integration_id', 'id'])
    .execute()
  await schema
    .createTable('integration_lease')
    .addColumn('name', key, primaryKey)
    .addColumn('holder', 'text', required)
    .addColumn('until_ms', 'bigint', required)
    .execute()
}
