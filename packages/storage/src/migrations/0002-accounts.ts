import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Ddl } from '../ddl.ts'
import { oneByDefault, ownedBy, required, unique, zeroByDefault } from './column-rules.ts'

/** Creates the tables of users and service accounts, with their sessions, logins, personal tokens and invitations. */
export function accounts(ddl: Ddl): Migration {
  return {
    up: async (db: Kysely<unknown>) => {
      await createUsers(db, ddl)
      await createSessions(db, ddl)
      await createLogins(db, ddl)
      await createInviteLinks(db, ddl)
    },
  }
}

async function createUsers(db: Kysely<unknown>, { key, id, identity }: Ddl): Promise<void> {
  await db.schema
    .createTable('users')
    .addColumn('id', id, identity)
    .addColumn('username', key, (column) => column.unique())
    .addColumn('email', key)
    .addColumn('name', 'text')
    .addColumn('password_hash', 'text', required)
    .addColumn('root_role', 'integer', required)
    .addColumn('must_change_password', 'smallint', zeroByDefault)
    .addColumn('login_attempts', 'integer', zeroByDefault)
    .addColumn('created_at', 'bigint', required)
    .addColumn('seen_at', 'bigint')
    .addColumn('is_service', 'smallint', zeroByDefault)
    .addColumn('image_url', 'text')
    .addColumn('scim_id', key)
    .addColumn('scim_external_id', key)
    // SCIM deactivates accounts without deleting them
    .addColumn('active', 'smallint', oneByDefault)
    // 1 if the e-mail address is unverified, because the user entered it
    .addColumn('own_email', 'smallint', zeroByDefault)
    .addColumn('address_verified', 'smallint', zeroByDefault)
    .execute()
  await sql`create unique index users_by_email on users (lower(email))`.execute(db)
  await db.schema.createIndex('users_by_scim_id').unique().on('users').column('scim_id').execute()
  await db.schema.createIndex('users_by_root_role').on('users').column('root_role').execute()
}

async function createSessions({ schema }: Kysely<unknown>, { key, id, identity }: Ddl): Promise<void> {
  await schema
    .createTable('sessions')
    .addColumn('hash', key, (column) => column.primaryKey())
    .addColumn('user_id', 'integer', ownedBy('users.id'))
    .addColumn('created_at', 'bigint', required)
    .addColumn('used_at', 'bigint', required)
    .addColumn('expires_at', 'bigint', required)
    // token with which a logout also ends the session at the single sign-on provider
    .addColumn('id_token', 'text')
    .execute()
  await schema.createIndex('sessions_by_user').on('sessions').column('user_id').execute()
  await schema
    .createTable('personal_tokens')
    .addColumn('id', id, identity)
    .addColumn('user_id', 'integer', ownedBy('users.id'))
    .addColumn('description', 'text', required)
    .addColumn('hash', key, unique)
    .addColumn('expires_at', 'bigint', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('seen_at', 'bigint')
    .execute()
  await schema.createIndex('personal_tokens_by_user').on('personal_tokens').column('user_id').execute()
}

async function createLogins({ schema }: Kysely<unknown>, { key, id, identity }: Ddl): Promise<void> {
  await schema
    .createTable('login_history')
    .addColumn('id', id, identity)
    .addColumn('username', 'text', required)
    .addColumn('auth_type', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('successful', 'smallint', required)
    .addColumn('ip', 'text')
    .addColumn('failure_reason', 'text')
    .execute()
  await schema.createIndex('login_history_by_time').on('login_history').column('created_at').execute()
  // networks of earlier logins, so that an account can still log in from a known network while others try to guess its
  // password
  await schema
    .createTable('known_networks')
    .addColumn('user_id', 'integer', ownedBy('users.id'))
    .addColumn('network_hash', key, required)
    .addColumn('seen_at', 'bigint', required)
    .addPrimaryKeyConstraint('known_networks_key', ['user_id', 'network_hash'])
    .execute()
  await schema
    .createTable('sso_identities')
    .addColumn('issuer', key, required)
    .addColumn('subject', key, required)
    .addColumn('user_id', 'integer', ownedBy('users.id'))
    .addColumn('created_at', 'bigint', required)
    .addPrimaryKeyConstraint('sso_identities_key', ['issuer', 'subject'])
    .execute()
  await schema.createIndex('sso_identities_by_user').on('sso_identities').column('user_id').execute()
}

async function createInviteLinks({ schema }: Kysely<unknown>, { key, id, identity }: Ddl): Promise<void> {
  // links with which a user sets a password without knowing the old one: invitations and resets
  await schema
    .createTable('reset_tokens')
    .addColumn('hash', key, (column) => column.primaryKey())
    .addColumn('user_id', 'integer', ownedBy('users.id'))
    .addColumn('created_by', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('expires_at', 'bigint', required)
    .addColumn('ends_tokens', 'smallint', oneByDefault)
    .execute()
  await schema.createIndex('reset_tokens_by_user').on('reset_tokens').column('user_id').execute()
  // links with which people create their own accounts
  await schema
    .createTable('invite_links')
    .addColumn('id', id, identity)
    .addColumn('secret', key, unique)
    .addColumn('name', 'text', required)
    .addColumn('created_by', 'text', required)
    .addColumn('created_at', 'bigint', required)
    .addColumn('expires_at', 'bigint', required)
    .addColumn('enabled', 'smallint', required)
    .addColumn('sealed_secret', 'text')
    .execute()
  await schema
    .createTable('invite_link_users')
    .addColumn('link_id', 'integer', ownedBy('invite_links.id'))
    .addColumn('user_id', 'integer', ownedBy('users.id'))
    .addPrimaryKeyConstraint('invite_link_users_key', ['link_id', 'user_id'])
    .execute()
  await schema.createIndex('invite_link_users_by_user').on('invite_link_users').column('user_id').execute()
}
