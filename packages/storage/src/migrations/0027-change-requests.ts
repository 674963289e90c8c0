import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Ddl } from '../ddl.ts'

/** Adds change requests: the environments that require them, their changes, reviews and comments. */
export function changeRequests({ key, json, id, identity }: Ddl): Migration {
  return {
    up: async (db: Kysely<unknown>) => {
      await settings(db, { key })
      await db.schema
        .createTable('change_requests')
        .addColumn('id', id, identity)
        .addColumn('project', key, (column) => column.notNull().references('projects.id').onDelete('cascade'))
        .addColumn('environment', key, (column) => column.notNull())
        .addColumn('title', 'text', (column) => column.notNull())
        .addColumn('state', key, (column) => column.notNull())
        .addColumn('state_times', json, (column) => column.notNull())
        .addColumn('created_by_user_id', 'integer', (column) => column.notNull())
        .addColumn('created_by', 'text', (column) => column.notNull())
        .addColumn('created_at', 'bigint', (column) => column.notNull())
        .addColumn('scheduled_at', 'bigint')
        .addColumn('scheduled_by_user_id', 'integer')
        .addColumn('schedule_status', key)
        .addColumn('schedule_reason', 'text')
        .execute()
      await db.schema
        .createIndex('change_requests_of_project')
        .on('change_requests')
        .columns(['project', 'state', 'id'])
        .execute()
      await db.schema
        .createIndex('change_requests_by_schedule')
        .on('change_requests')
        .columns(['schedule_status', 'scheduled_at'])
        .execute()
      await changes(db, { key, json, id, identity })
      await opinions(db, { key, id, identity })
    },
  }
}

async function settings(db: Kysely<unknown>, { key }: Pick<Ddl, 'key'>): Promise<void> {
  await db.schema
    .createTable('change_request_settings')
    .addColumn('project', key, (column) => column.notNull().references('projects.id').onDelete('cascade'))
    .addColumn('environment', key, (column) => column.notNull().references('environments.name').onDelete('cascade'))
    .addColumn('enabled', 'smallint', (column) => column.notNull())
    .addColumn('required_approvals', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('change_request_settings_key', ['project', 'environment'])
    .execute()
}

async function changes(
  db: Kysely<unknown>,
  { key, json, id, identity }: Pick<Ddl, 'key' | 'json' | 'id' | 'identity'>,
) {
  await db.schema
    .createTable('change_request_changes')
    .addColumn('id', id, identity)
    .addColumn('request_id', 'integer', (column) =>
      column.notNull().references('change_requests.id').onDelete('cascade'),
    )
    .addColumn('feature_name', key)
    .addColumn('segment_id', 'integer')
    .addColumn('segment_name', 'text')
    .addColumn('action', key, (column) => column.notNull())
    .addColumn('payload', json, (column) => column.notNull())
    .addColumn('base', json, (column) => column.notNull())
    .addColumn('created_by_user_id', 'integer', (column) => column.notNull())
    .addColumn('created_by', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('change_request_changes_of')
    .on('change_request_changes')
    .columns(['request_id', 'id'])
    .execute()
  await db.schema
    .createIndex('change_request_changes_by_feature')
    .on('change_request_changes')
    .columns(['feature_name'])
    .execute()
}

async function opinions(db: Kysely<unknown>, { key, id, identity }: Pick<Ddl, 'key' | 'id' | 'identity'>) {
  await db.schema
    .createTable('change_request_opinions')
    .addColumn('request_id', 'integer', (column) =>
      column.notNull().references('change_requests.id').onDelete('cascade'),
    )
    .addColumn('user_id', 'integer', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('opinion', key, (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('change_request_opinions_key', ['request_id', 'user_id'])
    .execute()
  await db.schema
    .createTable('change_request_approvers')
    .addColumn('request_id', 'integer', (column) =>
      column.notNull().references('change_requests.id').onDelete('cascade'),
    )
    .addColumn('user_id', 'integer', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addPrimaryKeyConstraint('change_request_approvers_key', ['request_id', 'user_id'])
    .execute()
  await db.schema
    .createTable('change_request_comments')
    .addColumn('id', id, identity)
    .addColumn('request_id', 'integer', (column) =>
      column.notNull().references('change_requests.id').onDelete('cascade'),
    )
    .addColumn('text', 'text', (column) => column.notNull())
    .addColumn('created_by_user_id', 'integer', (column) => column.notNull())
    .addColumn('created_by', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('change_request_comments_of')
    .on('change_request_comments')
    .columns(['request_id', 'id'])
    .execute()
}
