import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Ddl } from '../ddl.ts'

/** Adds integrations, their pending deliveries, the delivery log, and the lease of the node that delivers. */
export function integrations({ key, json, id, identity }: Ddl): Migration {
  return {
    up: async (db: Kysely<unknown>) => {
      await db.schema
        .createTable('integrations')
        .addColumn('id', id, identity)
        .addColumn('provider', key, (column) => column.notNull())
        .addColumn('enabled', 'smallint', (column) => column.notNull())
        .addColumn('description', 'text')
        .addColumn('open_parameters', json, (column) => column.notNull())
        .addColumn('sealed_parameters', json, (column) => column.notNull())
        .addColumn('event_types', json, (column) => column.notNull())
        .addColumn('only_projects', json, (column) => column.notNull())
        .addColumn('only_environments', json, (column) => column.notNull())
        .addColumn('seen_event_id', 'bigint', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .execute()
      await db.schema
        .createTable('integration_deliveries')
        .addColumn('integration_id', 'integer', (column) =>
          column.notNull().references('integrations.id').onDelete('cascade'),
        )
        .addColumn('event_id', 'bigint', (column) => column.notNull())
        .addColumn('attempts', 'integer', (column) => column.notNull())
        .addColumn('part', 'integer', (column) => column.notNull())
        .addColumn('due_at', 'bigint', (column) => column.notNull())
        .addPrimaryKeyConstraint('integration_deliveries_key', ['integration_id', 'event_id'])
        .execute()
      await db.schema
        .createTable('integration_attempts')
        .addColumn('id', id, identity)
        .addColumn('integration_id', 'integer', (column) =>
          column.notNull().references('integrations.id').onDelete('cascade'),
        )
        .addColumn('event_id', 'bigint')
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('attempt', 'integer', (column) => column.notNull())
        .addColumn('state', key, (column) => column.notNull())
        .addColumn('status', 'integer')
        .addColumn('duration_ms', 'integer', (column) => column.notNull())
        .addColumn('error', 'text', (column) => column.notNull())
        .addColumn('next_at', 'bigint')
        .execute()
      await db.schema
        .createIndex('integration_attempts_of')
        .on('integration_attempts')
        .columns(['integration_id', 'id'])
        .execute()
      await db.schema
        .createTable('integration_lease')
        .addColumn('name', key, (column) => column.notNull().primaryKey())
        .addColumn('holder', 'text', (column) => column.notNull())
        .addColumn('until_ms', 'bigint', (column) => column.notNull())
        .execute()
    },
  }
}
