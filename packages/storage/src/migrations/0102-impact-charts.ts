import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Schema } from '../database.ts'
import type { Ddl } from '../ddl.ts'
import { primaryKey, required } from './column-rules.ts'

/** Creates the table of saved charts of impact metrics. */
export function impactCharts({ key, json }: Ddl): Migration {
  return {
    up: async ({ schema }: Kysely<Schema>) => {
      await schema
        .createTable('impact_charts')
        .addColumn('id', key, primaryKey)
        .addColumn('feature_name', key, (column) => column.references('features.name').onDelete('cascade'))
        .addColumn('definition', json, required)
        .addColumn('created_at', 'bigint', required)
        .execute()
      await schema.createIndex('impact_charts_by_flag').on('impact_charts').column('feature_name').execute()
    },
  }
}
