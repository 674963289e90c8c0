import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Ddl } from '../ddl.ts'
import { ownedBy } from './column-rules.ts'

/**
 * Creates the table of project roles that invite links grant, with the user or admin token that added each role. A role
 * is removed from a link when the link, the project, the role or its grantor is deleted.
 */
export function inviteLinkRoles({ key }: Ddl): Migration {
  return {
    up: async ({ schema }: Kysely<unknown>) => {
      await schema
        .createTable('invite_link_roles')
        .addColumn('link_id', 'integer', ownedBy('invite_links.id'))
        .addColumn('project', key, ownedBy('projects.id'))
        .addColumn('role_id', 'integer', ownedBy('roles.id'))
        .addColumn('granted_by_user_id', 'integer', (column) => column.references('users.id').onDelete('cascade'))
        .addColumn('granted_by_token_id', key, (column) => column.references('api_tokens.id').onDelete('cascade'))
        .addPrimaryKeyConstraint('invite_link_roles_key', ['link_id', 'project', 'role_id'])
        .execute()
      await schema.createIndex('invite_link_roles_by_project').on('invite_link_roles').column('project').execute()
      await schema.createIndex('invite_link_roles_by_role').on('invite_link_roles').column('role_id').execute()
      await schema
        .createIndex('invite_link_roles_by_user')
        .on('invite_link_roles')
        .column('granted_by_user_id')
        .execute()
      await schema
        .createIndex('invite_link_roles_by_token')
        .on('invite_link_roles')
        .column('granted_by_token_id')
        .execute()
    },
  }
}
