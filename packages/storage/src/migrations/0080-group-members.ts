import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { zeroByDefault } from './column-rules.ts'

/**
 * Adds the position of each member in its group. Existing members all get the same position, so they are sorted by id.
 */
export function groupMembers(): Migration {
  return {
    up: async ({ schema }: Kysely<unknown>) => {
      await schema.alterTable('group_members').addColumn('position', 'integer', zeroByDefault).execute()
    },
  }
}
