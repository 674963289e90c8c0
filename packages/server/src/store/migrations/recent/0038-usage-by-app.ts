import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Finds what an application has counted lately, among the counts of all others. */
export function usageByApp(): Migration {
  return {
    up: async (db: Kysely<unknown>) => {
      const columns = ['app_name', 'environment', 'hour']
      await db.schema.createIndex('client_metrics_by_app').on('client_metrics').columns(columns).execute()
    },
  }
}
