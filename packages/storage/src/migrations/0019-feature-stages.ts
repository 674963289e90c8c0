import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Ddl } from '../ddl.ts'

/** Adds lifecycle stages of flags, except those that follow from the flag itself: creation and archiving. */
export function featureStages({ key }: Ddl): Migration {
  return {
    up: async (db: Kysely<unknown>) => {
      await db.schema
        .createTable('feature_stages')
        .addColumn('feature_name', key, (column) => column.notNull().references('features.name').onDelete('cascade'))
        .addColumn('stage', key, (column) => column.notNull())
        .addColumn('entered_at', 'bigint', (column) => column.notNull())
        .addColumn('status', 'text')
        .addColumn('status_value', 'text')
        .addPrimaryKeyConstraint('feature_stages_key', ['feature_name', 'stage'])
        .execute()
    },
  }
}
