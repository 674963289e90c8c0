import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Adds an index for the recent usage of one application. */
export function usageByApp(): Migration {
  return {
    up: async (db: Kysely<unknown>) => {
      const columns = ['app_name', 'environment', 'hour']
      await db.schema.createIndex('client_metrics_by_app').on('client_metrics').columns(columns).execute()
    },
  }
}
