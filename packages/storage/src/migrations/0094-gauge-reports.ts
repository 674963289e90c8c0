import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Ddl } from '../ddl.ts'
import { required } from './column-rules.ts'

/** Creates the table from which nodes determine the node with the last report of a connection. */
export function gaugeReports({ key, json }: Ddl): Migration {
  return {
    up: async ({ schema }: Kysely<unknown>) => {
      await schema
        .createTable('gauge_reports')
        .addColumn('scope', key, required)
        .addColumn('node', key, required)
        .addColumn('minute', 'bigint', required)
        .addColumn('reports', json, required)
        .addPrimaryKeyConstraint('gauge_reports_key', ['scope', 'node'])
        .execute()
    },
  }
}
