import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds indexes for finding usage that is old enough to be aggregated or deleted. */
export function usageByHour(): Migration {
  return {
    up: async (db: Kysely<unknown>) => {
      for (const table of ['client_metrics', 'client_metrics_variants']) {
        await db.schema.createIndex(`${table}_by_hour`).on(table).column('hour').execute()
      }
    },
  }
}
