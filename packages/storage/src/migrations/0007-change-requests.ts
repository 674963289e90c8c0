import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Ddl } from '../ddl.ts'
import { ownedBy, required } from './column-rules.ts'

/**
 * Creates the tables of change requests: the environments that require them, the changes, the reviews and the comments.
 */
export function changeRequests(ddl: Ddl): Migration {
  return {
    up: async (db: Kysely<unknown>) => {
      await createSettings(db, ddl)
      await createRequests(db, ddl)
      await createChanges(db, ddl)
      await createReviews(db, ddl)
      await createComments(db, ddl)
    },
  }
}

async function createSettings({ schema }: Kysely<unknown>, { key }: Ddl): Promise<void> {
  await schema
    .createTable('change_request_settings')
    .addColumn('project', key, ownedBy('projects.id'))
    .addColumn('environment', key, ownedBy('environments.name'))
    .addColumn('enabled', 'smallint', required)
    .addColumn('required_approvals', 'integer', required)
    .addPrimaryKeyConstraint('change_request_settings_key', ['project', 'environment'])
    .execute()
}

async function createRequests({ schema }: Kysely<unknown>, { key, json, id, identity }: Ddl): Promise<void> {
  await schema
    .createTable('change_requests')
    .addColumn('id', id, identity)
    .addColumn('project', key, ownedBy('projects.id'))
    .addColumn('environment', key, required)
    .addColumn('title', 'text', required)
    .addColumn('state', key, required)
    .addColumn('state_times', json, required)
    .addColumn('created_by_user_id', 'integer', required)
    .addColumn('created_by', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('scheduled_at', 'bigint')
    .addColumn('scheduled_by_user_id', 'integer')
    .addColumn('schedule_status', key)
    .addColumn('schedule_reason', 'text')
    .execute()
  const indexes = {
    change_requests_of_project: ['project', 'state', 'id'],
    change_requests_by_schedule: ['schedule_status', 'scheduled_at'],
    change_requests_by_maker: ['created_by_user_id', 'id'],
    change_requests_by_state: ['state', 'id'],
  }
  for (const [name, columns] of Object.entries(indexes)) {
    await schema.createIndex(name).on('change_requests').columns(columns).execute()
  }
}

async function createChanges({ schema }: Kysely<unknown>, { key, json, id, identity }: Ddl): Promise<void> {
  await schema
    .createTable('change_request_changes')
    .addColumn('id', id, identity)
    .addColumn('request_id', 'integer', ownedBy('change_requests.id'))
    .addColumn('feature_name', key)
    .addColumn('segment_id', 'integer')
    .addColumn('segment_name', 'text')
    .addColumn('action', key, required)
    .addColumn('payload', json, required)
    .addColumn('base', json, required)
    .addColumn('created_by_user_id', 'integer', required)
    .addColumn('created_by', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .execute()
  await schema
    .createIndex('change_request_changes_of')
    .on('change_request_changes')
    .columns(['request_id', 'id'])
    .execute()
  await schema
    .createIndex('change_request_changes_by_feature')
    .on('change_request_changes')
    .columns(['feature_name'])
    .execute()
}

async function createReviews({ schema }: Kysely<unknown>, { key }: Ddl): Promise<void> {
  await schema
    .createTable('change_request_opinions')
    .addColumn('request_id', 'integer', ownedBy('change_requests.id'))
    .addColumn('user_id', 'integer', ownedBy('users.id'))
    .addColumn('opinion', key, required)
    .addColumn('created_at', 'bigint', required)
    .addPrimaryKeyConstraint('change_request_opinions_key', ['request_id', 'user_id'])
    .execute()
  await schema
    .createTable('change_request_approvers')
    .addColumn('request_id', 'integer', ownedBy('change_requests.id'))
    .addColumn('user_id', 'integer', ownedBy('users.id'))
    .addPrimaryKeyConstraint('change_request_approvers_key', ['request_id', 'user_id'])
    .execute()
}

async function createComments({ schema }: Kysely<unknown>, { id, identity }: Ddl): Promise<void> {
  await schema
    .createTable('change_request_comments')
    .addColumn('id', id, identity)
    .addColumn('request_id', 'integer', ownedBy('change_requests.id'))
    .addColumn('text', 'text', required)
    .addColumn('created_by_user_id', 'integer', required)
    .addColumn('created_by', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .execute()
  await schema
    .createIndex('change_request_comments_of')
    .on('change_request_comments')
    .columns(['request_id', 'id'])
    .execute()
}
