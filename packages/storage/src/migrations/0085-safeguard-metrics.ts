import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Ddl } from '../ddl.ts'

/** Adds the name of the metric to safeguards, so that a report of this metric finds the safeguards that use it. */
export function safeguardMetrics({ key }: Ddl): Migration {
  return {
    up: async ({ schema }: Kysely<unknown>) => {
      await schema.alterTable('safeguards').addColumn('metric_name', key).execute()
      await schema
        .createIndex('safeguards_by_metric')
        .on('safeguards')
        .columns(['environment', 'metric_name'])
        .execute()
    },
  }
}
