import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Ddl } from '../ddl.ts'
import { ownedBy, required } from './column-rules.ts'

/** Creates the tables of impact metrics that SDKs report, of their series, and of their points. */
export function impactMetrics({ key, json }: Ddl): Migration {
  return {
    up: async ({ schema }: Kysely<unknown>) => {
      await schema
        .createTable('impact_metrics')
        .addColumn('id', key, (column) => column.primaryKey())
        .addColumn('environment', key, required)
        .addColumn('type', 'text', required)
        .addColumn('name', key, required)
        .addColumn('source_projects', json, required)
        .addColumn('help', 'text', required)
        .addColumn('first_seen_at', 'bigint', required)
        .addColumn('last_seen_at', 'bigint', required)
        .execute()
      await schema.createIndex('impact_metrics_by_name').on('impact_metrics').columns(['environment', 'name']).execute()
      await schema
        .createTable('impact_series')
        .addColumn('id', key, (column) => column.primaryKey())
        .addColumn('metric_id', key, ownedBy('impact_metrics.id'))
        .addColumn('labels', json, required)
        .addColumn('bounds', json, required)
        .addColumn('last_seen_at', 'bigint', required)
        .execute()
      await schema.createIndex('impact_series_by_metric').on('impact_series').column('metric_id').execute()
      await schema
        .createTable('impact_points')
        .addColumn('series_id', key, ownedBy('impact_series.id'))
        .addColumn('step', 'bigint', required)
        .addColumn('start', 'bigint', required)
        .addColumn('packed', 'text', required)
        .addPrimaryKeyConstraint('impact_points_key', ['series_id', 'step', 'start'])
        .execute()
      await schema.createIndex('impact_points_by_age').on('impact_points').columns(['step', 'start']).execute()
    },
  }
}
