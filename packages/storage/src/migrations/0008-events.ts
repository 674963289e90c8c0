import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Schema } from '../database.ts'
import type { Ddl } from '../ddl.ts'
import { primaryKey, required } from './column-rules.ts'

/**
 * Creates the tables for the event log with its search index, for counters of changes that write no event, and for the
 * database epoch.
 */
export function events(ddl: Ddl): Migration {
  return {
    up: async (db: Kysely<Schema>) => {
      await createEvents(db, ddl)
      await createSearchIndex(db)
      await createChangeCounters(db, ddl)
      await createEpoch(db, ddl)
    },
  }
}

async function createEvents({ schema }: Kysely<Schema>, { key, json, id, identity }: Ddl): Promise<void> {
  await schema
    .createTable('events')
    .addColumn('id', id, identity)
    .addColumn('created_at', 'bigint', required)
    .addColumn('type', 'text', required)
    .addColumn('created_by', 'text', required)
    .addColumn('created_by_user_id', 'integer', required)
    .addColumn('project', key)
    .addColumn('environment', key)
    .addColumn('feature_name', key)
    .addColumn('data', json)
    .addColumn('pre_data', json)
    .addColumn('tags', json, required)
    .addColumn('reach', key)
    .addColumn('address', 'text')
    .addColumn('undo', json)
    .execute()
  const indexes = {
    events_by_feature: ['feature_name', 'id'],
    events_by_reach: ['reach', 'id'],
    events_by_project: ['project', 'id'],
    // covers the event counts of a project
    events_by_project_and_type: ['project', 'type', 'created_at', 'feature_name', 'environment'],
    events_by_type: ['type', 'id'],
    events_by_environment: ['environment', 'id'],
    events_by_author: ['created_by', 'id'],
    // finds the events of a user even if the user had a different name when the event was written
    events_by_user: ['created_by_user_id', 'id'],
  }
  for (const [name, columns] of Object.entries(indexes)) {
    await schema.createIndex(name).on('events').columns(columns).execute()
  }
}

/** Creates the search index over the contents of events. The server fills the index in the background. */
async function createSearchIndex({ schema }: Kysely<Schema>): Promise<void> {
  await schema
    .createTable('event_search_blocks')
    .addColumn('block', 'integer', (column) => column.primaryKey())
    .addColumn('events', 'integer', required)
    .execute()
  await schema
    .createTable('event_search_postings')
    .addColumn('key', 'integer', (column) => column.primaryKey())
    .addColumn('postings', 'text', required)
    .execute()
}

async function createChangeCounters(db: Kysely<Schema>, { key }: Ddl): Promise<void> {
  await db.schema
    .createTable('change_marks')
    .addColumn('name', key, primaryKey)
    .addColumn('revision', 'bigint', required)
    .execute()
  const rows = ['usage', 'overdue'].map((name) => ({ name, revision: 0 }))
  await db.insertInto('change_marks').values(rows).execute()
}

/** Creates the epoch of the database: one row with a random initial value. */
async function createEpoch(db: Kysely<Schema>, { key, randomHex }: Ddl): Promise<void> {
  await db.schema
    .createTable('database_epoch')
    .addColumn('epoch', key, (column) => column.primaryKey())
    .addColumn('origin', 'text')
    // time by the clock of the database server; null if unknown
    .addColumn('begun_at', 'bigint')
    .execute()
  await db.insertInto('database_epoch').values({ epoch: randomHex, origin: null }).execute()
}
