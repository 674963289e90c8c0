import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Ddl } from '../ddl.ts'
import { ownedBy, required, zeroByDefault } from './column-rules.ts'

/**
 * Creates the tables for usage counts, applications and their instances, and unknown flags, all of which SDKs report.
 */
export function usage(ddl: Ddl): Migration {
  return {
    up: async (db: Kysely<unknown>) => {
      await createCounts(db, ddl)
      await createApplications(db, ddl)
      await createInstances(db, ddl)
      await createUnknownFlags(db, ddl)
      await createSampledEnvironments(db, ddl)
    },
  }
}

async function createCounts({ schema }: Kysely<unknown>, { key }: Ddl): Promise<void> {
  const counted = (table: string) =>
    schema
      .createTable(table)
      .addColumn('environment', key, required)
      .addColumn('app_name', key, required)
      .addColumn('feature_name', key, required)
      .addColumn('hour', 'bigint', required)
  const counter = ['feature_name', 'hour', 'environment', 'app_name'] as const
  await counted('client_metrics')
    .addColumn('yes', 'bigint', required)
    .addColumn('no', 'bigint', required)
    .addPrimaryKeyConstraint('client_metrics_key', [...counter])
    .execute()
  await counted('client_metrics_variants')
    .addColumn('variant', key, required)
    .addColumn('count', 'bigint', required)
    .addPrimaryKeyConstraint('client_metrics_variants_key', [...counter, 'variant'])
    .execute()
  for (const table of ['client_metrics', 'client_metrics_variants']) {
    await schema.createIndex(`${table}_by_hour`).on(table).column('hour').execute()
  }
  const application = ['app_name', 'environment', 'hour']
  await schema.createIndex('client_metrics_by_app').on('client_metrics').columns(application).execute()
}

async function createApplications({ schema }: Kysely<unknown>, { key, json }: Ddl): Promise<void> {
  await schema
    .createTable('client_applications')
    .addColumn('app_name', key, (column) => column.primaryKey())
    .addColumn('strategies', json, required)
    .addColumn('first_seen_at', 'bigint', required)
    .addColumn('last_seen_at', 'bigint', required)
    .addColumn('description', 'text')
    .addColumn('url', 'text')
    .addColumn('color', 'text')
    .addColumn('icon', 'text')
    .addColumn('by_public_token', 'smallint', zeroByDefault)
    .execute()
  // projects and environments for which applications have registered
  await schema
    .createTable('client_application_reach')
    .addColumn('app_name', key, ownedBy('client_applications.app_name'))
    .addColumn('project', key, required)
    .addColumn('environment', key, required)
    .addPrimaryKeyConstraint('client_application_reach_key', ['app_name', 'project', 'environment'])
    .execute()
}

async function createInstances({ schema }: Kysely<unknown>, { key }: Ddl): Promise<void> {
  const instance = ['app_name', 'instance_id', 'environment'] as const
  await schema
    .createTable('client_instances')
    .addColumn('app_name', key, required)
    .addColumn('instance_id', key, required)
    .addColumn('environment', key, required)
    .addColumn('sdk_version', 'text')
    .addColumn('address', 'text')
    .addColumn('last_seen_at', 'bigint', required)
    .addColumn('by_public_token', 'smallint', zeroByDefault)
    .addColumn('first_seen_at', 'bigint')
    .addPrimaryKeyConstraint('client_instances_key', [...instance])
    .execute()
  // projects of the tokens with which an instance reported; they determine which users may see the instance
  await schema
    .createTable('client_instance_projects')
    .addColumn('app_name', key, required)
    .addColumn('instance_id', key, required)
    .addColumn('environment', key, required)
    .addColumn('project', key, required)
    .addPrimaryKeyConstraint('client_instance_projects_key', [...instance, 'project'])
    .addForeignKeyConstraint(
      'client_instance_projects_of',
      [...instance],
      'client_instances',
      [...instance],
      (constraint) => constraint.onDelete('cascade'),
    )
    .execute()
}

async function createUnknownFlags({ schema }: Kysely<unknown>, { key }: Ddl): Promise<void> {
  const sighting = ['name', 'app_name', 'environment'] as const
  await schema
    .createTable('unknown_flags')
    .addColumn('name', key, required)
    .addColumn('app_name', key, required)
    .addColumn('environment', key, required)
    .addColumn('last_seen_at', 'bigint', required)
    .addPrimaryKeyConstraint('unknown_flags_key', [...sighting])
    .execute()
  await schema
    .createTable('unknown_flag_projects')
    .addColumn('name', key, required)
    .addColumn('app_name', key, required)
    .addColumn('environment', key, required)
    .addColumn('project', key, required)
    .addPrimaryKeyConstraint('unknown_flag_projects_key', [...sighting, 'project'])
    .addForeignKeyConstraint('unknown_flag_projects_of', [...sighting], 'unknown_flags', [...sighting], (constraint) =>
      constraint.onDelete('cascade'),
    )
    .execute()
}

/**
 * Creates the table that lists the environments in which contexts of frontend clients are sampled. The sampled contexts
 * themselves are never stored in a table.
 */
async function createSampledEnvironments({ schema }: Kysely<unknown>, { key }: Ddl): Promise<void> {
  await schema
    .createTable('sampled_environments')
    .addColumn('name', key, (column) => column.primaryKey().references('environments.name').onDelete('cascade'))
    .execute()
}
