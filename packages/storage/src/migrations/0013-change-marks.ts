import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Ddl } from '../ddl.ts'

/** Adds counters that tell nodes of changes without an event. */
export function changeMarks({ key }: Ddl): Migration {
  return {
    up: async (db: Kysely<{ change_marks: { name: string; revision: number } }>) => {
      await db.schema
        .createTable('change_marks')
        .addColumn('name', key, (column) => column.notNull().primaryKey())
        .addColumn('revision', 'bigint', (column) => column.notNull())
        .execute()
      const rows = ['usage', 'overdue'].map((name) => ({ name, revision: 0 }))
      await db.insertInto('change_marks').values(rows).execute()
    },
  }
}
