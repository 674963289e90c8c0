import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Ddl } from '../ddl.ts'

/** Adds the declared OpenFeature type of flags, and the default of that type. */
export function flagValues({ key, json }: Ddl): Migration {
  return {
    up: async (db: Kysely<unknown>) => {
      await db.schema
        .createTable('feature_values')
        .addColumn('feature_name', key, (column) =>
          column.notNull().primaryKey().references('features.name').onDelete('cascade'),
        )
        .addColumn('value_type', key, (column) => column.notNull())
        .addColumn('default_value', json, (column) => column.notNull())
        .execute()
    },
  }
}
