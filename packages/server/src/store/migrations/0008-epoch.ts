import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Schema } from '../database.ts'
import type { Ddl } from '../ddl.ts'

/** Which life of the database this is: one row, random from the beginning. */
export function epoch({ key, dice }: Ddl): Migration {
  return {
    up: async (db: Kysely<Schema>) => {
      await db.schema
        .createTable('database_epoch')
        .addColumn('epoch', key, (column) => column.primaryKey())
        .addColumn('origin', 'text')
        .execute()
      await db.insertInto('database_epoch').values({ epoch: dice, origin: null }).execute()
    },
  }
}
