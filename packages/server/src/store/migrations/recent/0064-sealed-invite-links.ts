import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Column for the sealed secrets of invite links. Each start hashes and seals secrets that are stored as text. */
export function sealedInviteLinks(): Migration {
  return {
    up: async ({ schema }: Kysely<unknown>) => {
      await schema.alterTable('invite_links').addColumn('sealed_secret', 'text').execute()
    },
  }
}
