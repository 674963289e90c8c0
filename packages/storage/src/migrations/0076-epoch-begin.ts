import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds the time at which an epoch began, by the clock of the database server; null if that is unknown. */
export function epochBegin(): Migration {
  return {
    up: async ({ schema }: Kysely<unknown>) => {
      await schema.alterTable('database_epoch').addColumn('begun_at', 'bigint').execute()
    },
  }
}
