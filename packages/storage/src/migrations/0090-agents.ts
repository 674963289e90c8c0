import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Schema } from '../database.ts'
import type { Ddl } from '../ddl.ts'
import { required } from './column-rules.ts'

/** Creates tables for the limits and the writes of agents, and a mark for events that agents caused. */
export function agents({ key, json, id, identity }: Ddl): Migration {
  return {
    up: async ({ schema }: Kysely<Schema>) => {
      await schema
        .createTable('agent_limits')
        .addColumn('environment', key, (column) =>
          column.primaryKey().references('environments.name').onDelete('cascade'),
        )
        .addColumn('access', 'text', required)
        .execute()
      await schema
        .createTable('agent_writes')
        .addColumn('id', id, identity)
        .addColumn('token_id', 'integer', required)
        .addColumn('user_id', 'integer', required)
        .addColumn('tool', 'text', required)
        .addColumn('outcome', 'text', required)
        .addColumn('project', key, required)
        .addColumn('environment', key)
        .addColumn('feature_name', key, required)
        .addColumn('client_name', 'text', required)
        .addColumn('client_version', 'text', required)
        .addColumn('created_at', 'bigint', required)
        .execute()
      await schema.createIndex('agent_writes_by_token').on('agent_writes').columns(['token_id', 'created_at']).execute()
      await schema.createIndex('agent_writes_by_time').on('agent_writes').column('created_at').execute()
      await schema.alterTable('events').addColumn('agent', json).execute()
      const isMarked = sql<boolean>`agent is not null`
      await schema.createIndex('events_by_agent').on('events').column('id').where(isMarked).execute()
    },
  }
}
