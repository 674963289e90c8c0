import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Ddl } from '../ddl.ts'
import { ownedBy, ownedPrimaryKey, required, zeroByDefault } from './column-rules.ts'

/**
 * Creates the tables for data that the admin UI stores per user: favorites, read notifications, seen hints, and the
 * flag being viewed.
 */
export function userState(ddl: Ddl): Migration {
  return {
    up: async (db: Kysely<unknown>) => {
      await createFavorites(db, ddl)
      await createSeenHints(db, ddl)
      await createPresences(db, ddl)
    },
  }
}

async function createFavorites({ schema }: Kysely<unknown>, { key }: Ddl): Promise<void> {
  await schema
    .createTable('feature_favorites')
    .addColumn('user_id', 'integer', ownedBy('users.id'))
    .addColumn('feature_name', key, ownedBy('features.name'))
    .addPrimaryKeyConstraint('feature_favorites_key', ['user_id', 'feature_name'])
    .execute()
  await schema.createIndex('feature_favorites_of').on('feature_favorites').column('feature_name').execute()
  await schema
    .createTable('project_favorites')
    .addColumn('user_id', 'integer', ownedBy('users.id'))
    .addColumn('project', key, ownedBy('projects.id'))
    .addPrimaryKeyConstraint('project_favorites_key', ['user_id', 'project'])
    .execute()
}

async function createSeenHints({ schema }: Kysely<unknown>, { key }: Ddl): Promise<void> {
  await schema
    .createTable('notification_reads')
    .addColumn('user_id', 'integer', ownedPrimaryKey('users.id'))
    .addColumn('read_up_to', 'integer', required)
    .execute()
  await schema
    .createTable('feedback')
    .addColumn('user_id', 'integer', ownedBy('users.id'))
    .addColumn('feedback_id', key, required)
    .addColumn('never_show', 'smallint', zeroByDefault)
    .addColumn('given', 'bigint')
    .addPrimaryKeyConstraint('feedback_key', ['user_id', 'feedback_id'])
    .execute()
  await schema
    .createTable('splash')
    .addColumn('user_id', 'integer', ownedBy('users.id'))
    .addColumn('splash_id', key, required)
    .addPrimaryKeyConstraint('splash_key', ['user_id', 'splash_id'])
    .execute()
}

async function createPresences({ schema }: Kysely<unknown>, { key }: Ddl): Promise<void> {
  // no foreign key for the viewed flag, so that these rows do not block changes to flags
  await schema
    .createTable('flag_presences')
    .addColumn('user_id', 'integer', ownedPrimaryKey('users.id'))
    .addColumn('feature_name', key, required)
    .addColumn('seen_at', 'bigint', required)
    .execute()
  await schema.createIndex('flag_presences_of').on('flag_presences').column('feature_name').execute()
  await schema.createTable('hidden_presences').addColumn('user_id', 'integer', ownedPrimaryKey('users.id')).execute()
}
