import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/**
 * Adds a column for the encrypted secrets of invite links. Each start hashes and encrypts secrets that are still stored
 * as text.
 */
export function sealedInviteLinks(): Migration {
  return {
    up: async ({ schema }: Kysely<unknown>) => {
      await schema.alterTable('invite_links').addColumn('sealed_secret', 'text').execute()
    },
  }
}
